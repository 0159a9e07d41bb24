#pragma once
/// \file
/// Reads a run file: finished, still being written, or left behind by a killed run.
///
/// What was complete when the reader opened the file is what it sees; open anew to see more.
/// Everything read is checked before it is trusted: a file that is truncated, not HDF5, of another
/// layout, or that points outside itself gives an IoError with its name.

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "record/run_file.h"
#include "step/snapshot.h"

namespace talus::record {

struct RunInfo {
    std::string path;
    std::int64_t layout = 0;
    int dimension = 0;
    std::string scene_name, scene_path, scene_text;
    Provenance provenance;
    std::string state;                  ///< kRunning, kFinished, ...
    std::vector<std::string> materials;
    std::vector<std::string> arrays;    ///< of bodies
    bool has_contacts = false, has_sums = false;
    std::vector<FrameInfo> frames;
    std::uint64_t reports = 0;
    std::uint64_t checkpoint_sequence = 0;  ///< 0: none
    std::int64_t checkpoint_step = 0;
    double checkpoint_time = 0.0;           ///< [s]
    std::uint64_t checkpoint_bytes = 0;
    std::vector<ShapeSpec> shapes;
};

class RunReader {
public:
    explicit RunReader(const std::string& path);
    RunReader(RunReader&&) noexcept;
    RunReader& operator=(RunReader&&) noexcept;
    ~RunReader();

    [[nodiscard]] const RunInfo& info() const;
    /// Frame `k`, from 0; negative: from the end. Arrays that were not recorded hold zeros.
    /// \throws IoError when there is no such frame or the run has another dimension.
    template <int Dim>
    [[nodiscard]] Snapshot<Dim> read_frame(std::int64_t k) const;
    [[nodiscard]] std::vector<ReportRow> reports() const;
    /// All rows; a ReportRow says which are its own.
    [[nodiscard]] std::vector<WallImpulse> wall_impulses() const;
    [[nodiscard]] std::vector<ObservableText> observables() const;
    /// The summary a finished run leaves, as JSON; empty: none.
    [[nodiscard]] std::string summary_json() const;
    [[nodiscard]] std::optional<Checkpoint> checkpoint() const;

private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

/// Frame number `k` (negative: from the end) as an index. \throws IoError when there is none.
[[nodiscard]] std::size_t frame_index(const RunInfo& info, std::int64_t k);

}  // namespace talus::record

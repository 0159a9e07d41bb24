#pragma once
/// \file
/// Writes the run file of a run.
///
/// A frame (or report row, or checkpoint) first reaches the file as data nobody knows of, then one
/// index row makes it count. A kill at any moment therefore leaves every complete frame and the last
/// complete checkpoint readable, and a reader may follow the run. Checkpoints alternate between two
/// slots: a cut-off one leaves the other valid.
///
/// After an IoError (disk full) the writer gives the file up as it stands, as if killed.

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "record/run_file.h"
#include "step/snapshot.h"

namespace talus::record {

template <int Dim>
class RunWriter {
public:
    /// A new run file, replacing one of that name. `initial` gives materials, periodic cell and shapes.
    /// \throws IoError, or InputError when the plan names an unknown array.
    static RunWriter create(const std::string& path, const RunHeader& header, const Plan& plan,
                            const Snapshot<Dim>& initial);
    /// Continues after the last complete checkpoint, which is given back through `checkpoint`. Frames and
    /// rows written after it are dropped. \throws IoError when there is none, or the file is damaged.
    static RunWriter resume(const std::string& path, Checkpoint& checkpoint);

    RunWriter(RunWriter&&) noexcept;
    RunWriter& operator=(RunWriter&&) noexcept;
    ~RunWriter();

    /// Appends a frame, with the observables measured at it (empty: none).
    void write_frame(const Snapshot<Dim>& snapshot, const std::string& observables_json = {});
    /// Appends a step's report. Rows reach the file with the next frame, checkpoint or `commit`.
    void write_report(const StepReport& report, std::span<const WallImpulse> walls);
    /// Writes the reports so far.
    void commit();
    void write_checkpoint(std::int64_t step, double time, std::span<const std::byte> bytes);
    /// The same with the bytes in pieces. It counts from `end_checkpoint` on; no frame may come between.
    void begin_checkpoint();
    void add_to_checkpoint(std::span<const std::byte> piece);
    void end_checkpoint(std::int64_t step, double time);
    /// Final observables and summary (empty: none), and how the run ended; closes the file.
    void finish(const std::string& state, double time, const std::string& observables_json,
                const std::string& summary_json);

    [[nodiscard]] std::uint64_t frames() const;
    [[nodiscard]] bool has_contacts() const;
    [[nodiscard]] bool has_sums() const;

private:
    struct Impl;
    explicit RunWriter(std::unique_ptr<Impl> impl);
    std::unique_ptr<Impl> impl_;
};

extern template class RunWriter<2>;
extern template class RunWriter<3>;

}  // namespace talus::record

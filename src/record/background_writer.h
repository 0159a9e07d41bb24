#pragma once
/// \file
/// Writes a run file while the run goes on.
///
/// What is to be written is handed to a thread of its own, which writes it in the order given. At most a few frames and checkpoints wait;
/// who hands over more is held up, so that a slow disk costs time and not memory. A write that fails is thrown at the next call, by
/// `write_report` after a second at most. Only that thread may use HDF5 between the first call and the return of `finish`.

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "record/run_writer.h"

namespace talus::record {

template <int Dim>
class BackgroundWriter {
public:
    explicit BackgroundWriter(RunWriter<Dim> writer);
    /// Writes what waits.
    ~BackgroundWriter();

    // As those of RunWriter; reports reach the file within a second, for who follows the run.
    void write_frame(Snapshot<Dim> snapshot, std::string observables_json = {});
    void write_report(const StepReport& report, std::span<const WallImpulse> walls);
    /// `save` gives the bytes to a sink. Those of a large world wait for the disk a few pieces at a time, and `save` with them.
    void write_checkpoint(std::int64_t step, double time, const std::function<void(const ByteSink&)>& save);
    /// Returns when all is in the file.
    void finish(const std::string& state, double time, const std::string& observables_json, const std::string& summary_json);

    /// Those that wait included.
    [[nodiscard]] std::uint64_t frames() const;

private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

extern template class BackgroundWriter<2>;
extern template class BackgroundWriter<3>;

}  // namespace talus::record

#pragma once
/// \file
/// The measurements of a run, one after the other: shows those with a memory what they ask for, measures
/// frames, and puts memories into bytes for a checkpoint. The same object serves a running world
/// (`after_step`, `at_frame`) and a run file (`see_report`, `wants`, `at_frame`).

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "observe/registry.h"

namespace talus::observe {

template <int Dim>
class Observers {
public:
    /// \throws InputError on an unknown observable or parameter.
    explicit Observers(const std::vector<Spec>& specs, bool only_frames = false);

    /// The world has made a step. Takes a snapshot only if one of the memories asks for it.
    void after_step(const World<Dim>& world, const StepReport& report);
    /// A frame: shown to the memories that want it, then measured. A step is shown and measured once: the
    /// same step again gives the same results.
    [[nodiscard]] std::vector<Result> at_frame(const Snapshot<Dim>& snapshot);

    /// Results of `at_frame` without the tables of observables with a memory, which grow with the run: what is
    /// worth storing at every frame.
    [[nodiscard]] std::vector<Result> without_growing_tables(std::vector<Result> results) const;

    [[nodiscard]] bool wants_reports() const;
    void see_report(const StepReport& report);
    /// Would a memory look at a frame of this time and step?
    [[nodiscard]] bool wants(double time, std::int64_t step, double h) const;

    [[nodiscard]] std::vector<std::byte> save() const;
    /// \throws IoError when the bytes belong to other observables.
    void load(std::span<const std::byte> bytes);

private:
    struct Slot {
        Measurement<Dim> measurement;
        std::int64_t seen = -1;   ///< last step that was shown
    };
    void show(Slot& slot, const Snapshot<Dim>& snapshot, const Moment& moment);

    std::vector<Slot> slots_;
    std::vector<Result> measured_;      ///< at `measured_step_`
    std::int64_t measured_step_ = -1;
    bool only_frames_;
};

extern template class Observers<2>;
extern template class Observers<3>;

}  // namespace talus::observe

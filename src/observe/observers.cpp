#include "observe/observers.h"

namespace talus::observe {

template <int Dim>
Observers<Dim>::Observers(const std::vector<Spec>& specs, bool only_frames) : only_frames_(only_frames) {
    for (const Spec& spec : specs) slots_.push_back({prepare<Dim>(spec)});
}

template <int Dim>
void Observers<Dim>::show(Slot& slot, const Snapshot<Dim>& snapshot, const Moment& moment) {
    slot.measurement.memory()->see(snapshot, moment);
    slot.seen = moment.step;
}

template <int Dim>
void Observers<Dim>::after_step(const World<Dim>& world, const StepReport& report) {
    see_report(report);
    const Moment moment{world.time(), world.steps(), world.settings().step, false, only_frames_};
    std::optional<Snapshot<Dim>> taken;
    for (Slot& slot : slots_) {
        if (!slot.measurement.memory() || !slot.measurement.memory()->wants(moment)) continue;
        if (!taken) taken = take_snapshot(world);
        show(slot, *taken, moment);
    }
}

template <int Dim>
std::vector<Result> Observers<Dim>::at_frame(const Snapshot<Dim>& snapshot) {
    if (snapshot.step == measured_step_) return measured_;
    const Moment moment{snapshot.time, snapshot.step, snapshot.h, true, only_frames_};
    std::vector<Result> results;
    for (Slot& slot : slots_) {
        const Memory<Dim>* memory = slot.measurement.memory();
        if (memory && slot.seen != moment.step && memory->wants(moment)) show(slot, snapshot, moment);
        results.push_back(slot.measurement(snapshot));
    }
    measured_step_ = snapshot.step;
    return measured_ = results;
}

template <int Dim>
std::vector<Result> Observers<Dim>::without_growing_tables(std::vector<Result> results) const {
    for (std::size_t k = 0; k < slots_.size(); ++k)
        if (slots_[k].measurement.memory()) results[k].tables.clear();
    return results;
}

template <int Dim>
bool Observers<Dim>::wants_reports() const {
    for (const Slot& slot : slots_)
        if (slot.measurement.memory() && slot.measurement.memory()->wants_reports()) return true;
    return false;
}

template <int Dim>
void Observers<Dim>::see_report(const StepReport& report) {
    for (Slot& slot : slots_)
        if (slot.measurement.memory()) slot.measurement.memory()->see_report(report);
}

template <int Dim>
bool Observers<Dim>::wants(double time, std::int64_t step, double h) const {
    const Moment moment{time, step, h, true, only_frames_};
    for (const Slot& slot : slots_)
        if (slot.measurement.memory() && slot.measurement.memory()->wants(moment)) return true;
    return false;
}

template <int Dim>
std::vector<std::byte> Observers<Dim>::save() const {
    ByteWriter out;
    for (const Slot& slot : slots_) {
        if (!slot.measurement.memory()) continue;
        out.put(slot.seen);
        slot.measurement.memory()->save(out);
    }
    return out.take();
}

template <int Dim>
void Observers<Dim>::load(std::span<const std::byte> bytes) {
    ByteReader in(bytes);
    for (Slot& slot : slots_) {
        if (!slot.measurement.memory()) continue;
        slot.seen = in.get<std::int64_t>();
        slot.measurement.memory()->load(in);
    }
    if (!in.at_end()) throw IoError("checkpoint does not fit: it was made with other observables");
}

template class Observers<2>;
template class Observers<3>;

}  // namespace talus::observe

#include "totals.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <type_traits>

#include "talus/error.h"

namespace talus::cli {
namespace {

constexpr std::uint64_t kMark = 0x32534c4154554c41ULL;  // "ALUTALS2": raise the digit with the struct

static_assert(std::is_trivially_copyable_v<Totals>);

/// Mark, totals, size of what observables remember.
constexpr std::ptrdiff_t kHead = sizeof(kMark) + sizeof(Totals) + sizeof(std::uint64_t);

void add_ledger(EnergyLedger& sum, const EnergyLedger& step) {
    sum.kinetic = step.kinetic;
    sum.potential = step.potential;
    sum.drive_work += step.drive_work;
    sum.load_work += step.load_work;
    sum.impact += step.impact;
    sum.friction += step.friction;
    sum.correction += step.correction;
    sum.rotation += step.rotation;
    sum.created += step.created;
    sum.removed += step.removed;
    sum.frozen += step.frozen;
    sum.residual += step.residual;
}

}  // namespace

void Totals::add(const StepReport& r, bool demands_tolerance) {
    if (r.law.mean > law_error || law_error_step == 0) law_error_step = r.step;
    law_error = std::max(law_error, r.law.mean);
    law_error_max = std::max(law_error_max, r.law.max);
    if (!r.converged) {
        ++steps_over_tolerance;
        if (demands_tolerance && demanded_misses++ == 0) first_demanded_miss = r.step;
    }
    steps_with_gain += r.energy_gained ? 1 : 0;
    updates += r.updates;
    largest_energy = std::max(largest_energy, r.energy.kinetic + std::abs(r.energy.potential));
    largest_residual = std::max(largest_residual, std::abs(r.energy.residual));
    add_ledger(energy, r.energy);
    momentum_residual = std::max(momentum_residual, r.momentum_residual);
    max_overlap = std::max(max_overlap, r.max_overlap);
    overlap_sum += r.mean_overlap * static_cast<double>(r.contacts);
    contact_steps += r.contacts;
    contacts = r.contacts;
    bodies = r.bodies;
}

double Totals::energy_residual() const { return largest_residual > 0.0 ? largest_residual / largest_energy : 0.0; }

double Totals::mean_overlap() const {
    return contact_steps > 0 ? overlap_sum / static_cast<double>(contact_steps) : 0.0;
}

void Clocks::add(const StepReport& r) {
    stages.predict += r.seconds.predict;
    stages.pair += r.seconds.pair;
    stages.touch += r.seconds.touch;
    stages.gather += r.seconds.gather;
    stages.solve += r.seconds.solve;
    stages.finish += r.seconds.finish;
    updates += r.updates;
}

std::vector<std::byte> pack(const Totals& totals, std::span<const std::byte> observers) {
    const std::uint64_t size = observers.size();
    std::vector<std::byte> bytes(kHead + observers.size());
    std::memcpy(bytes.data(), &kMark, sizeof(kMark));
    std::memcpy(bytes.data() + sizeof(kMark), &totals, sizeof(Totals));
    std::memcpy(bytes.data() + sizeof(kMark) + sizeof(Totals), &size, sizeof(size));
    std::copy(observers.begin(), observers.end(), bytes.begin() + kHead);
    return bytes;
}

Unpacked unpack(std::span<const std::byte> bytes, Totals& totals) {
    std::uint64_t mark = 0, size = 0;
    if (bytes.size() >= static_cast<std::size_t>(kHead)) std::memcpy(&mark, bytes.data(), sizeof(mark));
    if (mark != kMark) throw IoError("the checkpoint was written by another version of talus");
    std::memcpy(static_cast<void*>(&totals), bytes.data() + sizeof(kMark), sizeof(Totals));
    std::memcpy(&size, bytes.data() + sizeof(kMark) + sizeof(Totals), sizeof(size));
    if (size > bytes.size() - static_cast<std::size_t>(kHead)) throw IoError("checkpoint is damaged: it ends too early");
    return {bytes.subspan(kHead, size), bytes.subspan(kHead + size)};
}

}  // namespace talus::cli

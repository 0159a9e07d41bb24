#include "bench/kernel.h"

#include <algorithm>
#include <limits>

#include "parallel/threads.h"
#include "solve/solver_registry.h"
#include "step/next_problem.h"
#include "talus/error.h"

namespace talus::bench {
namespace {

constexpr int rounds_at_least = 3;

Kernel kernel_of(const std::string& variant) {
    return variant == "scalar" ? Kernel::scalar : variant == "simd" ? Kernel::avx2 : Kernel::fused;
}

SolverSettings sweep_settings(const std::string& variant, int sweeps) {
    SolverSettings settings;
    settings.name = "nlgs";
    settings.tolerance = 0.0;
    settings.max_sweeps = sweeps;
    settings.kernel = kernel_of(variant);
    return settings;
}

/// Shortest times of one variant on one packing.
struct Timing {
    std::string variant;
    Threads threads;
    double one = std::numeric_limits<double>::infinity();    // a solve of one sweep [s]
    double many = std::numeric_limits<double>::infinity();   // a solve of all sweeps [s]
};

/// One packing, solved again and again from the same impulses.
class Packed {
public:
    Packed(const Block<3>& block, std::size_t bodies, std::uint64_t seed) {
        World<3> world = tile(block, tiling_for(bodies, block), seed);
        bodies_ = world.size() - 1;  // without the floor
        tilt_gravity(world);
        problem_ = next_contact_problem(world);
        start_ = problem_.balls;
    }
    [[nodiscard]] std::size_t bodies() const { return bodies_; }
    [[nodiscard]] std::size_t contacts() const { return problem_.contacts(); }

    /// Seconds of one solve: of the processor for one thread, which a busy machine does not stretch; else of the clock.
    double solve(const Timing& timing, int sweeps) {
        const SolverSettings settings = sweep_settings(timing.variant, sweeps);
        problem_.balls = start_;
        problem_.threads = &timing.threads;
        const auto solver = solver_registry().make<3>(settings.name);
        const auto now = timing.threads.count() == 1 ? cpu_seconds : seconds_now;
        const double begin = now();
        static_cast<void>(solver->solve(problem_, settings));
        return now() - begin;
    }

private:
    std::size_t bodies_ = 0;
    ContactProblem<3> problem_;
    BallContacts<3> start_;
};

/// Time is counted by the processor: what the machine gives to others shortens no measurement.
void measure_size(Packed& packed, const KernelOptions& options, std::vector<Timing>& timings, std::vector<RoofProbe>& probes) {
    double spent = 0.0, next_probe = 0.0;
    const double enough = options.seconds * static_cast<double>(timings.size());
    for (int round = 0; round < rounds_at_least || spent < enough; ++round) {
        const double begin = cpu_seconds();
        for (Timing& timing : timings) {
            timing.many = std::min(timing.many, packed.solve(timing, options.sweeps));
            timing.one = std::min(timing.one, packed.solve(timing, 1));
        }
        spent += cpu_seconds() - begin;
        // A probe takes longer than a solve of a small packing: ten of them, spread over the time.
        if (spent < next_probe) continue;
        next_probe = spent + 0.1 * enough;
        for (RoofProbe& probe : probes) probe.measure();
    }
}

std::vector<Timing> combinations(const std::vector<std::string>& variants, const std::vector<int>& threads) {
    std::vector<Timing> timings;
    for (const std::string& variant : variants)
        for (const int count : threads) timings.push_back({.variant = variant, .threads = Threads(count)});
    return timings;
}

std::vector<std::string> chosen_variants(const KernelOptions& options) {
    const auto known = kernel_variants();
    for (const std::string& variant : options.variants) {
        if (std::find(known.begin(), known.end(), variant) != known.end()) continue;
        std::string list;
        for (const std::string& name : known) list += (list.empty() ? "" : ", ") + name;
        throw InputError("bench kernel: no variant '" + variant + "' on this machine; there is " + list);
    }
    return options.variants.empty() ? known : options.variants;
}

std::vector<int> chosen_threads(const KernelOptions& options) {
    const int most = most_sweep_threads();
    if (options.threads.empty()) return most > 1 ? std::vector{1, 2} : std::vector{1};
    for (const int count : options.threads)
        if (count < 1 || count > most)
            throw InputError("bench kernel: " + std::to_string(count) + " threads; a sweep uses 1 to " + std::to_string(most));
    return options.threads;
}

void check(const KernelOptions& options) {
    if (options.bodies.empty()) throw InputError("bench kernel: --bodies needs at least one number");
    for (const std::size_t bodies : options.bodies)
        if (bodies == 0) throw InputError("bench kernel: --bodies must be above 0");
    if (options.sweeps < 2) throw InputError("bench kernel: --sweeps must be at least 2");
    if (!(options.seconds >= 0.0)) throw InputError("bench kernel: --seconds must be 0 or above");
    if (!(options.settle > 0.0)) throw InputError("bench kernel: --settle must be above 0");
}

double roof_for(const std::vector<Roof>& roofs, int threads) {
    for (const Roof& roof : roofs)
        if (roof.threads == threads) return roof.updates();
    return std::numeric_limits<double>::quiet_NaN();
}

}  // namespace

std::vector<std::string> kernel_variants() {
    std::vector<std::string> variants = {"scalar"};
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx2")) variants.emplace_back("simd");
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) variants.emplace_back("fused");
#endif
    return variants;
}

int most_sweep_threads() { return available_processors(); }

KernelResult measure_kernel(const KernelOptions& options, const std::function<void(const std::string&)>& say) {
    check(options);
    const auto variants = chosen_variants(options);
    const auto threads = chosen_threads(options);
    std::vector<RoofProbe> probes;
    probes.emplace_back(1);
    for (const int count : threads)
        if (count != 1) probes.emplace_back(count);
    KernelResult result;
    say("a block of 1000 spheres settles");
    result.block = settle_block<3>({.duration = options.settle, .seed = options.seed});
    for (const std::size_t bodies : options.bodies) {
        say(std::to_string(bodies) + " spheres");
        Packed packed(result.block, bodies, options.seed);
        auto timings = combinations(variants, threads);
        measure_size(packed, options, timings, probes);
        for (const Timing& timing : timings) {
            const double updates = static_cast<double>(options.sweeps - 1) * static_cast<double>(packed.contacts());
            result.rows.push_back({packed.bodies(), packed.contacts(), timing.variant, timing.threads.count(),
                                   updates / std::max(timing.many - timing.one, 1e-9), 0.0});
        }
    }
    for (const RoofProbe& probe : probes) result.roofs.push_back(probe.best());
    for (KernelRow& row : result.rows) row.roof_fraction = row.updates_per_second / roof_for(result.roofs, row.threads);
    return result;
}

}  // namespace talus::bench

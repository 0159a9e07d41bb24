#include "bench/growth.h"

#include <algorithm>
#include <cmath>

#include "bench/roof.h"
#include "solve/solver_registry.h"
#include "talus/error.h"

namespace talus::bench {
namespace {

constexpr int steps_at_least = 3;
constexpr int steps_tilted = 5;   // the same few for every size, since later ones find less and less to do

/// A step and the processor time that it took: one thread, which a busy machine does not stretch.
struct TimedStep {
    StepReport report;
    double seconds = 0.0;
};

/// The fastest of the steps made until `seconds` have passed in them.
template <int Dim>
TimedStep fastest_step(World<Dim>& world, double seconds) {
    TimedStep best;
    double spent = 0.0;
    for (int k = 0; k < steps_at_least || spent < seconds; ++k) {
        const double begin = cpu_seconds();
        const StepReport report = world.step();
        const double took = cpu_seconds() - begin;
        spent += took;
        if (k == 0 || took < best.seconds) best = {report, took};
    }
    return best;
}

template <int Dim>
void time_fixed_sweeps(World<Dim>& world, const GrowthOptions& options, GrowthRow& row) {
    Settings<Dim> settings = world.settings();
    settings.solver.tolerance = 0.0;
    settings.solver.max_sweeps = options.sweeps;
    world.set_settings(settings);
    const auto [report, seconds] = fastest_step(world, options.seconds);
    row.contacts = static_cast<std::size_t>(report.contacts);
    row.stages = report.seconds;
    row.step_seconds = seconds;
}

template <int Dim>
World<Dim> tiled_world(const Block<Dim>& block, std::size_t bodies, const GrowthOptions& options) {
    World<Dim> world = tile(block, tiling_for(bodies, block), options.seed);
    Settings<Dim> settings = world.settings();
    settings.solver = SolverSettings{};
    settings.solver.name = options.solver;
    world.set_settings(settings);
    return world;
}

/// Steps after gravity has tilted.
struct TiltedSteps {
    double detect = 0.0, total = 0.0, sweeps = 0.0;
};

template <int Dim>
TiltedSteps time_tilted(World<Dim>& world) {
    world.step();
    world.step();  // buffers have their size, caches are full
    tilt_gravity(world);
    TiltedSteps sum;
    for (int k = 0; k < steps_tilted; ++k) {
        const StepReport report = world.step();
        sum.detect += report.seconds.detect();
        sum.total += report.seconds.total();
        sum.sweeps += static_cast<double>(report.sweeps);
    }
    return sum;
}

/// The same steps again and again until they have taken `seconds`: the fastest time was disturbed least.
template <int Dim>
TiltedSteps fastest_tilted(World<Dim>&& world, double seconds, TiltedSteps best) {
    const Settings<Dim> upright = world.settings();
    const std::vector<std::byte> start = world.checkpoint();
    for (double spent = 0.0; spent < seconds;) {
        world.set_settings(upright);
        world.restore(start);
        const TiltedSteps here = time_tilted(world);
        spent += here.total;
        if (here.total < best.total) best = here;
    }
    return best;
}

template <int Dim>
GrowthRow measure_size(const Block<Dim>& block, std::size_t bodies, const GrowthOptions& options) {
    GrowthRow row;
    TiltedSteps tilted;
    {
        World<Dim> world = tiled_world(block, bodies, options);
        row.bodies = world.size() - 1;  // without the floor
        tilted = time_tilted(world);
        time_fixed_sweeps(world, options, row);
        row.bytes_per_body = static_cast<double>(world.bytes()) / static_cast<double>(row.bodies);
        row.peak_bytes = static_cast<double>(peak_resident_bytes());
    }
    // In a world of its own, so that what it takes is not counted above.
    if (tilted.total < options.seconds) tilted = fastest_tilted(tiled_world(block, bodies, options), options.seconds - tilted.total, tilted);
    row.sweeps_tilted = tilted.sweeps / steps_tilted;
    row.seconds_tilted = tilted.total / steps_tilted;
    row.detect_share_tilted = tilted.detect / tilted.total;
    return row;
}

void check(const GrowthOptions& options) {
    for (const std::size_t bodies : options.bodies)
        if (bodies == 0) throw InputError("bench growth: --bodies must be above 0");
    if (options.sweeps < 1) throw InputError("bench growth: --sweeps must be at least 1");
    if (!(options.seconds >= 0.0)) throw InputError("bench growth: --seconds must be 0 or above");
    if (!(options.settle > 0.0)) throw InputError("bench growth: --settle must be above 0");
    if (!(options.friction >= 0.0)) throw InputError("bench growth: --friction must be 0 or above");
    static_cast<void>(solver_registry().make<3>(options.solver));  // throws when there is none
}

std::vector<std::size_t> sizes_of(const GrowthOptions& options) {
    std::vector<std::size_t> sizes = options.bodies;
    if (sizes.empty()) sizes = {1'000, 10'000};
    if (options.bodies.empty() && are_balls(options.grains)) sizes.insert(sizes.end(), {100'000, 1'000'000});
    std::sort(sizes.begin(), sizes.end());  // so that the largest memory so far is that of the size
    return sizes;
}

template <int Dim>
std::vector<GrowthRow> measure_sizes(const BlockSpec& spec, const GrowthOptions& options, const std::function<void(const std::string&)>& say) {
    say("a block of 1000 grains settles");
    const Block<Dim> block = settle_block<Dim>(spec);
    std::vector<GrowthRow> rows;
    for (const std::size_t bodies : sizes_of(options)) {
        say(std::to_string(bodies) + " grains");
        rows.push_back(measure_size<Dim>(block, bodies, options));
    }
    return rows;
}

}  // namespace

double log_slope(const std::vector<double>& x, const std::vector<double>& y) {
    double n = 0, sx = 0, sy = 0, sxx = 0, sxy = 0;
    for (std::size_t k = 0; k < x.size(); ++k) {
        const double u = std::log(x[k] / x[0]), v = std::log(y[k] / y[0]);
        n += 1, sx += u, sy += v, sxx += u * u, sxy += u * v;
    }
    const double spread = n * sxx - sx * sx;
    return spread > 0.0 ? (n * sxy - sx * sy) / spread : 0.0;
}

GrowthResult measure_growth(const GrowthOptions& options, const std::function<void(const std::string&)>& say) {
    check(options);
    GrowthResult result;
    const bool plane = options.grains == Grains::disks || options.grains == Grains::polygons;
    // As many grains in the plane: fifty side by side, twenty deep.
    if (plane) result.rows = measure_sizes<2>({options.grains, 50, 20, options.settle, options.seed, options.friction}, options, say);
    else result.rows = measure_sizes<3>({options.grains, 10, 10, options.settle, options.seed, options.friction}, options, say);
    std::vector<double> x, y;
    for (const GrowthRow& row : result.rows) {
        x.push_back(static_cast<double>(row.bodies));
        y.push_back(row.step_seconds);
    }
    result.slope = log_slope(x, y);
    return result;
}

}  // namespace talus::bench

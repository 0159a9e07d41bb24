/// \file
/// Does a large number of spheres settle in a box without a fault, how long does it take and how much
/// memory? Spheres fall from a loose lattice into a square box with walls and come to rest; the
/// forces on the floor and the walls must then carry the weight.

#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <limits>
#include <nlohmann/json.hpp>
#include <random>

#include "bench/packing.h"
#include "bench/roof.h"

namespace {

using namespace talus;
using nlohmann::json;

struct Options {
    std::size_t bodies = 100'000;
    double across = 46.0;          // width of the box, in diameters
    double duration = 0.5;         // [s]
    double step = 1e-3;            // [s]
    double tolerance = 1e-2;       // on law_error while settling
    int max_sweeps = 100;
    std::string solver = "nlgs";   // a file of src/solve
    std::string rule = "gap";      // which contacts count: gap or moreau
    std::uint64_t seed = 1;
    int threads = 1;
    std::string json_file;
};

World<3> fill_box(const Options& options) {
    Settings<3> settings;
    settings.gravity = {0.0, 0.0, -bench::gravity};
    settings.step = options.step;
    settings.rule = options.rule == "gap" ? ContactRule::gap : ContactRule::moreau;
    settings.solver.name = options.solver;
    settings.solver.tolerance = options.tolerance;
    settings.solver.max_sweeps = options.max_sweeps;
    World<3> world(settings);
    world.set_threads(options.threads);
    const MaterialId grain = world.add_material("grain");
    world.set_law(grain, grain, {"coulomb", bench::usual_friction, 0.0, 0.0});
    const double width = options.across * bench::diameter;
    world.add_boundary({.shape = {"plane", {0.0, 0.0, 1.0}}, .material = grain});
    world.add_boundary({.shape = {"box_inside", {width, width, std::numeric_limits<double>::infinity()}},
                        .material = grain});

    std::mt19937_64 random(options.seed);
    std::uniform_real_distribution<double> size(0.45 * bench::diameter, 0.55 * bench::diameter);
    std::uniform_real_distribution<double> speed(-0.1, 0.1);  // [m/s]
    const double spacing = 1.12 * bench::diameter;
    const auto row = static_cast<std::size_t>(width / spacing);
    const double first = 0.5 * spacing * (1.0 - static_cast<double>(row));
    for (std::size_t n = 0; n < options.bodies; ++n)
        world.add_ball({.position = {first + spacing * static_cast<double>(n % row),
                                     first + spacing * static_cast<double>(n / row % row),
                                     spacing * (0.6 + static_cast<double>(n / (row * row)))},
                        .radius = size(random),
                        .density = bench::density,
                        .material = grain,
                        .velocity = {speed(random), speed(random), speed(random)}});
    return world;
}

/// What the run showed.
struct Outcome {
    StepReport last;
    double seconds = 0.0, detect = 0.0, solve = 0.0, total = 0.0;
    StepTimes stages;
    std::int64_t rebuilt = 0;
    double updates = 0.0, sweeps = 0.0;
    std::int64_t capped = 0;
    double energy_residual = 0.0, momentum_residual = 0.0;
};

void add(Outcome& outcome, const StepReport& report) {
    outcome.detect += report.seconds.detect();
    outcome.solve += report.seconds.solve;
    outcome.total += report.seconds.total();
    outcome.stages.predict += report.seconds.predict;
    outcome.stages.pair += report.seconds.pair;
    outcome.stages.touch += report.seconds.touch;
    outcome.stages.gather += report.seconds.gather;
    outcome.stages.solve += report.seconds.solve;
    outcome.stages.finish += report.seconds.finish;
    outcome.rebuilt += report.rebuilt ? 1 : 0;
    outcome.updates += static_cast<double>(report.updates);
    outcome.sweeps += static_cast<double>(report.sweeps);
    outcome.capped += report.converged ? 0 : 1;
    const double energy = std::abs(report.energy.kinetic) + std::abs(report.energy.potential);
    if (energy > 0.0)
        outcome.energy_residual = std::max(outcome.energy_residual, std::abs(report.energy.residual) / energy);
    outcome.momentum_residual = std::max(outcome.momentum_residual, report.momentum_residual);
    outcome.last = report;
}

Outcome settle(World<3>& world, const Options& options) {
    const auto start = std::chrono::steady_clock::now();
    Outcome outcome;
    double next = 0.0;
    while (world.time() < options.duration) {
        add(outcome, world.step());
        if (world.time() < next) continue;
        next += 0.1 * options.duration;
        fmt::print("t {:.3f} s  contacts {:>7}  sweeps {:>4}  law error {:.1e}  kinetic {:.2e} J  max overlap {:.1e}\n",
                   outcome.last.time, outcome.last.contacts, outcome.last.sweeps, outcome.last.law.mean,
                   outcome.last.energy.kinetic, outcome.last.max_overlap);
        std::fflush(stdout);
    }
    outcome.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    return outcome;
}

json judge(const World<3>& world, const Outcome& outcome, const Options& options) {
    double weight = 0.0, carried = 0.0;
    std::size_t escaped = 0;
    const double half = 0.5 * options.across * bench::diameter;
    for (std::size_t i = 0; i < world.size(); ++i) {
        if (!world.is_ball(i)) {
            carried -= world.contact_impulse(world.ids()[i]).z() / options.step;
            continue;
        }
        weight += world.masses()[i] * bench::gravity;
        const Vec<3> x = world.positions()[i];
        if (!x.allFinite() || std::abs(x.x()) > half || std::abs(x.y()) > half || x.z() < 0.0) ++escaped;
    }
    const double scale = weight * bench::diameter;
    return {{"benchmark", "settle"},
            {"bodies", options.bodies},
            {"rule", options.rule},
            {"solver", options.solver},
            {"step", options.step},
            {"steps", outcome.last.step},
            {"tolerance", options.tolerance},
            {"contacts", outcome.last.contacts},
            {"seconds", outcome.seconds},
            {"cpu_seconds", bench::cpu_seconds()},
            {"seconds_detect", outcome.detect},
            {"seconds_solve", outcome.solve},
            {"detect_share", outcome.detect / outcome.total},
            {"seconds_by_stage",
             {{"predict", outcome.stages.predict}, {"pair", outcome.stages.pair}, {"touch", outcome.stages.touch},
              {"gather", outcome.stages.gather}, {"solve", outcome.stages.solve}, {"finish", outcome.stages.finish}}},
            {"candidate_lists", outcome.rebuilt},
            {"threads", options.threads},
            {"hash", fmt::format("{:016x}", world.hash())},
            {"contact_updates_per_second", outcome.updates / outcome.solve},
            {"mean_sweeps", outcome.sweeps / static_cast<double>(outcome.last.step)},
            {"steps_over_tolerance", outcome.capped},
            {"law_error", outcome.last.law.mean},
            {"law_error_max", outcome.last.law.max},
            {"energy_residual", outcome.energy_residual},
            {"momentum_residual", outcome.momentum_residual},
            {"kinetic_energy_over_nmgd", outcome.last.energy.kinetic / scale},
            {"max_overlap", outcome.last.max_overlap},
            {"mean_overlap", outcome.last.mean_overlap},
            {"carried_over_weight", carried / weight},
            {"escaped", escaped},
            {"world_bytes", world.bytes()},
            {"peak_resident_bytes", bench::peak_resident_bytes()}};
}

}  // namespace

int main(int argc, char** argv) {
    Options options;
    CLI::App app{"Spheres settle in a box: time, memory, and whether the walls carry the weight"};
    app.add_option("--bodies", options.bodies, "number of spheres");
    app.add_option("--across", options.across, "width of the box, in diameters");
    app.add_option("--duration", options.duration, "simulated time [s]");
    app.add_option("--step", options.step, "time step [s]");
    app.add_option("--tolerance", options.tolerance, "on law_error");
    app.add_option("--max-sweeps", options.max_sweeps, "cap on sweeps of a step");
    app.add_option("--solver", options.solver, "a solver of talus");
    app.add_option("--rule", options.rule, "which contacts count")->check(CLI::IsMember({"gap", "moreau"}));
    app.add_option("--seed", options.seed, "of sizes and first velocities");
    app.add_option("--threads", options.threads, "threads to compute with");
    app.add_option("--json", options.json_file, "file for the numbers");
    CLI11_PARSE(app, argc, argv);

    World<3> world = fill_box(options);
    const Outcome outcome = settle(world, options);
    const json result = judge(world, outcome, options);
    fmt::print("\n");
    for (const auto& [name, value] : result.items()) fmt::print("{:>28}  {}\n", name, value.dump());
    fmt::print("{}\n", result.dump());
    if (!options.json_file.empty()) std::ofstream(options.json_file) << result.dump(2) << '\n';
    const bool sound = result["escaped"] == 0 && std::isfinite(outcome.last.energy.kinetic);
    return sound ? 0 : 1;
}

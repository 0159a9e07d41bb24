/// \file
/// How fast is the plain scalar sweep, what does detection cost, how much memory does a body take,
/// and how does the cost of a step grow with the number of bodies?
///
/// Settled packings of 1k to 1M spheres (see packing.h). For each: steps with a fixed number of
/// sweeps give the rate and the growth; steps at the default tolerance under gravity tilted by two
/// degrees, so that contacts have work to do, give the share of detection. The memory roof is
/// measured in the same run, before and after, because other jobs share the machine's memory.

#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <nlohmann/json.hpp>
#include <vector>

#include "memory_roof.h"
#include "packing.h"

namespace {

using namespace talus;
using nlohmann::json;

struct Options {
    std::vector<std::size_t> sizes = {1'000, 10'000, 100'000, 1'000'000};
    int sweeps = 50;             // of the steps that are timed
    double seconds = 3.0;        // spent on the timed steps of each size, three steps at least
    double settle = 0.6;         // simulated time in which the block settles [s]
    std::uint64_t seed = 1;
    std::string json_file;
};

/// What one size showed. Rates are those of the fastest step: other jobs only ever slow one down.
struct Case {
    std::size_t bodies = 0, contacts = 0;
    double bytes_per_body = 0.0, bytes_per_contact = 0.0;
    double updates_per_second = 0.0, median_updates_per_second = 0.0;
    double step_seconds = 0.0;           // with the fixed number of sweeps
    double detect_share_fixed = 0.0;     // of those steps
    double sweeps_at_rest = 0.0;         // of the very first step, from the block's impulses
    double detect_share = 0.0;           // of steps at the default tolerance
    double sweeps_at_tolerance = 0.0, seconds_at_tolerance = 0.0, law_error = 0.0;
};

/// Steps until `seconds` have passed in the steps themselves, three at least.
std::vector<StepReport> steps_for(World<3>& world, double seconds) {
    std::vector<StepReport> reports;
    double spent = 0.0;
    while (reports.size() < 3 || spent < seconds) {
        reports.push_back(world.step());
        spent += reports.back().seconds.total();
    }
    return reports;
}

double median(std::vector<double> values) {
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::nth_element(values.begin(), middle, values.end());
    return *middle;
}

double detect_share(const std::vector<StepReport>& reports) {
    double detect = 0.0, total = 0.0;
    for (const StepReport& report : reports) {
        detect += report.seconds.detect();
        total += report.seconds.total();
    }
    return detect / total;
}

void time_fixed_sweeps(World<3>& world, const Options& options, Case& result) {
    Settings<3> settings = world.settings();
    settings.solver.tolerance = 0.0;
    settings.solver.max_sweeps = options.sweeps;
    world.set_settings(settings);
    const auto reports = steps_for(world, options.seconds);
    std::vector<double> rates, seconds;
    for (const StepReport& report : reports) {
        rates.push_back(static_cast<double>(report.updates) / report.seconds.solve);
        seconds.push_back(report.seconds.total());
    }
    result.contacts = static_cast<std::size_t>(reports.back().contacts);
    result.updates_per_second = *std::max_element(rates.begin(), rates.end());
    result.median_updates_per_second = median(rates);
    result.step_seconds = *std::min_element(seconds.begin(), seconds.end());
    result.detect_share_fixed = detect_share(reports);
}

/// The same few steps for every size, since later ones find less and less to do.
void time_at_tolerance(World<3>& world, Case& result) {
    constexpr int steps = 5;
    constexpr double tilt = 2.0 * 3.14159265358979 / 180.0;
    Settings<3> settings = world.settings();
    settings.gravity = {bench::gravity * std::sin(tilt), 0.0, -bench::gravity * std::cos(tilt)};
    settings.solver = SolverSettings{};
    world.set_settings(settings);
    std::vector<StepReport> reports;
    for (int k = 0; k < steps; ++k) reports.push_back(world.step());
    double sweeps = 0.0, seconds = 0.0;
    for (const StepReport& report : reports) {
        sweeps += static_cast<double>(report.sweeps);
        seconds += report.seconds.total();
    }
    result.sweeps_at_tolerance = sweeps / steps;
    result.seconds_at_tolerance = seconds / steps;
    result.law_error = reports.back().law.mean;
    result.detect_share = detect_share(reports);
}

Case measure(const bench::Block& block, std::size_t bodies, const Options& options) {
    World<3> world = bench::tile(block, bench::tiling_for(bodies, block), options.seed);
    Case result;
    result.bodies = world.size() - 1;
    const auto bytes_of_bodies = static_cast<double>(world.bytes());
    result.sweeps_at_rest = static_cast<double>(world.step().sweeps);
    world.step();  // buffers have their size, caches are full
    time_at_tolerance(world, result);
    time_fixed_sweeps(world, options, result);
    result.bytes_per_body = bytes_of_bodies / static_cast<double>(result.bodies);
    result.bytes_per_contact =
        (static_cast<double>(world.bytes()) - bytes_of_bodies) / static_cast<double>(result.contacts);
    return result;
}

/// Slope of log(step seconds) against log(bodies), by least squares.
double growth(const std::vector<Case>& cases) {
    double n = 0, x = 0, y = 0, xx = 0, xy = 0;
    for (const Case& c : cases) {
        const double u = std::log(static_cast<double>(c.bodies)), v = std::log(c.step_seconds);
        n += 1, x += u, y += v, xx += u * u, xy += u * v;
    }
    return n > 1 ? (n * xy - x * y) / (n * xx - x * x) : 0.0;
}

void print_head(const bench::Block& block, const bench::MemoryRoof& roof) {
    fmt::print("block: {} spheres settled in {:.1f} s, kinetic energy {:.1e} N m g d, max overlap {:.1e} d\n",
               block.position.size(), block.seconds, block.kinetic_energy, block.max_overlap);
    fmt::print("memory, one core: read {:.1f} GB/s, triad {:.1f} GB/s; roof {:.0f} M updates/s at {:.0f} B\n\n",
               roof.read * 1e-9, roof.triad * 1e-9, roof.updates_per_second() * 1e-6, bench::bytes_per_update);
    fmt::print("{:>8} {:>8} {:>9} {:>9} {:>7} {:>9} {:>10} {:>8} {:>8} {:>8} {:>8}\n", "bodies", "contacts",
               "M upd/s", "median", "roof %", "ms/step", "detect %", "sweeps", "detect %", "B/body", "B/cont.");
    fmt::print("{:>8} {:>8} {:>9} {:>9} {:>7} {:>9} {:>10} {:>8} {:>8}\n", "", "", "(best)", "", "", "(fixed)",
               "(fixed)", "(1e-3)", "(1e-3)");
}

void print_row(const Case& c, const bench::MemoryRoof& roof) {
    fmt::print("{:>8} {:>8} {:>9.1f} {:>9.1f} {:>7.1f} {:>9.2f} {:>10.1f} {:>8.0f} {:>8.1f} {:>8.0f} {:>8.0f}\n",
               c.bodies, c.contacts, c.updates_per_second * 1e-6, c.median_updates_per_second * 1e-6,
               100.0 * c.updates_per_second / roof.updates_per_second(), c.step_seconds * 1e3,
               100.0 * c.detect_share_fixed, c.sweeps_at_tolerance, 100.0 * c.detect_share, c.bytes_per_body,
               c.bytes_per_contact);
    std::fflush(stdout);
}

json to_json(const Case& c, const bench::MemoryRoof& roof) {
    return {{"bodies", c.bodies},
            {"contacts", c.contacts},
            {"contact_updates_per_second", c.updates_per_second},
            {"contact_updates_per_second_median", c.median_updates_per_second},
            {"fraction_of_memory_roof", c.updates_per_second / roof.updates_per_second()},
            {"step_seconds_fixed_sweeps", c.step_seconds},
            {"detect_share_fixed_sweeps", c.detect_share_fixed},
            {"detect_share", c.detect_share},
            {"sweeps_at_rest", c.sweeps_at_rest},
            {"sweeps", c.sweeps_at_tolerance},
            {"step_seconds", c.seconds_at_tolerance},
            {"law_error", c.law_error},
            {"bytes_per_body", c.bytes_per_body},
            {"bytes_per_contact", c.bytes_per_contact}};
}

void run(const Options& options) {
    const bench::Block block = bench::settle_block(10, 10, options.settle, options.seed);
    const bench::MemoryRoof before = bench::measure_memory_roof();
    print_head(block, before);
    std::vector<Case> cases;
    json rows = json::array();
    for (const std::size_t bodies : options.sizes) {
        cases.push_back(measure(block, bodies, options));
        print_row(cases.back(), before);
        rows.push_back(to_json(cases.back(), before));
    }
    const bench::MemoryRoof after = bench::measure_memory_roof();
    const double peak = static_cast<double>(bench::peak_resident_bytes());
    fmt::print("\nstep cost grows as N^{:.2f} at {} sweeps; roof afterwards {:.0f} M updates/s; peak memory {:.2f} GB\n",
               growth(cases), options.sweeps, after.updates_per_second() * 1e-6, peak * 1e-9);
    const json result = {{"benchmark", "sweep"},
                         {"sweeps", options.sweeps},
                         {"read_bytes_per_second", before.read},
                         {"triad_bytes_per_second", before.triad},
                         {"memory_roof_updates_per_second", before.updates_per_second()},
                         {"memory_roof_updates_per_second_after", after.updates_per_second()},
                         {"growth_exponent", growth(cases)},
                         {"peak_resident_bytes", peak},
                         {"cases", rows}};
    fmt::print("{}\n", result.dump());
    if (!options.json_file.empty()) std::ofstream(options.json_file) << result.dump(2) << '\n';
}

}  // namespace

int main(int argc, char** argv) {
    Options options;
    CLI::App app{"Throughput of the sweep, share of detection, memory and growth of a step"};
    app.add_option("--sizes", options.sizes, "numbers of bodies")->delimiter(',');
    app.add_option("--sweeps", options.sweeps, "sweeps of the timed steps");
    app.add_option("--seconds", options.seconds, "time spent on the timed steps of each size [s]");
    app.add_option("--settle", options.settle, "simulated time in which the block settles [s]");
    app.add_option("--seed", options.seed, "of the packing and of the body order");
    app.add_option("--json", options.json_file, "file for the numbers");
    CLI11_PARSE(app, argc, argv);
    run(options);
    return 0;
}

// talus bench kernel|converge|growth: how fast this build is on this machine.

#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>

#include "bench/converge.h"
#include "bench/growth.h"
#include "bench/kernel.h"
#include "bench/stored_packing.h"
#include "command.h"

namespace talus::cli {
namespace {

using nlohmann::json;

/// What is being done, for people who wait: on a terminal only.
void say(const std::string& what) {
    if (::isatty(STDERR_FILENO) != 0) fmt::print(stderr, "{} ...\n", what);
}

// --- kernel -------------------------------------------------------------------------------------

json to_json(const bench::Roof& roof) {
    return {{"threads", roof.threads},
            {"read_bytes_per_second", roof.read},
            {"triad_bytes_per_second", roof.triad},
            {"flops_per_second", roof.flops},
            {"memory_updates_per_second", roof.memory_updates()},
            {"fma_updates_per_second", roof.fma_updates()}};
}

json to_json(const bench::KernelResult& result, const bench::KernelOptions& o) {
    json rows = json::array(), roofs = json::array();
    for (const auto& row : result.rows)
        rows.push_back({{"bodies", row.bodies},
                        {"contacts", row.contacts},
                        {"variant", row.variant},
                        {"threads", row.threads},
                        {"updates_per_second", row.updates_per_second},
                        {"roof_fraction", row.roof_fraction}});
    for (const auto& roof : result.roofs) roofs.push_back(to_json(roof));
    return {{"benchmark", "kernel"},
            {"sweeps", o.sweeps},
            {"bytes_per_update", bench::bytes_per_update},
            {"flops_per_update", bench::flops_per_update},
            {"block", {{"bodies", result.block.position.size()}, {"kinetic_energy_over_nmgd", result.block.kinetic_energy},
                       {"max_overlap", result.block.max_overlap}}},
            {"memory_roof", result.roofs.front().memory_updates()},
            {"fma_roof", result.roofs.front().fma_updates()},
            {"roofs", roofs},
            {"rows", rows}};
}

void print(const bench::KernelResult& result) {
    fmt::print("block: {} spheres at rest, kinetic energy {:.1e} N m g d, max overlap {:.1e} d\n", result.block.position.size(),
               result.block.kinetic_energy, result.block.max_overlap);
    for (const auto& roof : result.roofs)
        fmt::print("roof, {} thread{}: read {:.1f} GB/s, triad {:.1f} GB/s = {:.0f} M updates/s at {:.0f} B; {:.1f} Gflop/s = "
                   "{:.0f} M updates/s at {:.0f} flop\n",
                   roof.threads, roof.threads == 1 ? "" : "s", roof.read * 1e-9, roof.triad * 1e-9,
                   roof.memory_updates() * 1e-6, bench::bytes_per_update, roof.flops * 1e-9, roof.fma_updates() * 1e-6,
                   bench::flops_per_update);
    fmt::print("\n{:>8} {:>8} {:>8} {:>8} {:>12} {:>10}\n", "bodies", "contacts", "variant", "threads", "M updates/s", "of roof");
    for (const auto& row : result.rows)
        fmt::print("{:>8} {:>8} {:>8} {:>8} {:>12.1f} {:>8.1f} %\n", row.bodies, row.contacts, row.variant, row.threads,
                   row.updates_per_second * 1e-6, 100.0 * row.roof_fraction);
}

int run_kernel(const bench::KernelOptions& o, bool with_json) {
    const auto result = bench::measure_kernel(o, say);
    print(result);
    if (with_json) fmt::print("{}\n", to_json(result, o).dump());
    return kDone;
}

void add_kernel(CLI::App& parent, Action& action) {
    auto o = std::make_shared<bench::KernelOptions>();
    auto with_json = std::make_shared<bool>(false);
    CLI::App* command = parent.add_subcommand("kernel", "Contact updates a second of the sweep, against the roofs of the machine");
    command->add_option("--bodies", o->bodies, "Numbers of spheres")->delimiter(',')->capture_default_str();
    command->add_option("--variants", o->variants, "Kernels: scalar, simd, fused (default: all that this machine can run)")->delimiter(',');
    command->add_option("--threads", o->threads, "Numbers of threads (default: 1, and 2 where there are two processors)")->delimiter(',');
    command->add_option("--sweeps", o->sweeps, "Sweeps of a timed solve")->capture_default_str();
    command->add_option("--seconds", o->seconds, "Processor time spent on each row, three rounds at least [s]")->capture_default_str();
    command->add_option("--settle", o->settle, "Simulated time in which the packing settles [s]")->capture_default_str();
    command->add_option("--seed", o->seed, "Of the packing and of the order of its bodies")->capture_default_str();
    command->add_flag("--json", *with_json, "One JSON object as the last line of standard output");
    command->callback([o, with_json, &action] { action = [o, with_json] { return run_kernel(*o, *with_json); }; });
}

// --- growth -------------------------------------------------------------------------------------

json to_json(const bench::GrowthRow& row) {
    return {{"bodies", row.bodies},
            {"contacts", row.contacts},
            {"step_seconds", row.step_seconds},
            {"detect_share", row.detect_share()},
            {"seconds_predict", row.stages.predict},
            {"seconds_pair", row.stages.pair},
            {"seconds_touch", row.stages.touch},
            {"seconds_gather", row.stages.gather},
            {"seconds_solve", row.stages.solve},
            {"seconds_finish", row.stages.finish},
            {"sweeps_tilted", row.sweeps_tilted},
            {"step_seconds_tilted", row.seconds_tilted},
            {"detect_share_tilted", row.detect_share_tilted},
            {"bytes_per_body", row.bytes_per_body},
            {"peak_resident_bytes", row.peak_bytes}};
}

void print(const bench::GrowthResult& result, const bench::GrowthOptions& o) {
    fmt::print("{:>8} {:>8} {:>10} {:>8} {:>8} {:>8} {:>9} {:>9} {:>8} {:>8} {:>8}\n", "bodies", "contacts", "ms/step", "detect",
               "gather", "solve", "sweeps to", "ms/step", "detect", "bytes", "peak");
    fmt::print("{:>8} {:>8} {:>10} {:>8} {:>8} {:>8} {:>9} {:>9} {:>8} {:>8} {:>8}\n", "", "", fmt::format("{} sweeps", o.sweeps),
               "%", "%", "%", "1e-3", "tilted", "%", "a body", "GB");
    for (const auto& row : result.rows) {
        const double percent = 100.0 / row.stages.total();
        fmt::print("{:>8} {:>8} {:>10.2f} {:>8.1f} {:>8.1f} {:>8.1f} {:>9.0f} {:>9.2f} {:>8.1f} {:>8.0f} {:>8.3f}\n", row.bodies,
                   row.contacts, 1e3 * row.step_seconds, percent * row.stages.detect(), percent * row.stages.gather,
                   percent * row.stages.solve, row.sweeps_tilted, 1e3 * row.seconds_tilted, 100.0 * row.detect_share_tilted,
                   row.bytes_per_body, 1e-9 * row.peak_bytes);
    }
    if (result.rows.size() > 1) fmt::print("\na step of {} sweeps grows as N^{:.2f}\n", o.sweeps, result.slope);
}

int run_growth(const bench::GrowthOptions& o, bool with_json) {
    const auto result = bench::measure_growth(o, say);
    print(result, o);
    if (with_json) {
        json rows = json::array();
        for (const auto& row : result.rows) rows.push_back(to_json(row));
        const json all = {{"benchmark", "growth"}, {"grains", bench::name_of(o.grains)}, {"solver", o.solver}, {"sweeps", o.sweeps}, {"slope", result.slope},
                          {"peak_resident_bytes", result.rows.back().peak_bytes}, {"rows", rows}};
        fmt::print("{}\n", all.dump());
    }
    return kDone;
}

void add_growth(CLI::App& parent, Action& action) {
    auto o = std::make_shared<bench::GrowthOptions>();
    auto with_json = std::make_shared<bool>(false);
    CLI::App* command = parent.add_subcommand("growth", "Time and memory of a step against the number of bodies");
    auto grains = std::make_shared<std::string>(bench::name_of(o->grains));
    command->add_option("--grains", *grains, "spheres, disks, polygons or polyhedra")->capture_default_str();
    command->add_option("--bodies", o->bodies, "Numbers of grains (default: 1000 to a million balls, 1000 and 10 000 others)")->delimiter(',');
    command->add_option("--solver", o->solver, "A solver of talus")->capture_default_str();
    command->add_option("--sweeps", o->sweeps, "Sweeps of the timed steps")->capture_default_str();
    command->add_option("--seconds", o->seconds, "Time spent on each size, three steps at least, and as much at most on steps with gravity tilted [s]")->capture_default_str();
    command->add_option("--settle", o->settle, "Simulated time in which the packing settles [s]")->capture_default_str();
    command->add_option("--friction", o->friction, "Between the grains: the less, the more contacts a body has")->capture_default_str();
    command->add_option("--seed", o->seed, "Of the packing and of the order of its bodies")->capture_default_str();
    command->add_flag("--json", *with_json, "One JSON object as the last line of standard output");
    command->callback([o, grains, with_json, &action] {
        action = [o, grains, with_json] {
            o->grains = bench::grains_named(*grains);
            return run_growth(*o, *with_json);
        };
    });
}

// --- converge -----------------------------------------------------------------------------------

std::string cell_text(const bench::ConvergeCell& cell) {
    if (!cell.tried) return "-";
    return cell.reached ? fmt::format("{} {:.2g}s", cell.sweeps, cell.seconds) : fmt::format("({:.0e})", cell.law_error);
}

void print_heading(const bench::ConvergeOptions& o) {
    auto tolerances = o.tolerances;
    std::sort(tolerances.begin(), tolerances.end(), std::greater<>());
    fmt::print("sweeps and processor seconds to a law error ({}) of; in brackets what {} s came to\n{:<18} {:>8} {:<19}",
               o.worst ? "worst contact" : "mean", o.limit, "problem", "contacts", "solver");
    for (const double tolerance : tolerances) fmt::print(" {:>14.0e}", tolerance);
    fmt::print("\n");
}

void print_row(const bench::ConvergeRow& row) {
    fmt::print("{:<18} {:>8} {:<19}", row.problem, row.contacts, row.solver);
    for (const auto& cell : row.cells) fmt::print(" {:>14}", cell_text(cell));
    fmt::print("{}\n", row.refused.empty() ? "" : " " + row.refused);
    std::fflush(stdout);
}

json to_json(const bench::ConvergeRow& row) {
    json cells = json::array();
    for (const auto& cell : row.cells) {
        if (!cell.tried) continue;
        cells.push_back({{"tolerance", cell.tolerance},
                         {"reached", cell.reached},
                         {"sweeps", cell.sweeps},
                         {"seconds", cell.seconds},
                         {"law_error", cell.law_error},
                         {"law_error_max", cell.law_error_max}});
    }
    return {{"problem", row.problem}, {"dimension", row.dimension}, {"contacts", row.contacts},
            {"solver", row.solver}, {"refused", row.refused}, {"to", cells}};
}

int run_converge(const bench::ConvergeOptions& o, bool with_json, bool list) {
    if (list) {
        for (const auto& problem : bench::stored_problems()) fmt::print("{:<18} {}\n", problem.name, problem.what);
        return kDone;
    }
    bool headed = false;
    const auto rows = bench::measure_convergence(o, say, [&](const bench::ConvergeRow& row) {
        if (!headed) print_heading(o);
        headed = true;
        print_row(row);
    });
    if (with_json) {
        json all = json::array();
        for (const auto& row : rows) all.push_back(to_json(row));
        const json result = {{"benchmark", "converge"}, {"measure", o.worst ? "max" : "mean"}, {"limit", o.limit}, {"rows", all}};
        fmt::print("{}\n", result.dump());
    }
    return kDone;
}

void add_converge(CLI::App& parent, Action& action) {
    auto o = std::make_shared<bench::ConvergeOptions>();
    auto with_json = std::make_shared<bool>(false), list = std::make_shared<bool>(false);
    CLI::App* command = parent.add_subcommand("converge", "Sweeps and seconds of each solver to a law error, on stored packings");
    command->add_option("--solvers", o->solvers, "Solvers of talus (default: all that take friction)")->delimiter(',');
    command->add_option("--problems", o->problems, "Stored problems (default: all)")->delimiter(',');
    command->add_flag("--list", *list, "List the stored problems, solve none");
    command->add_option("--tolerances", o->tolerances, "On the law error")->delimiter(',')->capture_default_str();
    command->add_flag("--worst", o->worst, "Tolerances are on the worst contact, not on the mean");
    command->add_option("--limit", o->limit, "Time of one solve, on the clock [s]")->capture_default_str();
    command->add_option("--packings", o->folder, "Folder of the stored packings (default: " + bench::default_packing_folder() + ")");
    command->add_flag("--json", *with_json, "One JSON object as the last line of standard output");
    command->callback([o, with_json, list, &action] {
        action = [o, with_json, list] { return run_converge(*o, *with_json, *list); };
    });
}

}  // namespace

void add_bench(CLI::App& app, Action& action) {
    CLI::App* command = app.add_subcommand("bench", "Measure how fast this build is on this machine");
    command->require_subcommand(1);
    add_kernel(*command, action);
    add_converge(*command, action);
    add_growth(*command, action);
}

}  // namespace talus::cli

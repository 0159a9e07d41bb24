// talus export RUN.h5: VTP for ParaView, CSV.

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>

#include "command.h"
#include "record/export.h"
#include "talus/error.h"

namespace talus::cli {
namespace {

struct Options {
    std::string run, vtp, csv, frame = "all";
};

void print_written(const std::string& folder, const std::vector<std::string>& files) {
    for (const auto& file : files) fmt::print("{}/{}\n", folder, file);
}

int export_run(const Options& o) {
    if (o.vtp.empty() && o.csv.empty()) throw InputError("export: nothing to write; give --vtp DIR, --csv DIR or both");
    const record::RunReader run(o.run);
    const auto frames = record::choose_frames(run.info(), o.frame);
    if (!o.vtp.empty()) print_written(o.vtp, record::export_vtp(run, frames, o.vtp));
    if (!o.csv.empty()) print_written(o.csv, record::export_csv(run, frames, o.csv));
    return kDone;
}

}  // namespace

void add_export(CLI::App& app, Action& action) {
    auto o = std::make_shared<Options>();
    CLI::App* command = app.add_subcommand("export", "Write a run as VTP for ParaView, or as CSV");
    command->add_option("RUN", o->run, "Run file (run.h5)")->required();
    command->add_option("--vtp", o->vtp, "Folder for VTP files with their .pvd");
    command->add_option("--csv", o->csv, "Folder for CSV files");
    command->add_option("--frame", o->frame, "Frame number (negative: from the end), all or last [all]");
    command->callback([o, &action] { action = [o] { return export_run(*o); }; });
}

}  // namespace talus::cli

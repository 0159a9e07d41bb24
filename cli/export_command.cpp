// talus export RUN.h5: VTP for ParaView, CSV, contact problems in FCLIB form.

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>

#include "command.h"
#include "export_fclib.h"
#include "record/export.h"
#include "talus/error.h"

namespace talus::cli {
namespace {

struct Options {
    std::string run, vtp, csv, fclib, frame = "all", form = "global";
    std::vector<std::int64_t> steps;
};

void print_written(const std::string& folder, const std::vector<std::string>& files) {
    for (const auto& file : files) fmt::print("{}/{}\n", folder, file);
}

/// The steps of --step, else those that start at the frames.
void export_problems(const Options& o, const record::RunReader& run, const std::vector<std::size_t>& frames) {
    FclibExport what;
    what.folder = o.fclib;
    what.steps = o.steps;
    if (o.steps.empty()) what.frames = frames;
    what.form = o.form == "local" ? record::FclibForm::local : record::FclibForm::global;
    const auto exported = export_fclib(run, what);
    print_written(o.fclib, exported.files);
    for (const auto step : exported.without_contacts)
        fmt::print(stderr, "step {} has no contacts: no file\n", step);
}

int export_run(const Options& o) {
    if (o.vtp.empty() && o.csv.empty() && o.fclib.empty())
        throw InputError("export: nothing to write; give --vtp DIR, --csv DIR, --fclib DIR or several of them");
    if (!o.steps.empty() && o.fclib.empty()) throw InputError("export: --step goes with --fclib; frames are chosen with --frame");
    const record::RunReader run(o.run);
    const auto frames = record::choose_frames(run.info(), o.frame);
    if (!o.fclib.empty()) export_problems(o, run, frames);
    if (!o.vtp.empty()) print_written(o.vtp, record::export_vtp(run, frames, o.vtp));
    if (!o.csv.empty()) print_written(o.csv, record::export_csv(run, frames, o.csv));
    return kDone;
}

}  // namespace

void add_export(CLI::App& app, Action& action) {
    auto o = std::make_shared<Options>();
    CLI::App* command = app.add_subcommand("export", "Write a run as VTP for ParaView or as CSV, or contact problems of its steps in FCLIB form");
    command->add_option("RUN", o->run, "Run file (run.h5)")->required();
    command->add_option("--vtp", o->vtp, "Folder for VTP files with their .pvd");
    command->add_option("--csv", o->csv, "Folder for CSV files");
    command->add_option("--fclib", o->fclib, "Folder for FCLIB files: the contact problem of the step that starts at each frame");
    command->add_option("--form", o->form, "Form of those problems: global (M, H, f, w) or local (W, q) [global]")
        ->check(CLI::IsMember({"global", "local"}));
    command->add_option("--step", o->steps, "Problems of the steps that start after so many steps, instead of at frames")->delimiter(',');
    command->add_option("--frame", o->frame, "Frame number (negative: from the end), all or last [all]");
    command->callback([o, &action] { action = [o] { return export_run(*o); }; });
}

}  // namespace talus::cli

#include "outputs.h"

#include "record/export.h"
#include "view/page.h"

namespace talus::cli {

void write_outputs(const scene::RecordPlan& plan, const std::string& out) {
    const std::string run_file = out + "/run.h5";
    if (plan.csv || plan.vtp) {
        const record::RunReader run(run_file);
        if (plan.csv) record::export_csv(run, record::choose_frames(run.info(), "last"), out + "/csv");
        if (plan.vtp) record::export_vtp(run, record::choose_frames(run.info(), "all"), out + "/vtp");
    }
    view::write_report(run_file, out + "/report.html");
}

}  // namespace talus::cli

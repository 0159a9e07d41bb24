#include "record/export_fclib.h"

namespace talus::record {

template <int Dim>
FclibProblem to_fclib(const NextProblem<Dim>& next, FclibForm form, const std::string& title,
                      const std::string& description) {
    FclibProblem out;
    out.dimension = Dim;
    out.title = title;
    out.description = description;
    out.mu = next.local.mu;
    out.guess = to_stacked<Dim>(next.local.r);
    if (form == FclibForm::global) {
        out.form = FclibGlobal{next.global.M, next.global.H, next.global.f, next.global.w};
        out.math_info = "M is block-diagonal, one block a body with its free velocities and spins (world axes)";
    } else {
        out.form = FclibLocal{to_sparse<Dim>(next.local.W), to_stacked<Dim>(next.local.q)};
        out.math_info = "W is symmetric but for rounding, and positive semi-definite";
    }
    return out;
}

template FclibProblem to_fclib(const NextProblem<2>&, FclibForm, const std::string&, const std::string&);
template FclibProblem to_fclib(const NextProblem<3>&, FclibForm, const std::string&, const std::string&);

}  // namespace talus::record

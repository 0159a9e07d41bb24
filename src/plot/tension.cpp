// Does the mean stress tensor play the role of Cauchy's? Normal and tangential tension on a cut against its direction: as the
// tensor of a probing circle says, and as the forces through diameters of the circle give them (moreau2001, fig. 3). Parameters
// are those of the observable `probe`.

#include <cmath>
#include <numbers>

#include <Eigen/Dense>

#include "plot/chart.h"
#include "plot/result_figures.h"
#include "plot/results.h"

namespace talus {

namespace {

constexpr double degree = std::numbers::pi / 180.0;

/// A tension on cuts is a + b cos 2θ + c sin 2θ: found from its values at the cuts, drawn as a smooth curve.
plot::Curve sinusoid(const std::vector<double>& angle, const std::vector<double>& value, const std::string& label, const std::string& colour) {
    Eigen::Matrix3d A = Eigen::Matrix3d::Zero();
    Eigen::Vector3d b = Eigen::Vector3d::Zero();
    for (std::size_t k = 0; k < angle.size(); ++k) {
        const Eigen::Vector3d row(1.0, std::cos(2.0 * angle[k] * degree), std::sin(2.0 * angle[k] * degree));
        A += row * row.transpose();
        b += value[k] * row;
    }
    const Eigen::Vector3d c = A.ldlt().solve(b);
    plot::Curve curve{label, {}, {}, plot::CurveKind::line, colour, false};
    curve.width = 2.6;
    for (int k = 0; k <= 180; ++k) {
        curve.x.push_back(k);
        curve.y.push_back(c[0] + c[1] * std::cos(2.0 * k * degree) + c[2] * std::sin(2.0 * k * degree));
    }
    return curve;
}

std::vector<double> degrees_of(const observe::Column& column) {
    std::vector<double> values = column.values;
    for (double& v : values) {
        if (column.unit == "rad") v /= degree;
        v -= 180.0 * std::floor(v / 180.0);   // a cut has no sense of direction
    }
    return values;
}

std::string draw(const plot::FigureData& data, plot::Options& options) {
    const auto result = plot::measured(data, options, "probe", {});
    return plot::draw_tension(result, plot::read_title(options, "Tensions at t = " + observe::format_number(result.time, 4) + " s"));
}

}  // namespace

std::string plot::draw_tension(const observe::Result& result, const std::string& title) {
    const observe::Table& table = need_table(result, "diameters");
    const auto angle = degrees_of(need_column(table, "angle"));
    const observe::Column &normal = need_column(table, "normal"), &tangential = need_column(table, "tangential");
    if (angle.size() < 3) throw InputError("figure `tension`: three cuts or more are needed");
    Chart chart;
    chart.title = title;
    chart.x = {"direction of the cut [°]", false, 0.0, 180.0};
    chart.y.label = "tension [" + normal.unit + "]";
    chart.height = 360.0;
    chart.curves.push_back(sinusoid(angle, need_column(table, "tensor_normal").values, "normal, from the tensor", "#9a9a9a"));
    chart.curves.push_back(sinusoid(angle, need_column(table, "tensor_tangential").values, "tangential, from the tensor", "#c4c4c4"));
    chart.curves.push_back({"normal, through diameters", angle, normal.values, CurveKind::points, "#0072b2", false});
    chart.curves.push_back({"tangential, through diameters", angle, tangential.values, CurveKind::points, "#d55e00", false});
    if (const double rms = result.value("rms_over_pressure"); std::isfinite(rms))
        chart.notes.push_back("rms of the difference: " + observe::format_number(100.0 * rms, 3) + " % of the pressure " + observe::format_number(result.value("pressure"), 4) + " " + normal.unit);
    return draw_chart(chart);
}

void register_tension(FigureRegistry& registry) {
    registry.add("tension", {"normal and tangential tension against the direction of the cut: of the stress tensor, and through diameters", FigureRegistry::Of::frame,
                             plot::result_options({}, {{"centre", "X,Y", "of the probing circle"},
                                                       {"radius", "R", "of the probing circle"},
                                                       {"count", "N", "diameters [31]"},
                                                       {"average", "true|false", "over the frame's interval [false]"}}),
                             draw});
}

}  // namespace talus

// A probing circle among grains, the forces through it, and the cross of the principal stresses that it measures: as long as
// they are strong, along their axes (moreau2001, fig. 3, left). In the plane. Circle as in the observable `probe`; `tension`
// draws what it measures.

#include <cmath>
#include <numbers>

#include <Eigen/Eigenvalues>

#include "observe/result.h"
#include "plot/force_network.h"
#include "plot/results.h"

namespace talus {

namespace {

const std::vector<std::string> picture_keys = [] {
    std::vector<std::string> keys;
    for (const auto& option : plot::picture_options(plot::network_options()))
        if (option.name != "average") keys.push_back(option.name);
    return keys;
}();

void add_circle(plot::Drawing& drawing, plot::Point2 centre, double radius) {
    plot::Strokes circle;
    circle.colour = "#0072b2";
    circle.width = 2.2;
    circle.lines.emplace_back();
    for (int k = 0; k <= 120; ++k) {
        const double angle = k * std::numbers::pi / 60.0;
        circle.lines.front().push_back({centre.x + radius * std::cos(angle), centre.y + radius * std::sin(angle)});
    }
    drawing.strokes.push_back(std::move(circle));
}

/// Two lines through the centre; the longer one fills most of the circle.
void add_cross(plot::Drawing& drawing, plot::Point2 centre, double radius, const Mat<2>& stress) {
    const Eigen::SelfAdjointEigenSolver<Mat<2>> principal(stress);
    const double largest = principal.eigenvalues().cwiseAbs().maxCoeff();
    if (!(largest > 0.0)) return;
    plot::Strokes cross;
    cross.colour = "#b2182b";
    cross.width = 4.0;
    for (int k = 0; k < 2; ++k) {
        const Vec<2> arm = principal.eigenvectors().col(k) * (0.9 * radius * std::abs(principal.eigenvalues()[k]) / largest);
        cross.lines.push_back({{centre.x - arm.x(), centre.y - arm.y()}, {centre.x + arm.x(), centre.y + arm.y()}});
    }
    drawing.strokes.push_back(std::move(cross));
}

struct Circle {
    Vec<2> centre;   ///< [m]
    double radius;   ///< [m]
};

Circle read_circle(observe::Parameters& parameters) { return {parameters.point<2>("centre", Vec<2>::Zero()), *parameters.positive_length("radius")}; }

/// The circle of the options, or that of the scene's observable labelled `of`.
Circle circle_of(const plot::FigureData& data, plot::Options& options) {
    if (options.has("centre") && options.has("radius")) return read_circle(options);
    const std::string of = options.text("of", "");
    if (!of.empty() && data.runs && !data.runs->empty())
        for (const auto& spec : data.runs->front().names().observables) {
            observe::Parameters parameters(spec, 2);
            if ((spec.label.empty() ? spec.name : spec.label) == of && parameters.has("radius")) return read_circle(parameters);
        }
    throw InputError("figure `probe` needs the circle: centre=X,Y radius=R, or of=LABEL of an observable `probe` of the scene");
}

std::string draw(const plot::FigureData& data, plot::Options& options) {
    if (!data.plane) throw InputError("figure `probe` is for runs in the plane");
    auto look = plot::read_picture_options(options, "plain");
    const auto network = plot::read_network_options(options);
    const Circle circle = circle_of(data, options);
    const auto result = plot::measured(data, options, "probe", picture_keys);
    look.colouring.plain = "#e6ebef";
    auto picture = plot::draw_bodies(*data.plane, look, data, "Probe");
    picture.drawing.outline = "#b8c0c8";
    plot::add_network(picture, *data.plane, network);
    const plot::Point2 centre = picture.camera.at(circle.centre);
    const double radius = circle.radius * picture.camera.scale;
    if (look.region.empty()) {
        picture.drawing.x_low = centre.x - 2.0 * radius, picture.drawing.x_high = centre.x + 2.0 * radius;
        picture.drawing.y_low = centre.y - 1.7 * radius, picture.drawing.y_high = centre.y + 1.7 * radius;
    }
    add_circle(picture.drawing, centre, radius);
    Mat<2> stress;
    stress << result.value("stress_xx"), result.value("stress_xy"), result.value("stress_xy"), result.value("stress_yy");
    if (stress.allFinite()) add_cross(picture.drawing, centre, radius, stress);
    picture.drawing.notes.push_back("cross: principal stresses in the circle; pressure " + observe::format_number(result.value("pressure"), 4) + " " +
                                      plot::need_column(plot::need_table(result, "diameters"), "normal").unit);
    return plot::draw_drawing(picture.drawing);
}

}  // namespace

void register_probe(FigureRegistry& registry) {
    plot::OptionList own{{"centre", "X,Y", "of the probing circle"}, {"radius", "R", "of the probing circle"}, {"count", "N", "diameters [31]"},
                         {"of", "LABEL", "the circle and the stored result of that observable of the scene, instead"}};
    const auto network = plot::network_options();
    own.insert(own.end(), network.begin(), network.end());
    registry.add("probe", {"a probing circle with the forces through it and its principal stresses (plane)", FigureRegistry::Of::frame, plot::picture_options(own), draw});
}

}  // namespace talus

#include "plot/body_picture.h"

#include <cmath>

#include "math/rotation.h"
#include "observe/result.h"
#include "plot/walls.h"
#include "shapes/outline.h"

namespace talus::plot {

namespace {

void add_solid(Drawing& drawing, const Snapshot<2>& snapshot, std::size_t i, const Camera<2>& camera, double value) {
    const Mat<2> axes = matrix_of<2>(snapshot.rotation[i]);
    for (const auto& piece : snapshot.solid(i).pieces) {
        Patch patch;
        for (const Vec<2>& x : outline(piece)) patch.points.push_back(camera.at(snapshot.position[i] + axes * x));
        patch.value = value;
        if (snapshot.wall[i] == 0) {
            drawing.patches.push_back(std::move(patch));
            continue;
        }
        drawing.solids.push_back(patch.points);
        patch.points.push_back(patch.points.front());
        drawing.lines.push_back(std::move(patch.points));
    }
}

/// The faces of a solid that look at the reader, darker the more they look aside.
void add_solid(Drawing& drawing, const Snapshot<3>& snapshot, std::size_t i, const Camera<3>& camera, double value) {
    const Mat<3> axes = matrix_of<3>(snapshot.rotation[i]);
    for (const auto& piece : snapshot.solid(i).pieces) {
        const Surface faces = surface(piece);
        for (const auto& loop : faces.faces) {
            std::vector<Vec<3>> x;
            for (const std::int32_t k : loop) x.push_back(snapshot.position[i] + axes * faces.points[static_cast<std::size_t>(k)]);
            const Vec<3> normal = (x[1] - x[0]).cross(x[2] - x[0]).normalized();
            const double facing = -normal.dot(camera.through);
            if (!(facing > 1e-9)) continue;
            Patch patch;
            for (const Vec<3>& p : x) {
                patch.points.push_back(camera.at(p));
                patch.depth += camera.depth(p) / static_cast<double>(x.size());
            }
            patch.value = value;
            patch.round = piece.kind == Piece<3>::Kind::frustum ? loop.size() <= 4 : piece.polytope.vertices.size() <= 2;
            patch.shade = 0.5 * (1.0 - facing) + 0.08 * (1.0 - normal.dot(camera.up));
            drawing.patches.push_back(std::move(patch));
        }
    }
}

template <int Dim>
void add_grains(Drawing& drawing, const Snapshot<Dim>& snapshot, const Camera<Dim>& camera, const std::vector<double>& values) {
    for (std::size_t i = 0; i < snapshot.size(); ++i) {
        if (!(snapshot.radius[i] > 0.0) || !camera.holds(snapshot.position[i])) continue;
        if (!snapshot.is_ball(i)) {
            add_solid(drawing, snapshot, i, camera, values[i]);
            continue;
        }
        const Point2 at = camera.at(snapshot.position[i]);
        drawing.disks.push_back({at.x, at.y, snapshot.radius[i] * camera.scale, camera.depth(snapshot.position[i]), values[i]});
    }
}

template <int Dim>
std::string title_of(const Snapshot<Dim>& snapshot, const PictureOptions& options, const FigureData& data, const Camera<Dim>& camera,
                     const std::string& what) {
    if (options.title == "none") return "";
    if (options.title != "auto") return options.title;
    if (!data.title.empty()) return data.title;
    std::string title = what;
    if (std::isfinite(camera.half))
        title += ", section " + observe::format_number(2.0 * camera.half * camera.scale, 3) + " " + observe::unit_in(data.units, "m").name + " thick,";
    return title + " at t = " + observe::format_number(snapshot.time, 4) + " s";
}

void set_style(Drawing& drawing, const BodyColours& colours, bool deep) {
    drawing.balls = deep;
    drawing.outline = colours.grey ? "#333333" : "#ffffff";
    drawing.outline_width = colours.grey ? 0.4 : 0.5;
    if (deep) drawing.outline = "#3a3a3a", drawing.outline_width = 0.3;
}

}  // namespace

OptionList picture_options(OptionList own) {
    OptionList all = std::move(own);
    const OptionList shared{
        {"colour", "birth|layers|speed|load|rotation|spin|size|tag|material|plain", "what the colour of a grain says [the first of birth, tag, size in which grains differ]"},
        {"palette", "grey|colour", "levels of grey as in the papers, or colours [grey for speed, load, layers]"},
        {"layers", "T1:T2,…", "birth dates [s] of the layers that `colour=layers` shows"},
        {"highest", "X", "upper end of the colour scale, in its units [from the frame]"},
        {"view", "slab|side|top|oblique", "in space: a vertical slice, or all grains from the side, above or obliquely [slab]"},
        {"slab", "D", "only grains whose centres lie in a slab so thick, about the axis [5 mean diameters for view=slab]"},
        {"axis", "X,Y", "a point of the vertical axis [the mass centre]"},
        {"turn", "DEG", "turn about the axis [0]"},
        {"tilt", "DEG", "height of the oblique view above the horizon [28]"},
        {"region", "X1,Y1,X2,Y2", "part to show, in the picture's coordinates [all grains]"},
        {"shade", "true|false", "draw spheres as lit balls [true but for view=slab]"},
        {"axes", "true|false", "axes with coordinates, or only a scale bar [true; false for view=oblique]"},
        {"title", "TEXT|none", "title [what and when]"},
        {"width", "PX", "width of the figure [726]"}};
    all.insert(all.end(), shared.begin(), shared.end());
    return all;
}

PictureOptions read_picture_options(Options& options, const std::string& kind) {
    PictureOptions p;
    p.camera.view = options.choice("view", {"slab", "side", "top", "oblique"});
    if (options.dim() == 2 && options.has("view")) options.fail("view", "is for runs in space; this one lies in the plane");
    p.camera.slab = options.positive_length("slab");
    p.camera.turn = options.number("turn", 0.0);
    p.camera.tilt = options.number("tilt", 28.0);
    p.camera.axis = options.has("axis") ? options.numbers("axis", 2) : std::vector<double>();
    for (double& x : p.camera.axis) x *= observe::metres_per_length(options.units());
    p.colouring.layers = options.intervals("layers");
    p.colouring.kind = options.has("colour") ? options.choice("colour", colourings) : options.has("layers") ? "layers" : kind;
    if (p.colouring.kind == "layers" && p.colouring.layers.empty()) options.fail("colour", "is `layers`, which needs the birth dates: layers=15.5:18.7");
    p.colouring.palette = options.choice("palette", {"auto", "grey", "colour"});
    p.colouring.highest = options.number("highest", 0.0);
    if (options.has("region")) p.region = options.numbers("region", 4);
    if (!p.region.empty() && !(p.region[0] < p.region[2] && p.region[1] < p.region[3]))
        options.fail("region", "must be x low, y low, x high, y high, each low below its high");
    p.title = options.text("title", "auto");
    p.axes_said = options.has("axes");
    p.axes = options.flag("axes", true);
    if (options.has("shade")) p.shade = options.flag("shade", true);
    p.width = options.number("width", 726.0);
    if (!(p.width >= 200.0 && p.width <= 4000.0)) options.fail("width", "must lie between 200 and 4000 pixels");
    return p;
}

template <int Dim>
BodyPicture<Dim> draw_bodies(const Snapshot<Dim>& snapshot, const PictureOptions& options, const FigureData& data, const std::string& what) {
    BodyPicture<Dim> picture;
    picture.length = observe::unit_in(data.units, "m");
    picture.newton = observe::unit_in(data.units, "N");
    picture.camera = make_camera(snapshot, options.camera, picture.length.factor);
    const Camera<Dim>& camera = picture.camera;
    const TagNames names = options.colouring.kind == "tag" && data.runs && !data.runs->empty() ? data.runs->front().names().tags : TagNames();
    const BodyColours colours = colour_bodies(snapshot, options.colouring, data.units, names);
    Drawing& drawing = picture.drawing;
    drawing.title = title_of(snapshot, options, data, camera, what);
    drawing.x_label = camera.x_name + " [" + picture.length.name + "]";
    drawing.y_label = camera.y_name + " [" + picture.length.name + "]";
    drawing.length_unit = picture.length.name;
    drawing.force_unit = picture.newton.name;
    drawing.axes = options.axes_said ? options.axes : camera.is_flat;
    drawing.width = options.width;
    drawing.scale = colours.scale;
    set_style(drawing, colours, options.shade.value_or(!camera.through.isZero(0.0) && !std::isfinite(camera.half)));
    add_grains(drawing, snapshot, camera, colours.values);
    add_finite_walls(drawing, snapshot, camera);
    fit_view(drawing, 0.0);
    add_endless_walls(drawing, snapshot, camera);
    if (!options.region.empty()) {
        drawing.x_low = options.region[0];
        drawing.y_low = options.region[1];
        drawing.x_high = options.region[2];
        drawing.y_high = options.region[3];
    }
    return picture;
}

template BodyPicture<2> draw_bodies<2>(const Snapshot<2>&, const PictureOptions&, const FigureData&, const std::string&);
template BodyPicture<3> draw_bodies<3>(const Snapshot<3>&, const PictureOptions&, const FigureData&, const std::string&);

}  // namespace talus::plot

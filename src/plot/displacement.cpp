// How far every grain went between two instants: a line from where it was to where it is, over its first position in grey
// (moreau1994, fig. 1 to 3; moreau-jean1996, fig. 3). With instants a whole number of periods apart: stroboscopic.

#include <algorithm>
#include <cmath>

#include "observe/result.h"
#include "observe/space.h"
#include "plot/body_picture.h"
#include "plot/moved.h"

namespace talus {

namespace {

struct Wanted {
    std::string minus = "none";
    double magnify = 1.0;
    bool grains = true, meridian = false;
    double line = 1.1;   ///< [px]
};

plot::OptionList options() {
    return plot::picture_options({{"from", "T", "time of the first instant [s] [first frame]"},
                                  {"to", "T", "time of the second instant [s] [last frame]"},
                                  {"from_frame", "N", "first instant by number, instead"},
                                  {"to_frame", "N|last", "second instant by number, instead"},
                                  {"minus", "none|mean|affine", "take away the mean displacement, or the linear field that fits best [none]"},
                                  {"magnify", "X", "draw displacements so many times as long [1]"},
                                  {"grains", "true|false", "draw the grains where they were first [true]"},
                                  {"line", "PX", "width of the lines [1.1]"},
                                  {"meridian", "true|false", "in space: distance from the axis and height of all grains, instead of a view [false]"}});
}

Wanted read(plot::Options& o) {
    Wanted w;
    w.minus = o.choice("minus", {"none", "mean", "affine"});
    w.magnify = o.positive("magnify", 1.0);
    w.grains = o.flag("grains", true);
    w.meridian = o.flag("meridian", false);
    w.line = o.positive("line", 1.1);
    if (w.meridian && o.dim() == 2) o.fail("meridian", "is for runs in space");
    return w;
}

/// Folded into one half plane: distance from the axis, height.
plot::Point2 folded(const observe::Vertical<3>& axis, const Vec<3>& x, double scale) { return {axis.distance(x) * scale, axis.height(x) * scale}; }
plot::Point2 folded(const observe::Vertical<2>&, const Vec<2>& x, double scale) { return {x.x() * scale, x.y() * scale}; }

template <int Dim>
void fold(plot::BodyPicture<Dim>& picture, const Snapshot<Dim>& first) {
    plot::Drawing& drawing = picture.drawing;
    const auto axis = observe::vertical(first, picture.camera.origin);
    drawing.disks.clear();
    drawing.patches.clear();
    drawing.lines.clear();
    drawing.solids.clear();
    for (std::size_t i = 0; i < first.size(); ++i) {
        if (!observe::is_grain(first, i)) continue;
        const plot::Point2 at = folded(axis, first.position[i], picture.camera.scale);
        drawing.disks.push_back({at.x, at.y, first.radius[i] * picture.camera.scale, 0.0, 0.0});
    }
    drawing.x_label = "distance from the axis [" + picture.length.name + "]";
    drawing.y_label = "height [" + picture.length.name + "]";
    plot::fit_view(drawing, 0.0);
}

template <int Dim>
plot::Strokes lines_of(const plot::BodyPicture<Dim>& picture, const Snapshot<Dim>& first, const std::vector<plot::Moved<Dim>>& moved, const Wanted& w) {
    plot::Strokes strokes;
    strokes.width = w.line;
    strokes.dot = 1.1 * w.line;
    const auto axis = observe::vertical(first, picture.camera.origin);
    for (const auto& m : moved) {
        if (!w.meridian && !picture.camera.holds(m.from)) continue;
        const plot::Point2 a = w.meridian ? folded(axis, m.from, picture.camera.scale) : picture.camera.at(m.from);
        const plot::Point2 b = w.meridian ? folded(axis, m.to, picture.camera.scale) : picture.camera.at(m.to);
        strokes.lines.push_back({a, {a.x + w.magnify * (b.x - a.x), a.y + w.magnify * (b.y - a.y)}});
    }
    return strokes;
}

/// Lines that leave the view by a little widen it: a wall that gives way moves what it holds.
void include_ends(plot::Drawing& drawing, const plot::Strokes& strokes) {
    const double wide = 0.2 * std::max(drawing.x_high - drawing.x_low, drawing.y_high - drawing.y_low), rim = 0.05 * wide;
    const double x_low = drawing.x_low - wide, x_high = drawing.x_high + wide, y_low = drawing.y_low - wide, y_high = drawing.y_high + wide;
    for (const auto& line : strokes.lines) {
        const plot::Point2 p = line.back();
        if (p.x < x_low || p.x > x_high || p.y < y_low || p.y > y_high) continue;
        drawing.x_low = std::min(drawing.x_low, p.x - rim);
        drawing.x_high = std::max(drawing.x_high, p.x + rim);
        drawing.y_low = std::min(drawing.y_low, p.y - rim);
        drawing.y_high = std::max(drawing.y_high, p.y + rim);
    }
}

std::string note_of(const Wanted& w) {
    std::string note = "lines: from the centre of each grain to where it went";
    if (w.minus == "mean") note += ", less the mean displacement";
    if (w.minus == "affine") note += ", less the best linear field";
    if (w.magnify != 1.0) note += ", " + observe::format_number(w.magnify, 3) + " times as long";
    return note;
}

template <int Dim>
std::string draw_span(const plot::FigureData& data, plot::Options& options, const plot::RunData& run) {
    auto look = plot::read_picture_options(options, "plain");
    const Wanted w = read(options);
    const plot::Span span = plot::read_span(options, run);
    const Snapshot<Dim> first = plot::frame_at<Dim>(run, span.first), last = plot::frame_at<Dim>(run, span.last);
    look.colouring.plain = "#e2e2e2";
    if (!look.shade) look.shade = false;
    if (!look.camera.slab && look.camera.view == "slab" && !w.meridian) look.camera.slab = observe::grain_totals(first).mean_diameter;
    auto picture = plot::draw_bodies(first, look, data, "Displacements");
    if (w.meridian) fold(picture, first);
    if (look.title == "auto")
        picture.drawing.title = "Displacements from t = " + observe::format_number(first.time, 4) + " to " + observe::format_number(last.time, 4) + " s";
    if (look.colouring.kind == "plain") picture.drawing.outline = "#c2c2c2";
    auto moved = plot::moved_between(first, last);
    plot::subtract(moved, w.minus);
    picture.drawing.strokes.push_back(lines_of(picture, first, moved, w));
    if (look.region.empty()) include_ends(picture.drawing, picture.drawing.strokes.back());
    if (!w.grains) {
        picture.drawing.disks.clear();
        picture.drawing.patches.clear();
    }
    picture.drawing.notes.push_back(note_of(w));
    return plot::draw_drawing(picture.drawing);
}

std::string draw(const plot::FigureData& data, plot::Options& options) {
    const plot::RunData& run = data.run("displacement");
    return run.dim == 2 ? draw_span<2>(data, options, run) : draw_span<3>(data, options, run);
}

}  // namespace

void register_displacement(FigureRegistry& registry) {
    registry.add("displacement", {"how far every grain went between two instants, as lines", FigureRegistry::Of::runs, options(), draw});
}

}  // namespace talus

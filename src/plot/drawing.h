#pragma once
/// \file
/// A drawing of grains: disks and polygons in a plane with the same scale in both directions, walls as lines and
/// filled polygons, forces as segments as wide as they are strong, paths, arrows, a key, axes with units or a scale
/// bar.
///
/// Thousands of grains stay small on disk: what they share (outline, width) is said once for a group, forces of
/// about equal width are one element, and grains that nearer ones hide are left out.

#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "plot/colour_scale.h"
#include "plot/svg.h"

namespace talus::plot {

inline constexpr double no_value = std::numeric_limits<double>::quiet_NaN();

struct Disk {
    double x = 0.0, y = 0.0, radius = 0.0;   ///< in the drawing's units
    double depth = 0.0;                      ///< drawn from the largest (farthest) to the smallest
    double value = no_value;                 ///< NaN: held fixed
};

/// A filled polygon: a grain that is not a disk, or a face of one.
struct Patch {
    std::vector<Point2> points;
    double depth = 0.0;
    double value = no_value;
    double shade = 0.0;      ///< 0: in full light, 1: black
    bool round = false;      ///< part of a round surface: no line around it
};

struct ForceSegment {
    double x1 = 0.0, y1 = 0.0, x2 = 0.0, y2 = 0.0;
    double force = 0.0;    ///< >= 0
    std::string colour{};  ///< empty: the drawing's
};

/// Lines drawn alike: displacements, paths, outlines of regions.
struct Strokes {
    std::vector<std::vector<Point2>> lines;
    std::string colour = "#111111";
    double width = 1.0;        ///< [px]
    bool dashed = false;
    double dot = 0.0;          ///< radius of a dot at each line's start [px]
    std::string label{};       ///< in the key
};

struct Arrow {
    Point2 from, to;
    std::string colour = "#111111";
    double width = 2.0;        ///< [px]
    std::string label{};       ///< written at its tip
};

struct Drawing {
    std::string title;
    std::string x_label, y_label;
    std::string length_unit;           ///< of the scale bar
    bool axes = true;                  ///< false: a scale bar instead
    double width = 726.0;              ///< of the figure [px]
    std::string outline = "#ffffff";   ///< of grains
    double outline_width = 0.5;        ///< [px]
    bool balls = false;                ///< shade disks as lit balls
    std::string force_unit, force_colour = "#d55e00", force_note;
    std::vector<Disk> disks;
    std::vector<Patch> patches;
    std::vector<ForceSegment> forces;
    std::vector<std::vector<Point2>> solids;   ///< filled walls
    std::vector<std::vector<Point2>> lines;    ///< thin walls
    std::vector<std::vector<Point2>> dashed;   ///< borders of a periodic cell
    std::vector<Strokes> strokes;              ///< over the grains
    std::vector<Arrow> arrows;                 ///< over all
    std::vector<std::string> notes;            ///< below the picture
    ColourScale scale;
    double x_low = 0.0, x_high = 1.0, y_low = 0.0, y_high = 1.0;
};

/// Sets the view to hold all grains that are free, and the fixed ones and walls near them, with a margin.
/// `margin` 0: three hundredths of the larger side.
void fit_view(Drawing& drawing, double margin);

[[nodiscard]] std::string draw_drawing(const Drawing& drawing);

}  // namespace talus::plot

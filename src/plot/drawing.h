#pragma once
/// \file
/// A drawing of grains: disks and polygons in a plane with the same scale in both directions, walls as lines and
/// filled polygons, forces as segments as wide as they are strong, a colour bar, axes with units.

#include <limits>
#include <string>
#include <vector>

#include "plot/svg.h"

namespace talus::plot {

struct Disk {
    double x = 0.0, y = 0.0, radius = 0.0;   ///< in the drawing's units
    double depth = 0.0;                      ///< drawn from the largest (farthest) to the smallest
    double value = std::numeric_limits<double>::quiet_NaN();   ///< NaN: grey (fixed grains)
};

/// A filled polygon: a grain that is not a disk, or a face of one.
struct Patch {
    std::vector<Point2> points;
    double depth = 0.0;
    double value = std::numeric_limits<double>::quiet_NaN();
    double shade = 0.0;      ///< 0: in full light, 1: black
    bool round = false;      ///< part of a round surface: no line around it
};

struct ForceSegment {
    double x1 = 0.0, y1 = 0.0, x2 = 0.0, y2 = 0.0;
    double force = 0.0;    ///< normal force, >= 0
};

/// Values between bounds[k] and bounds[k + 1] have colour k.
struct ColourScale {
    std::string label;              ///< empty: no colour bar
    std::vector<double> bounds;     ///< increasing
    std::vector<std::string> colours;
    bool spaced_evenly = false;     ///< label every bound (classes of unequal width)

    [[nodiscard]] const std::string& colour(double value) const;
};

/// `count` classes of equal width on the ramp.
[[nodiscard]] ColourScale even_scale(std::string label, double low, double high, int count);
/// Five classes by powers of 0.18 below the highest, as in moreau2003, fig. 2: slow grains pale.
[[nodiscard]] ColourScale speed_scale(std::string label, double highest);

struct Drawing {
    std::string title;
    std::string x_label, y_label;
    std::string force_unit;
    std::vector<Disk> disks;
    std::vector<Patch> patches;
    std::vector<ForceSegment> forces;
    std::vector<std::vector<Point2>> solids;   ///< filled walls
    std::vector<std::vector<Point2>> lines;    ///< thin walls
    std::vector<std::vector<Point2>> dashed;   ///< borders of a periodic cell
    ColourScale scale;
    double x_low = 0.0, x_high = 1.0, y_low = 0.0, y_high = 1.0;
};

/// Sets the view to hold all disks and patches with a margin of `margin`.
void fit_view(Drawing& drawing, double margin);

[[nodiscard]] std::string draw_drawing(const Drawing& drawing);

}  // namespace talus::plot

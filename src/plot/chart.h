#pragma once
/// \file
/// A chart: curves over two axes with round ticks, units in the labels and a legend. Also the scale
/// and frame that drawings of grains use, where both directions have the same scale.

#include <optional>
#include <string>
#include <vector>

#include "plot/svg.h"

namespace talus::plot {

struct Axis {
    std::string label;            ///< with its unit, e.g. "time [s]"
    bool log = false;
    std::optional<double> low, high;   ///< else from the data
    double decades = 30.0;        ///< a log axis shows at most so many below the highest value
    std::vector<std::string> names{};  ///< of the places 0, 1, 2 … instead of numbers
};

/// area: a closed polygon, filled; band: a filled strip without outline; bars: from zero, as wide as `bar`.
enum class CurveKind { line, steps, points, area, bars, band };

struct Curve {
    std::string label;            ///< in the legend; empty: not there
    std::vector<double> x, y;     ///< NaN interrupts a line. Steps: x has one more entry than y
    CurveKind kind = CurveKind::line;
    std::string colour;           ///< empty: the next hue
    bool dashed = false;
    std::vector<double> error{};  ///< half the length of a whisker at each point; empty: none
    double bar = 0.6;             ///< width of bars, in units of x
    double width = 1.8;           ///< of lines [px]
};

struct Chart {
    std::string title;
    Axis x, y;
    std::vector<Curve> curves;
    double width = 640.0, height = 340.0;   ///< [px]
    std::vector<std::string> notes{};       ///< below the axis
};

[[nodiscard]] std::string draw_chart(const Chart& chart);

/// The rectangle of a figure in which data are drawn, and how data map to it.
struct Plane {
    double left = 0.0, top = 0.0, width = 0.0, height = 0.0;   ///< [px]
    double x_low = 0.0, x_high = 1.0, y_low = 0.0, y_high = 1.0;
    bool x_log = false, y_log = false;

    [[nodiscard]] double x(double value) const;
    [[nodiscard]] double y(double value) const;
    [[nodiscard]] Point2 at(double px, double py) const { return {x(px), y(py)}; }
};

/// Frame, grid, ticks and axis labels.
void draw_axes(Svg& svg, const Plane& plane, const Axis& x, const Axis& y);

/// Keeps at most `most` points of a curve, spread evenly: of each stretch the lowest and the highest, so
/// that no peak is lost.
void decimate(Curve& curve, std::size_t most = 1000);

/// The same for a quantity of which only the peaks matter (an error): of each stretch the highest.
void keep_peaks(Curve& curve, std::size_t most = 500);

}  // namespace talus::plot

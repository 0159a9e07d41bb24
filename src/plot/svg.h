#pragma once
/// \file
/// Writes SVG 1.1: the few elements figures need, numbers short, text escaped.
///
/// Lines and text are drawn in `currentColor`: dark on the white paper of a stand-alone file, and the
/// page's own colour when the figure stands inline in a page, dark or light.

#include <string>
#include <string_view>
#include <vector>

namespace talus::plot {

/// `& < > "` made safe for text and attributes of SVG and HTML.
[[nodiscard]] std::string escape(std::string_view text);

/// A coordinate with two decimals at most (a hundredth of a pixel).
[[nodiscard]] std::string coordinate(double value);

struct Style {
    std::string fill = "none";
    std::string stroke = "none";
    double width = 1.0;       ///< of the stroke [px]
    double opacity = 1.0;
    std::string dash;         ///< lengths, e.g. "5 3"
    bool round = false;       ///< round ends and joints
};

struct TextStyle {
    double size = 13.0;              ///< [px]
    std::string anchor = "start";    ///< start, middle, end
    double turn = 0.0;               ///< [deg], clockwise
    bool bold = false;
    bool soft = false;               ///< less contrast, for secondary words
};

struct Point2 {
    double x = 0.0, y = 0.0;
};

class Svg {
public:
    /// Sizes in pixels; `title` is read aloud by screen readers and shown on hovering.
    Svg(double width, double height, std::string_view title);

    void line(Point2 from, Point2 to, const Style& style);
    void polyline(const std::vector<Point2>& points, const Style& style);
    void polygon(const std::vector<Point2>& points, const Style& style);
    void circle(Point2 centre, double radius, const Style& style);
    void rectangle(Point2 corner, double width, double height, const Style& style);
    void text(Point2 at, std::string_view words, const TextStyle& style = {});
    /// What follows is drawn only inside the rectangle, until `end_clip`.
    void begin_clip(Point2 corner, double width, double height);
    void end_clip();

    /// The whole document. Call once.
    [[nodiscard]] std::string finish();

private:
    void element(std::string_view name, const std::string& attributes, const Style& style);

    double width_, height_;
    std::string body_;
    std::string id_;      ///< makes clip names unique on a page with several figures
    int clips_ = 0;
};

}  // namespace talus::plot

#pragma once
/// \file
/// Writes SVG 1.1: the few elements figures need, numbers short, text escaped.
///
/// Lines and text are drawn in `currentColor`: dark on the white paper of a stand-alone file, and the
/// page's own colour when the figure stands inline in a page, dark or light.

#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace talus::plot {

/// `& < > "` made safe for text and attributes of SVG and HTML.
[[nodiscard]] std::string escape(std::string_view text);

/// A coordinate with two decimals at most (a hundredth of a pixel).
[[nodiscard]] std::string coordinate(double value);

/// About how wide the words are set in letters of `size` [px]: for legends, which are laid out without a font.
[[nodiscard]] double text_width(std::string_view words, double size);

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
    bool halo = false;               ///< a white border, to be read on top of grains
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
    /// A disk whose outline is that of the group it stands in: the short form for thousands of grains.
    void disk(Point2 centre, double radius, std::string_view fill);
    /// Several straight lines as one element.
    void strokes(const std::vector<std::pair<Point2, Point2>>& lines, const Style& style);
    /// An arrow from tail to tip with a filled head; shorter than its head: the head alone.
    void arrow(Point2 tail, Point2 tip, const std::string& colour, double width);
    /// Fill for a disk of that colour (`#rrggbb`) seen as a lit ball. The definition is written once a colour.
    [[nodiscard]] std::string ball_fill(const std::string& colour);
    /// What follows inherits the style, until `end_group`.
    void begin_group(const Style& style);
    void end_group() { end_clip(); }
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
    std::set<std::string> balls_;   ///< colours that have a definition
};

}  // namespace talus::plot

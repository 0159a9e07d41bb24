#include "plot/cover.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>

namespace talus::plot {

namespace {

constexpr double cells_per_pixel = 3.0;

/// Columns of a row, `end` not among them.
struct Range {
    int begin, end;
    [[nodiscard]] bool is_empty() const { return begin >= end; }
};

/// A row of cells, 64 to a word.
class Row {
public:
    explicit Row(std::uint64_t* words) : words_(words) {}

    [[nodiscard]] bool is_covered(Range range) const {
        return range.is_empty() || every_word(range, [](std::uint64_t word, std::uint64_t mask) { return (word & mask) == mask; });
    }
    void cover(Range range) {
        if (!range.is_empty()) every_word(range, [](std::uint64_t& word, std::uint64_t mask) { word |= mask; return true; });
    }

private:
    /// Calls with each word and the bits of it that are asked for, as long as the answer is true.
    template <class Visit>
    bool every_word(Range range, Visit visit) const {
        const int first = range.begin / 64, last = (range.end - 1) / 64;
        for (int k = first; k <= last; ++k) {
            std::uint64_t mask = ~std::uint64_t{0};
            if (k == first) mask &= ~std::uint64_t{0} << (range.begin % 64);
            if (k == last) mask &= ~std::uint64_t{0} >> (63 - (range.end - 1) % 64);
            if (!visit(words_[k], mask)) return false;
        }
        return true;
    }

    std::uint64_t* words_;
};

class Raster {
public:
    Raster(double width, double height)
        : columns_(static_cast<int>(std::ceil(width * cells_per_pixel))), rows_(static_cast<int>(std::ceil(height * cells_per_pixel))),
          words_(columns_ / 64 + 1), covered_(static_cast<std::size_t>(words_) * static_cast<std::size_t>(rows_), 0) {}

    /// Covers what lies wholly inside; true when all cells it touches were covered before. Lengths in cells.
    bool place(double x, double y, double radius) {
        const int top = std::max(0, static_cast<int>(std::floor(y - radius))), bottom = std::min(rows_ - 1, static_cast<int>(std::floor(y + radius)));
        int row = top;
        while (row <= bottom && row_of(row).is_covered(touched(x, square(radius) - square(beyond(y, row))))) ++row;
        if (row > bottom) return true;
        for (row = top; row <= bottom; ++row)
            row_of(row).cover(inside(x, square(radius) - square(std::max(y - row, row + 1 - y))));
        return false;
    }

private:
    static double square(double x) { return x * x; }
    /// How far `x` lies outside [k, k + 1].
    static double beyond(double x, int k) { return std::max({0.0, k - x, x - (k + 1)}); }
    Row row_of(int row) { return Row(&covered_[static_cast<std::size_t>(row) * static_cast<std::size_t>(words_)]); }

    /// Columns less than sqrt(`room`) away from x.
    [[nodiscard]] Range touched(double x, double room) const {
        if (!(room > 0.0)) return {0, 0};
        const double reach = std::sqrt(room);
        return {std::max(0, static_cast<int>(std::floor(x - reach))), std::min(columns_, static_cast<int>(std::ceil(x + reach)))};
    }
    /// Columns no point of which is farther than that.
    [[nodiscard]] Range inside(double x, double room) const {
        if (!(room > 0.0)) return {0, 0};
        const double reach = std::sqrt(room);
        return {std::max(0, static_cast<int>(std::ceil(x - reach))), std::min(columns_, static_cast<int>(std::floor(x + reach)))};
    }

    int columns_, rows_, words_;   ///< words a row
    std::vector<std::uint64_t> covered_;
};

}  // namespace

std::vector<bool> hidden_disks(const Plane& plane, const Drawing& drawing) {
    std::vector<bool> hidden;
    for (const Disk& d : drawing.disks)
        hidden.push_back(d.x + d.radius < plane.x_low || d.x - d.radius > plane.x_high || d.y + d.radius < plane.y_low || d.y - d.radius > plane.y_high);
    std::vector<std::size_t> nearest(drawing.disks.size());
    std::iota(nearest.begin(), nearest.end(), 0);
    const auto depth = [&](std::size_t k) { return drawing.disks[k].depth; };
    if (std::all_of(nearest.begin(), nearest.end(), [&](std::size_t k) { return depth(k) == depth(0); })) return hidden;
    // Of equal depths the later one is drawn on top.
    std::stable_sort(nearest.begin(), nearest.end(), [&](std::size_t a, std::size_t b) { return depth(a) < depth(b) || (depth(a) == depth(b) && a > b); });
    const double scale = plane.width / (plane.x_high - plane.x_low);
    Raster raster(plane.width, plane.height);
    for (const std::size_t k : nearest) {
        if (hidden[k]) continue;
        const Disk& disk = drawing.disks[k];
        const Point2 at = plane.at(disk.x, disk.y);
        hidden[k] = raster.place((at.x - plane.left) * cells_per_pixel, (at.y - plane.top) * cells_per_pixel, disk.radius * scale * cells_per_pixel);
    }
    return hidden;
}

}  // namespace talus::plot

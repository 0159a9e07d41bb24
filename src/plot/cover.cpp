#include "plot/cover.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace talus::plot {

namespace {

constexpr double cells_per_pixel = 3.0;

class Raster {
public:
    Raster(double width, double height)
        : columns_(static_cast<int>(std::ceil(width * cells_per_pixel))), rows_(static_cast<int>(std::ceil(height * cells_per_pixel))),
          covered_(static_cast<std::size_t>(columns_) * static_cast<std::size_t>(rows_), false) {}

    /// Covers what lies wholly inside; true when all cells it touches were covered before. Lengths in cells.
    bool place(double x, double y, double radius) {
        bool hidden = true;
        const int top = std::max(0, static_cast<int>(std::floor(y - radius))), bottom = std::min(rows_ - 1, static_cast<int>(std::floor(y + radius)));
        const int left = std::max(0, static_cast<int>(std::floor(x - radius))), right = std::min(columns_ - 1, static_cast<int>(std::floor(x + radius)));
        for (int row = top; row <= bottom; ++row)
            for (int column = left; column <= right; ++column) {
                const double near = square(beyond(x, column)) + square(beyond(y, row));
                if (near >= square(radius)) continue;   // the cell does not touch it
                auto cell = covered_[static_cast<std::size_t>(row) * static_cast<std::size_t>(columns_) + static_cast<std::size_t>(column)];
                hidden = hidden && cell;
                const double far = square(std::max(x - column, column + 1 - x)) + square(std::max(y - row, row + 1 - y));
                if (far <= square(radius)) cell = true;
            }
        return hidden;
    }

private:
    static double square(double x) { return x * x; }
    /// How far `x` lies outside [k, k + 1].
    static double beyond(double x, int k) { return std::max({0.0, k - x, x - (k + 1)}); }

    int columns_, rows_;
    std::vector<bool> covered_;
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

#pragma once
/// \file
/// Which balls are near a point, while balls are being placed.
///
/// Balls go into levels by powers of two of their diameter, each level into a hash of cells as wide as
/// its largest ball, so that mixed sizes cost no more than equal ones. Periodic axes are wrapped. The
/// engine's own cell list is built once for a known set; this one grows ball by ball.

#include <array>
#include <cmath>
#include <cstdint>
#include <map>
#include <unordered_map>
#include <vector>

#include "scene/frame.h"

namespace talus::scene {

class BallGrid {
public:
    BallGrid(int dimension, const std::array<bool, 3>& periodic, const Point& cell_low, const Point& cell_high)
        : dimension_(dimension), periodic_(periodic), low_(cell_low), high_(cell_high) {}

    void insert(const Point& centre, double radius);
    [[nodiscard]] std::size_t size() const { return centres_.size(); }
    [[nodiscard]] const Point& centre(std::size_t i) const { return centres_[i]; }
    [[nodiscard]] double radius(std::size_t i) const { return radii_[i]; }
    void clear();

    /// From a to b, the shortest way round periodic axes.
    [[nodiscard]] Point between(const Point& a, const Point& b) const {
        Point d = b - a;
        for (int k = 0; k < dimension_; ++k)
            if (periodic_[static_cast<std::size_t>(k)]) {
                const double width = high_[k] - low_[k];
                d[k] -= width * std::round(d[k] / width);
            }
        return d;
    }
    /// The same point inside the periodic cell.
    [[nodiscard]] Point wrapped(Point p) const {
        for (int k = 0; k < dimension_; ++k)
            if (periodic_[static_cast<std::size_t>(k)]) {
                const double width = high_[k] - low_[k];
                p[k] -= width * std::floor((p[k] - low_[k]) / width);
            }
        return p;
    }

    /// Calls f(i) for every ball whose surface may be within `reach` of `p` (and for some others).
    template <class F>
    void for_each_near(const Point& p, double reach, F&& f) const {
        for (const auto& [exponent, level] : levels_) visit(level, p, reach + level.max_radius, f);
    }
    /// Smallest gap from a ball at `p` to those inside; `none` when nothing is near.
    [[nodiscard]] double gap(const Point& p, double radius, double none) const {
        double least = none;
        for_each_near(p, radius + std::max(0.0, none), [&](std::size_t i) {
            least = std::min(least, between(p, centres_[i]).norm() - radius - radii_[i]);
        });
        return least;
    }

private:
    using Cell = std::array<std::int64_t, 3>;
    struct Hash {
        std::size_t operator()(const Cell& c) const {
            return static_cast<std::size_t>(c[0] * 73856093) ^ static_cast<std::size_t>(c[1] * 19349663) ^
                   static_cast<std::size_t>(c[2] * 83492791);
        }
    };
    struct Level {
        double max_radius = 0.0;
        std::array<double, 3> width{1.0, 1.0, 1.0};
        std::array<std::int64_t, 3> count{};  ///< cells along periodic axes
        std::unordered_map<Cell, std::vector<std::uint32_t>, Hash> cells;
    };

    Level make_level(int exponent) const;
    [[nodiscard]] std::int64_t coordinate(const Level& level, int k, double x) const {
        return static_cast<std::int64_t>(std::floor((x - low_[k]) / level.width[static_cast<std::size_t>(k)]));
    }
    template <class F>
    void visit(const Level& level, const Point& p, double reach, F& f) const {
        Cell first{}, last{};
        for (int k = 0; k < dimension_; ++k) {
            const auto a = static_cast<std::size_t>(k);
            first[a] = coordinate(level, k, p[k] - reach);
            last[a] = coordinate(level, k, p[k] + reach);
            if (level.count[a] > 0) last[a] = std::min(last[a], first[a] + level.count[a] - 1);  // once round at most
        }
        double cells = 1.0;
        for (std::size_t k = 0; k < 3; ++k) cells *= static_cast<double>(last[k] - first[k] + 1);
        if (cells > static_cast<double>(level.cells.size())) {   // a large ball among few small ones
            for (const auto& [cell, balls] : level.cells)
                for (const auto i : balls) f(static_cast<std::size_t>(i));
            return;
        }
        Cell c{};
        for (c[2] = first[2]; c[2] <= last[2]; ++c[2])
            for (c[1] = first[1]; c[1] <= last[1]; ++c[1])
                for (c[0] = first[0]; c[0] <= last[0]; ++c[0]) {
                    const auto found = level.cells.find(wrap(level, c));
                    if (found == level.cells.end()) continue;
                    for (const auto i : found->second) f(static_cast<std::size_t>(i));
                }
    }
    static Cell wrap(const Level& level, Cell c) {
        for (std::size_t k = 0; k < 3; ++k)
            if (level.count[k] > 0) c[k] = ((c[k] % level.count[k]) + level.count[k]) % level.count[k];
        return c;
    }

    int dimension_;
    std::array<bool, 3> periodic_;
    Point low_, high_;
    std::vector<Point> centres_;
    std::vector<double> radii_;
    std::map<int, Level> levels_;
};

}  // namespace talus::scene

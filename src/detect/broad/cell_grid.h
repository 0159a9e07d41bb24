#pragma once
/// \file
/// A hierarchy of cell lists for balls of mixed sizes.
///
/// Balls are sorted into levels by powers of the fourth root of two of their effective radius (radius + margin); each
/// level has its own cells, as wide as its largest ball. A ball looks at the cells about it of its own and of finer levels, so that a few
/// large ones cost the many small ones nothing. A size ratio of 100 makes 27 levels.

#include <cstdint>
#include <vector>

#include "detect/broad/cell_space.h"

namespace talus {

template <int Dim>
class CellGrid {
public:
    /// `radius` are effective radii. Arrays are by rank and must outlive the grid.
    CellGrid(const std::vector<Vec<Dim>>& position, const std::vector<double>& radius, const Cell<Dim>& cell,
             const Threads& threads);

    /// Calls f(j, square of the distance) once for every ball j != i whose effective ball overlaps that of i and that is of
    /// the same level with j > i, or of a finer level.
    template <class F>
    void for_each_near(std::int32_t i, F&& f) const {
        for (std::size_t l = 0; l <= level_of_[i]; ++l) {
            if (levels_[l].entries.empty()) continue;
            const std::int32_t after = l == level_of_[i] ? i : -1;
            if (cell_.any) visit_level<true>(levels_[l], i, after, f);
            else visit_level<false>(levels_[l], i, after, f);
        }
    }

private:
    using Coordinates = typename CellSpace<Dim>::Coordinates;
    /// All that a visit asks of a ball, side by side with those of the same cell.
    struct Entry {
        Vec<Dim> x;
        double r;
        Coordinates at;
        std::int32_t rank;
    };
    struct Level {
        CellSpace<Dim> space;
        double widest = 0.0;                   ///< effective radius
        std::vector<std::int32_t> bucket_begin;
        std::vector<Entry> entries;            ///< by bucket
    };

    void fill(Level& level, const std::vector<std::int32_t>& members, const Threads& threads);

    template <bool Periodic, class F>
    void visit_level(const Level& level, std::int32_t i, std::int32_t after, F&& f) const {
        const Vec<Dim> x = position_[i];
        const double r = radius_[i];
        const auto visit = [&](std::int32_t begin, std::int32_t end, auto&& belongs) {
            for (std::int32_t e = begin; e < end; ++e) {
                const Entry& entry = level.entries[e];
                Vec<Dim> d = x - entry.x;
                if constexpr (Periodic) d = cell_.nearest(d);
                const double square = d.squaredNorm(), range = r + entry.r;
                // Few are near: one branch that is hardly ever taken.
                if ((square <= range * range) & (entry.rank > after)) {
                    if (belongs(entry)) f(entry.rank, square);
                }
            }
        };
        const double reach = r + level.widest;
        // A ball so large that it meets more cells than the level has balls looks at all of these.
        if (level.space.cells_near(reach) > static_cast<double>(level.entries.size()) + 64.0) {
            visit(0, static_cast<std::int32_t>(level.entries.size()), [](const Entry&) { return true; });
            return;
        }
        level.space.for_each_near(x, reach, [&](const typename CellSpace<Dim>::Row& row) {
            visit(level.bucket_begin[row.bucket], level.bucket_begin[row.bucket + static_cast<std::uint32_t>(row.size)],
                  [&](const Entry& entry) { return row.holds(entry.at); });
        });
    }

    const std::vector<Vec<Dim>>& position_;
    const std::vector<double>& radius_;
    const Cell<Dim>& cell_;
    std::vector<std::uint8_t> level_of_;
    std::vector<Level> levels_;
};

}  // namespace talus

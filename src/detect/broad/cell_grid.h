#pragma once
/// \file
/// A hierarchy of cell lists for balls of mixed sizes.
///
/// Balls are sorted into levels by powers of two of their effective radius (radius + margin); each
/// level has its own cells, as wide as its largest ball. A ball looks at the cells about it of its own and of finer levels, so that a few
/// large ones cost the many small ones nothing. A size ratio of 100 makes 7 levels.
///
/// Balls of a cell look at the same cells, so what is in these is laid side by side once for all of them and compared many at a time. Single
/// precision will do: places are told from the corner of the cell, and who finds a ball near looks at it again.

#include <cstdint>
#include <span>
#include <vector>

#include "detect/broad/cell_space.h"
#include "detect/broad/packed_ball.h"
#include "detect/broad/surroundings.h"

namespace talus {

/// A ball in its cell. Lengths are in units of the width of the level's cells.
template <int Dim>
struct CellEntry {
    std::array<float, Dim> local;   ///< from the corner of the cell
    float r;
    std::int32_t column;            ///< first coordinate of the cell
    std::int32_t rank;
};

/// Memory that a grid works in.
template <int Dim>
struct CellRoom {
    std::span<std::int32_t> begin;          ///< one more than there may be cells
    std::span<CellEntry<Dim>> entries;      ///< as many as balls
    std::span<std::uint32_t> cell_of;       ///< so too; free again once the grid is made
};

template <int Dim>
class CellGrid {
public:
    /// That there may be for so many balls.
    [[nodiscard]] static std::size_t most_cells(std::size_t balls) { return cells_of_a_ball * balls; }
    /// Sorts the balls into cells. `radius` are effective radii. By rank. All that is given, but for the cell and the threads, must last as long as the
    /// grid is asked.
    void make(std::span<const PackedBall<Dim>> balls, std::span<const double> radius, const Cell<Dim>& cell, const Threads& threads,
              const CellRoom<Dim>& room);

    [[nodiscard]] std::size_t cells() const { return begin_.empty() ? 0 : begin_.size() - 1; }

    /// Calls f(i, j, together) for balls i of a range of cells and balls j whose effective balls overlap, and for some that nearly do. Each pair is
    /// met once, from one of its balls; `together` tells whether j lies in that range of cells too.
    template <class F>
    void for_each_near(std::size_t first_cell, std::size_t end_cell, Surroundings<Dim>& around, F&& f) const {
        const std::int32_t first_entry = begin_[first_cell], end_entry = begin_[end_cell];
        const auto tell = [&](std::int32_t own, std::int32_t other) {
            f(entries_[own].rank, entries_[other].rank, other >= first_entry && other < end_entry);
        };
        for (std::size_t l = 0; l < levels_.size(); ++l) {
            const Level& level = levels_[l];
            const std::size_t end = std::min(end_cell, level.end_cell);
            for (std::size_t c = std::max(first_cell, level.first_cell); c < end; ++c) {
                if (begin_[c] == begin_[c + 1]) continue;
                look_around(level, c, around, tell);
                for (std::size_t finer = 0; finer < l; ++finer) {
                    if (levels_[finer].size == 0) continue;
                    for (std::int32_t e = begin_[c]; e < begin_[c + 1]; ++e) look_at_finer(levels_[finer], e, around, tell);
                }
            }
        }
    }

private:
    static constexpr std::size_t cells_of_a_ball = 2;  ///< at most: more would be empty
    using Box = CellBox<Dim>;
    using Entry = CellEntry<Dim>;
    struct Level {
        CellSpace<Dim> space;
        double widest = 0.0;                      ///< effective radius
        double width = 0.0;                       ///< of a cell
        std::size_t size = 0;                     ///< balls
        std::size_t first_cell = 0, end_cell = 0; ///< among the cells of all levels
    };

    void sort_into_levels();
    void lay_out_cells(std::span<std::int32_t> begin);
    void sort_into_cells(const Threads& threads, std::span<std::uint32_t> cell_of);
    [[nodiscard]] std::size_t level_of(double radius) const;
    [[nodiscard]] const Level& level_of_cell(std::size_t cell) const;
    /// Adds the balls of a box, seen from the corner of cell `from`.
    void collect(const Level& level, const Box& box, const std::array<std::int64_t, Dim>& from, Surroundings<Dim>& around) const;
    void collect_after(const Level& level, std::size_t cell, Surroundings<Dim>& around) const;
    /// Adds those of a level that a ball overlaps, without asking where they are.
    void collect_overlapping(const Level& level, std::int32_t rank, Surroundings<Dim>& around) const;
    /// Adds those of a finer level about a ball, and marks those near.
    void collect_finer(const Level& level, std::int32_t rank, Surroundings<Dim>& around) const;

    /// Pairs of the balls of a cell, with each other and with those of the cells after it.
    template <class F>
    void look_around(const Level& level, std::size_t cell, Surroundings<Dim>& around, F&& f) const {
        collect_after(level, cell, around);
        const std::int32_t begin = begin_[cell], end = begin_[cell + 1];
        for (std::int32_t e = begin; e < end; ++e) {
            // The cell's own balls come first.
            const auto own = static_cast<std::size_t>(e - begin);
            around.compare(entries_[e].local, entries_[e].r, own);
            around.for_each_near(own, [&](std::size_t k) { if (k > own) f(e, around.name(k)); });
        }
    }
    template <class F>
    void look_at_finer(const Level& level, std::int32_t e, Surroundings<Dim>& around, F&& f) const {
        collect_finer(level, entries_[e].rank, around);
        around.for_each_near(0, [&](std::size_t k) { f(e, around.name(k)); });
    }

    std::span<const PackedBall<Dim>> balls_;
    std::span<const double> radius_;
    Cell<Dim> cell_;
    double smallest_ = 0.0;                       ///< radius
    std::vector<Level> levels_;
    std::span<std::int32_t> begin_;               ///< cell, of all levels -> its first entry
    std::span<Entry> entries_;
};

}  // namespace talus

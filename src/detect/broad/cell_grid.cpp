#include "detect/broad/cell_grid.h"

#include <algorithm>
#include <cmath>

namespace talus {
namespace {

constexpr std::size_t chunk = 4096;         ///< balls handled together
/// Rounding to single precision must not part those that just overlap: it is good for some millionths of what is near.
constexpr double wider = 1.0 + 2e-5;

}  // namespace

template <int Dim>
void CellGrid<Dim>::make(std::span<const PackedBall<Dim>> balls, std::span<const double> radius, const Cell<Dim>& cell, const Threads& threads,
                         const CellRoom<Dim>& room) {
    balls_ = balls;
    radius_ = radius;
    cell_ = cell;
    levels_.clear();
    begin_ = {};
    entries_ = room.entries.first(balls.size());
    if (balls.empty()) return;
    sort_into_levels();
    lay_out_cells(room.begin);
    sort_into_cells(threads, room.cell_of.first(balls.size()));
}

template <int Dim>
std::size_t CellGrid<Dim>::level_of(double radius) const { return static_cast<std::size_t>(std::ilogb(radius / smallest_)); }

template <int Dim>
const typename CellGrid<Dim>::Level& CellGrid<Dim>::level_of_cell(std::size_t cell) const {
    const Level* level = levels_.data();
    while (cell >= level->end_cell) ++level;
    return *level;
}

template <int Dim>
void CellGrid<Dim>::sort_into_levels() {
    smallest_ = *std::min_element(radius_.begin(), radius_.end());
    for (const double r : radius_) {
        const std::size_t level = level_of(r);
        if (level >= levels_.size()) levels_.resize(level + 1);
        ++levels_[level].size;
        levels_[level].widest = std::max(levels_[level].widest, r);
    }
}

template <int Dim>
void CellGrid<Dim>::lay_out_cells(std::span<std::int32_t> begin) {
    const Extent<Dim> extent = extent_of(balls_);
    std::size_t cells = 0;
    for (Level& level : levels_) {
        level.first_cell = cells;
        if (level.size > 0) {
            level.width = 2.0 * level.widest * wider;
            level.space = CellSpace<Dim>(extent, level.width, cell_, cells_of_a_ball * level.size);
            cells += level.space.cells();
        }
        level.end_cell = cells;
    }
    begin_ = begin.first(cells + 1);
    std::fill(begin_.begin(), begin_.end(), 0);
}

template <int Dim>
void CellGrid<Dim>::sort_into_cells(const Threads& threads, std::span<std::uint32_t> cell_of) {
    threads.for_chunks(balls_.size(), chunk, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) {
            const Level& level = levels_[levels_.size() == 1 ? 0 : level_of(radius_[i])];
            cell_of[i] = static_cast<std::uint32_t>(level.first_cell + level.space.number(level.space.at(balls_[i].x)));
        }
    });
    for (const std::uint32_t c : cell_of) ++begin_[c];
    // Cells are filled from the back, so that the first entry ends up where the cell begins.
    std::int32_t sum = 0;
    for (std::int32_t& b : begin_) b = sum += b;
    for (std::size_t i = balls_.size(); i-- > 0;) {
        const Level& level = level_of_cell(cell_of[i]);
        const auto place = level.space.place_of(balls_[i].x);
        entries_[--begin_[cell_of[i]]] = {place.local, static_cast<float>(radius_[i] * wider / level.width), place.cell[0], static_cast<std::int32_t>(i)};
    }
}

template <int Dim>
void CellGrid<Dim>::collect(const Level& level, const Box& box, const std::array<std::int64_t, Dim>& from, Surroundings<Dim>& around) const {
    const std::int32_t* const begin = begin_.data() + level.first_cell;
    const float step = level.space.step(0);
    level.space.for_each_row(box, [&](const auto& row) {
        const std::int32_t first = begin[row.first], size = begin[row.end] - first;
        if (size == 0) return;
        std::array<float, Dim> corner;   // of the first cell
        for (int k = 0; k < Dim; ++k) corner[k] = static_cast<float>(row.unfolded[k] - from[k]) * level.space.step(k);
        const auto added = around.add(static_cast<std::size_t>(size));
        const Entry* const entries = entries_.data() + first;
        for (std::int32_t e = 0; e < size; ++e) {
            added.x[0][e] = entries[e].local[0] + (corner[0] + static_cast<float>(entries[e].column - row.column) * step);
            for (int k = 1; k < Dim; ++k) added.x[k][e] = entries[e].local[k] + corner[k];
            added.r[e] = entries[e].r;
            added.name[e] = first + e;
        }
    });
}

template <int Dim>
void CellGrid<Dim>::collect_after(const Level& level, std::size_t cell, Surroundings<Dim>& around) const {
    around.clear();
    const auto at = level.space.coordinates(cell - level.first_cell);
    std::array<std::int64_t, Dim> from;
    std::copy(at.begin(), at.end(), from.begin());
    for (int part = 0; part < Dim; ++part) collect(level, level.space.after(at, part), from, around);
}

template <int Dim>
void CellGrid<Dim>::collect_finer(const Level& level, std::int32_t rank, Surroundings<Dim>& around) const {
    around.clear();
    const Vec<Dim>& x = balls_[rank].x;
    const double r = radius_[rank] * wider;
    const Box box = level.space.about(x, r + level.widest * wider);
    // A ball so large that it meets more cells than the level has balls looks at all of these.
    if (box.goes_round || box.cells() > static_cast<double>(level.size)) {
        collect_overlapping(level, rank, around);
        around.mark_all();
        return;
    }
    collect(level, box, level.space.unfolded(x), around);
    around.compare(level.space.place_of(x).local, static_cast<float>(r / level.width), 0);
}

template <int Dim>
void CellGrid<Dim>::collect_overlapping(const Level& level, std::int32_t rank, Surroundings<Dim>& around) const {
    const Vec<Dim> x = balls_[rank].x;
    const double r = radius_[rank];
    const std::int32_t end = begin_[level.end_cell];
    for (std::int32_t e = begin_[level.first_cell]; e < end; ++e) {
        const std::int32_t other = entries_[e].rank;
        const double range = (r + radius_[other]) * wider;
        if (cell_.nearest(x - balls_[other].x).squaredNorm() <= range * range) *around.add(1).name = e;
    }
}

template class CellGrid<2>;
template class CellGrid<3>;

}  // namespace talus

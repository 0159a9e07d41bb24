#include "detect/broad/near_pairs.h"

#include <algorithm>

#include "detect/broad/cell_grid.h"
#include "detect/broad/local_ways.h"
#include "math/frame.h"
#include "math/snug.h"

namespace talus {
namespace {

constexpr std::size_t chunk = 1024;  ///< ranks handled together

template <int Dim>
std::vector<PackedBall<Dim>> packed_balls(const CandidateInput<Dim>& in, const CandidateList<Dim>& list) {
    std::vector<PackedBall<Dim>> balls(list.order.size());
    in.threads.for_chunks(balls.size(), 4 * chunk, [&](std::size_t begin, std::size_t end) {
        for (std::size_t k = begin; k < end; ++k) {
            const std::int32_t i = list.order[k];
            balls[k] = {list.built_position[i], search_radius(in.bodies, list, i), list.way.empty() ? Vec<Dim>(Vec<Dim>::Zero()) : list.way[i],
                        in.bodies.is_wall(i)};
        }
    });
    return balls;
}

struct RankPair {
    std::int32_t low, high;
};

/// What one chunk of cells found: pairs whose lower rank lies in it, and others.
template <int Dim>
struct Found {
    std::vector<RankPair> own, stray;
    Surroundings<Dim> around;   ///< scratch
};

template <int Dim>
void find_near(const CandidateInput<Dim>& in, const CandidateList<Dim>& list, std::span<const PackedBall<Dim>> balls,
               const CellGrid<Dim>& grid, std::size_t first_cell, std::size_t end_cell, Found<Dim>& out) {
    const bool looks_ahead = !list.way.empty(), all_can_touch = list.apart.empty() && in.bodies.glued_to.capacity() == 0;
    grid.for_each_near(first_cell, end_cell, out.around, [&](std::int32_t i, std::int32_t j, bool together) {
        const PackedBall<Dim>&a = balls[i], &b = balls[j];
        double range = a.r + b.r;
        if (looks_ahead) range += (a.way - b.way).norm();
        if (in.cell.nearest(a.x - b.x).squaredNorm() > range * range || (a.is_wall & b.is_wall)) return;
        if (!all_can_touch && !can_touch(in.bodies, list, list.order[i], list.order[j])) return;
        (together || i < j ? out.own : out.stray).push_back({std::min(i, j), std::max(i, j)});
    });
}

/// Rows are short and nearly sorted.
void sort_row(Candidate* first, Candidate* last) {
    for (Candidate* c = first; c != last; ++c) {
        const Candidate moved = *c;
        Candidate* to = c;
        for (; to != first && (to - 1)->other > moved.other; --to) *to = *(to - 1);
        *to = moved;
    }
}

}  // namespace

template <int Dim>
void pair_grains(const CandidateInput<Dim>& in, CandidateList<Dim>& list) {
    const std::size_t n = list.order.size();
    const std::vector<PackedBall<Dim>> balls = packed_balls(in, list);
    std::vector<double> wide;
    if (!list.way.empty()) add_local_ways<Dim>(balls, in.cell, in.threads, wide);
    else for (const auto& ball : balls) wide.push_back(ball.r);
    const CellGrid<Dim> grid(balls, wide, in.cell, in.threads);
    std::vector<Found<Dim>> found((grid.cells() + chunk - 1) / chunk);
    list.grain_begin.assign(n + 1, 0);
    // A ball lies in one chunk, which alone counts and writes the pairs it has with balls of higher rank.
    in.threads.for_chunks(grid.cells(), chunk, [&](std::size_t begin, std::size_t end) {
        Found<Dim>& f = found[begin / chunk];
        find_near<Dim>(in, list, balls, grid, begin, end, f);
        for (const auto& pair : f.own) ++list.grain_begin[pair.low + 1];
    });
    for (const auto& f : found)
        for (const auto& pair : f.stray) ++list.grain_begin[pair.low + 1];
    for (std::size_t k = 0; k < n; ++k) list.grain_begin[k + 1] += list.grain_begin[k];
    resize_snugly(list.grains, static_cast<std::size_t>(list.grain_begin[n]));
    ++list.edition;
    std::vector<std::int32_t> filled(list.grain_begin.begin(), list.grain_begin.end() - 1);
    in.threads.for_tasks(found.size(), [&](std::size_t c) {
        for (const auto& [low, high] : found[c].own) list.grains[filled[low]++] = {high, -1};
    });
    for (const auto& f : found)
        for (const auto& [low, high] : f.stray) list.grains[filled[low]++] = {high, -1};
    in.threads.for_chunks(n, 4 * chunk, [&](std::size_t begin, std::size_t end) {
        for (std::size_t k = begin; k < end; ++k)
            sort_row(list.grains.data() + list.grain_begin[k], list.grains.data() + list.grain_begin[k + 1]);
    });
}

template <int Dim>
NearBoundaries<Dim>::NearBoundaries(const CandidateInput<Dim>& in, const CandidateList<Dim>& list) : in_(in), list_(list) {
    for (std::size_t k = 0; k < list.boundaries.size(); ++k) {
        shape_.push_back(boundary_shape(in.shapes, in.bodies.shape[list.boundaries[k]]));
        to_local_.push_back(matrix_of<Dim>(list.built_rotation[k]).transpose());
    }
}

template <int Dim>
void NearBoundaries<Dim>::add(std::int32_t i, std::vector<Candidate>& near) const {
    for (std::size_t k = 0; k < shape_.size(); ++k) {
        const std::int32_t b = list_.boundaries[k];
        if (!can_touch(in_.bodies, list_, i, b)) continue;
        const Vec<Dim> x = to_local_[k] * in_.cell.nearest(list_.built_position[i] - list_.built_position[b]);
        double limit = list_.margin[i] + list_.margin[b];
        if (!list_.ahead.empty()) limit += list_.ahead[i] + list_.ahead[b] + (list_.way[i] - list_.way[b]).norm();
        if (ball_gap(x, in_.bodies.radius[i], shape_[k], limit) <= limit) near.push_back({b, -1});
    }
}

template <int Dim>
void pair_boundaries(const CandidateInput<Dim>& in, CandidateList<Dim>& list) {
    const std::size_t n = list.order.size();
    const NearBoundaries<Dim> boundaries(in, list);
    list.wall_begin.assign(n + 1, 0);
    std::vector<std::vector<Candidate>> found((n + chunk - 1) / chunk);
    in.threads.for_chunks(n, chunk, [&](std::size_t begin, std::size_t end) {
        auto& near = found[begin / chunk];
        for (std::size_t r = begin; r < end; ++r) {
            boundaries.add(list.order[r], near);
            list.wall_begin[r + 1] = static_cast<std::int32_t>(near.size());  // within the chunk so far
        }
    });
    list.walls.clear();
    for (std::size_t c = 0; c < found.size(); ++c) {
        const auto before = static_cast<std::int32_t>(list.walls.size());
        for (std::size_t r = c * chunk; r < std::min(n, (c + 1) * chunk); ++r) list.wall_begin[r + 1] += before;
        list.walls.insert(list.walls.end(), found[c].begin(), found[c].end());
    }
}

#define TALUS_INSTANTIATE(Dim)                                                  \
    template void pair_grains(const CandidateInput<Dim>&, CandidateList<Dim>&); \
    template class NearBoundaries<Dim>;                                         \
    template void pair_boundaries(const CandidateInput<Dim>&, CandidateList<Dim>&);
TALUS_INSTANTIATE(2)
TALUS_INSTANTIATE(3)
#undef TALUS_INSTANTIATE

}  // namespace talus

#include "detect/broad/near_pairs.h"

#include <algorithm>

#include "detect/broad/cell_grid.h"
#include "detect/broad/local_ways.h"
#include "math/frame.h"
#include "math/snug.h"

namespace talus {
namespace {

constexpr std::size_t chunk = 1024;  ///< ranks handled together

/// Positions, effective radii and ways by rank.
template <int Dim>
struct Packed {
    std::vector<Vec<Dim>> x, way;        ///< ways only where lists look ahead
    std::vector<double> r;
    std::vector<double> wide;            ///< r, and what covers the difference of ways; only where lists look ahead
    std::vector<std::uint8_t> wall;

    Packed(const CandidateInput<Dim>& in, const CandidateList<Dim>& list)
        : x(list.order.size()), way(list.way.empty() ? 0 : list.order.size()), r(list.order.size()), wall(list.order.size()) {
        in.threads.for_chunks(x.size(), 4 * chunk, [&](std::size_t begin, std::size_t end) {
            for (std::size_t k = begin; k < end; ++k) {
                const std::int32_t i = list.order[k];
                wall[k] = in.bodies.is_wall(i);
                x[k] = list.built_position[i];
                r[k] = search_radius(in.bodies, list, i);
                if (!way.empty()) way[k] = list.way[i];
            }
        });
        if (way.empty()) return;
        wide = r;
        add_local_ways(x, way, in.cell, in.threads, wide);
    }
};

struct RankPair {
    std::int32_t low, high;
};

/// What one chunk of ranks found: pairs whose lower rank is its own, and others.
struct Found {
    std::vector<RankPair> own, stray;
};

template <int Dim>
void find_near(const CandidateInput<Dim>& in, const CandidateList<Dim>& list, const Packed<Dim>& p,
               const CellGrid<Dim>& grid, std::size_t begin, std::size_t end, Found& out) {
    out.own.reserve(4 * (end - begin));
    const auto first = static_cast<std::int32_t>(begin), last = static_cast<std::int32_t>(end);
    for (std::int32_t i = first; i < last; ++i) {
        grid.for_each_near(i, [&](std::int32_t j, double square) {
            if (p.wall[i] & p.wall[j]) return;
            if (!p.way.empty()) {
                const double range = p.r[i] + p.r[j] + (p.way[i] - p.way[j]).norm();
                if (square > range * range) return;
            }
            if (!can_touch(in.bodies, list, list.order[i], list.order[j])) return;
            const std::int32_t low = std::min(i, j);
            (low >= first ? out.own : out.stray).push_back({low, std::max(i, j)});
        });
    }
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

/// Writes the rows of a chunk; `filled` gets where each row ends so far.
template <int Dim>
void write_rows(const Found& found, std::size_t begin, std::size_t end, CandidateList<Dim>& list,
                std::vector<std::int32_t>& filled) {
    for (std::size_t k = begin; k < end; ++k) filled[k] = list.grain_begin[k];
    for (const auto& [low, high] : found.own) list.grains[filled[low]++] = {high, -1};
}

}  // namespace

template <int Dim>
void pair_grains(const CandidateInput<Dim>& in, CandidateList<Dim>& list) {
    const std::size_t n = list.order.size();
    const Packed<Dim> packed(in, list);
    const CellGrid<Dim> grid(packed.x, packed.way.empty() ? packed.r : packed.wide, in.cell, in.threads);
    std::vector<Found> found((n + chunk - 1) / chunk);
    list.grain_begin.assign(n + 1, 0);
    in.threads.for_chunks(n, chunk, [&](std::size_t begin, std::size_t end) {
        Found& f = found[begin / chunk];
        find_near(in, list, packed, grid, begin, end, f);
        for (const auto& pair : f.own) ++list.grain_begin[pair.low + 1];
    });
    for (const Found& f : found)
        for (const auto& pair : f.stray) ++list.grain_begin[pair.low + 1];
    for (std::size_t k = 0; k < n; ++k) list.grain_begin[k + 1] += list.grain_begin[k];
    resize_snugly(list.grains, static_cast<std::size_t>(list.grain_begin[n]));
    ++list.edition;
    std::vector<std::int32_t> filled(n);
    in.threads.for_chunks(n, chunk, [&](std::size_t begin, std::size_t end) {
        write_rows(found[begin / chunk], begin, end, list, filled);
    });
    for (const Found& f : found)
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

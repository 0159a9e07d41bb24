#include "detect/broad/candidates.h"

#include <algorithm>
#include <cmath>

#include "detect/broad/cell_grid.h"
#include "math/frame.h"
#include "detect/narrow/boundary.h"

namespace talus {
namespace {

constexpr double margin_of_radius = 0.1;  ///< part of the radius a grain may move before a new list
constexpr double steps_ahead = 16.0;      ///< steps at the present speed that the margin covers

template <int Dim>
double speed_of(const Bodies<Dim>& bodies, std::size_t i) {
    return bodies.velocity[bodies.carrier(i)].norm();
}

/// A boundary's margin scales with the smallest grain: there is no other length to take.
template <int Dim>
void choose_margins(const Bodies<Dim>& bodies, const Placement<Dim>& at, const Pace& pace, CandidateList<Dim>& list) {
    const double ahead = steps_ahead * pace.h;
    const double fall = 0.5 * pace.gravity * ahead * ahead;
    double smallest = std::numeric_limits<double>::infinity();
    list.margin.resize(bodies.size());
    for (std::size_t i = 0; i < bodies.size(); ++i) {
        if (bodies.is_boundary(i)) continue;
        smallest = std::min(smallest, bodies.radius[i]);
        // What stands still for good needs no margin; carriers may turn, so what they carry does.
        const bool rests = bodies.is_wall(i) && speed_of(bodies, i) == 0.0 && bodies.glued_to[i] < 0;
        const double turn = bodies.glued_to[i] < 0 ? 0.0 : bodies.glue_offset[i].norm() * bodies.spin[bodies.glued_to[i]].norm();
        list.margin[i] = rests ? 0.0 : margin_of_radius * bodies.radius[i] + ahead * (speed_of(bodies, i) + turn) + fall;
    }
    if (!std::isfinite(smallest)) smallest = 0.0;
    list.reach.assign(list.boundaries.size(), 0.0);
    for (std::size_t k = 0; k < list.boundaries.size(); ++k) {
        const std::int32_t b = list.boundaries[k];
        for (const std::int32_t i : list.order)
            list.reach[k] = std::max(list.reach[k], (at.position[i] - at.position[b]).norm() + bodies.radius[i]);
        list.margin[b] = margin_of_radius * smallest +
                         ahead * (bodies.velocity[b].norm() + list.reach[k] * bodies.spin[b].norm());
    }
    list.look_ahead = 2.0 * pace.look_ahead;
}

template <int Dim>
void split_grains_and_boundaries(const Bodies<Dim>& bodies, CandidateList<Dim>& list) {
    list.order.clear();
    list.boundaries.clear();
    for (std::size_t i = 0; i < bodies.size(); ++i)
        (bodies.is_boundary(i) ? list.boundaries : list.order).push_back(static_cast<std::int32_t>(i));
}

/// Ranks along a Morton curve through cells of the mean diameter; ties by index.
template <int Dim>
void sort_along_curve(const Bodies<Dim>& bodies, CandidateList<Dim>& list) {
    const auto& x = list.built_position;
    if (!list.order.empty()) {
        Vec<Dim> low = x[list.order[0]];
        double width = 0.0;
        for (const auto i : list.order) {
            low = low.cwiseMin(x[i]);
            width += 2.0 * bodies.radius[i];
        }
        width /= static_cast<double>(list.order.size());
        std::vector<std::pair<std::uint64_t, std::int32_t>> keyed;
        keyed.reserve(list.order.size());
        for (const auto i : list.order) {
            std::array<std::uint32_t, Dim> c;
            for (int k = 0; k < Dim; ++k) c[k] = static_cast<std::uint32_t>(std::min((x[i][k] - low[k]) / width, morton_limit<Dim>));
            keyed.emplace_back(morton<Dim>(c), i);
        }
        std::sort(keyed.begin(), keyed.end());
        for (std::size_t r = 0; r < keyed.size(); ++r) list.order[r] = keyed[r].second;
    }
    list.rank.assign(bodies.size(), -1);
    for (std::size_t r = 0; r < list.order.size(); ++r) list.rank[list.order[r]] = static_cast<std::int32_t>(r);
    for (std::size_t k = 0; k < list.boundaries.size(); ++k)
        list.rank[list.boundaries[k]] = static_cast<std::int32_t>(list.order.size() + k);
}

/// Walls do not touch walls, nor a body what is glued to it or held by a joint.
template <int Dim>
bool can_touch(const Bodies<Dim>& bodies, const CandidateList<Dim>& list, std::int32_t i, std::int32_t j) {
    const std::int32_t a = bodies.carrier(i), b = bodies.carrier(j);
    if (a == b || (bodies.is_wall(i) && bodies.is_wall(j))) return false;
    return list.apart.empty() || !std::binary_search(list.apart.begin(), list.apart.end(), std::minmax({a, b}));
}

template <int Dim>
void pair_grains(const Bodies<Dim>& bodies, const Cell<Dim>& cell, CandidateList<Dim>& list) {
    const std::size_t n = list.order.size();
    std::vector<Vec<Dim>> x(n);
    std::vector<double> r(n);
    std::vector<std::uint8_t> wall(n);
    for (std::size_t k = 0; k < n; ++k) {
        const std::int32_t i = list.order[k];
        wall[k] = bodies.is_wall(i);
        x[k] = list.built_position[i];
        r[k] = bodies.radius[i] + list.margin[i] + 0.5 * list.look_ahead;
    }
    const CellGrid<Dim> grid(x, r, cell);
    std::vector<std::pair<std::int32_t, std::int32_t>> pairs;
    pairs.reserve(4 * n);
    list.grain_begin.assign(n + 1, 0);
    for (std::int32_t i = 0; i < static_cast<std::int32_t>(n); ++i) {
        grid.for_each_near(i, [&](std::int32_t j) {
            if (wall[i] & wall[j]) return;
            const double range = r[i] + r[j];
            if (cell.nearest(x[i] - x[j]).squaredNorm() > range * range) return;
            if (!can_touch(bodies, list, list.order[i], list.order[j])) return;
            pairs.emplace_back(std::min(i, j), std::max(i, j));
            ++list.grain_begin[std::min(i, j) + 1];
        });
    }
    for (std::size_t k = 0; k < n; ++k) list.grain_begin[k + 1] += list.grain_begin[k];
    list.grains.resize(pairs.size());
    std::vector<std::int32_t> next(list.grain_begin.begin(), list.grain_begin.end());
    for (const auto& [low, high] : pairs) list.grains[next[low]++] = {high, -1, 0};
    for (std::size_t k = 0; k < n; ++k)
        std::sort(list.grains.begin() + list.grain_begin[k], list.grains.begin() + list.grain_begin[k + 1],
                  [](const Candidate& a, const Candidate& b) { return a.other < b.other; });
}

template <int Dim>
void pair_boundaries(const Bodies<Dim>& bodies, const ShapeTable<Dim>& shapes, const Cell<Dim>& cell,
                     CandidateList<Dim>& list) {
    const std::size_t n = list.order.size();
    std::vector<std::pair<std::int32_t, std::int32_t>> near;  // (rank, boundary)
    for (std::size_t k = 0; k < list.boundaries.size(); ++k) {
        const std::int32_t b = list.boundaries[k];
        const BoundaryShape<Dim> shape = boundary_shape(shapes, bodies.shape[b]);
        const Mat<Dim> to_local = matrix_of<Dim>(list.built_rotation[k]).transpose();
        for (std::size_t r = 0; r < n; ++r) {
            const std::int32_t i = list.order[r];
            if (!can_touch(bodies, list, i, b)) continue;
            const Vec<Dim> x = to_local * cell.nearest(list.built_position[i] - list.built_position[b]);
            const double limit = list.margin[i] + list.margin[b] + list.look_ahead;
            if (ball_gap(x, bodies.radius[i], shape, limit) <= limit)
                near.emplace_back(static_cast<std::int32_t>(r), b);
        }
    }
    std::sort(near.begin(), near.end());
    list.wall_begin.assign(n + 1, 0);
    list.walls.clear();
    for (const auto& [r, b] : near) {
        ++list.wall_begin[r + 1];
        list.walls.push_back({b, -1, 0});
    }
    for (std::size_t k = 0; k < n; ++k) list.wall_begin[k + 1] += list.wall_begin[k];
}

}  // namespace

template <int Dim>
Cell<Dim> cell_of(const Settings<Dim>& settings) {
    Cell<Dim> cell;
    cell.periodic = settings.periodic;
    for (int k = 0; k < Dim; ++k) {
        if (!settings.periodic[k]) continue;
        cell.any = true;
        cell.low[k] = settings.cell_low[k];
        cell.length[k] = settings.cell_high[k] - settings.cell_low[k];
        cell.inverse[k] = 1.0 / cell.length[k];
    }
    return cell;
}

template <int Dim>
void rebuild_from_record(const Bodies<Dim>& bodies, const ShapeTable<Dim>& shapes, const Cell<Dim>& cell,
                         CandidateList<Dim>& list) {
    split_grains_and_boundaries(bodies, list);
    sort_along_curve(bodies, list);
    pair_grains(bodies, cell, list);
    pair_boundaries(bodies, shapes, cell, list);
    list.valid = true;
}

template <int Dim>
void build_candidates(const Bodies<Dim>& bodies, const ShapeTable<Dim>& shapes, const Cell<Dim>& cell,
                      const Placement<Dim>& at, const Pace& pace, CandidateList<Dim>& list) {
    split_grains_and_boundaries(bodies, list);
    list.built_position = at.position;
    list.built_rotation.clear();
    for (const auto b : list.boundaries) list.built_rotation.push_back(at.rotation[b]);
    choose_margins(bodies, at, pace, list);
    rebuild_from_record(bodies, shapes, cell, list);
}

template <int Dim>
bool still_valid(const CandidateList<Dim>& list, const Cell<Dim>& cell, const Placement<Dim>& at, double look_ahead) {
    if (!list.valid || list.built_position.size() != at.position.size() || look_ahead > list.look_ahead) return false;
    // Rounding of positions must not turn "moved by exactly the margin" into a missed pair.
    constexpr double safe = 1.0 - 1e-9;
    for (const std::int32_t i : list.order) {
        const double moved2 = cell.nearest(at.position[i] - list.built_position[i]).squaredNorm();
        const double margin = safe * list.margin[i];
        if (moved2 > margin * margin) return false;
    }
    for (std::size_t k = 0; k < list.boundaries.size(); ++k) {
        const std::int32_t b = list.boundaries[k];
        const double moved = cell.nearest(at.position[b] - list.built_position[b]).norm();
        const Mat<Dim> turned = matrix_of<Dim>(at.rotation[b]) - matrix_of<Dim>(list.built_rotation[k]);
        if (moved + turned.norm() * list.reach[k] > safe * list.margin[b]) return false;
    }
    return true;
}

#define TALUS_INSTANTIATE(Dim)                                                                                       \
    template Cell<Dim> cell_of(const Settings<Dim>&);                                                                \
    template void build_candidates(const Bodies<Dim>&, const ShapeTable<Dim>&, const Cell<Dim>&,              \
                                   const Placement<Dim>&, const Pace&, CandidateList<Dim>&);                         \
    template void rebuild_from_record(const Bodies<Dim>&, const ShapeTable<Dim>&, const Cell<Dim>&,           \
                                      CandidateList<Dim>&);                                                          \
    template bool still_valid(const CandidateList<Dim>&, const Cell<Dim>&, const Placement<Dim>&, double);
TALUS_INSTANTIATE(2)
TALUS_INSTANTIATE(3)
#undef TALUS_INSTANTIATE

}  // namespace talus

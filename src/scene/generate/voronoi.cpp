/// \file
/// A box broken into Voronoi cells of random points, each drawn in by half of `gap` on every side. Points keep
/// twice the gap from each other and the gap from the faces of the box, so that something is left of every cell.
/// Cells in space are cut by voro++, in the plane by clipping with half-planes. `relax` moves every point to the
/// middle of its cell so many times, which makes cells more alike.
#include <algorithm>
#include <cmath>
#include <numeric>
#include <voro++/voro++.hh>

#include "scene/enclosing_ball.h"
#include "scene/generate/generator_registry.h"
#include "scene/read.h"

namespace talus {
namespace {

using namespace scene;

struct VoronoiPlan {
    Point low = Point::Zero(), high = Point::Zero();
    std::int64_t cells = 1;
    double gap = 0.0;
    std::int64_t relax = 0;
    int dimension = 3;
};

using Corners = std::vector<Point>;

/// The polygon without its part beyond n.x = offset.
Corners clipped(const Corners& polygon, const Point& n, double offset) {
    Corners kept;
    for (std::size_t k = 0; k < polygon.size(); ++k) {
        const Point &a = polygon[k], &b = polygon[(k + 1) % polygon.size()];
        const double da = n.dot(a) - offset, db = n.dot(b) - offset;
        if (da <= 0.0) kept.push_back(a);
        if ((da < 0.0 && db > 0.0) || (da > 0.0 && db < 0.0)) kept.push_back(a + da / (da - db) * (b - a));
    }
    return kept;
}

/// A cell about the origin that is cut by one plane after the other.
class PlaneCell {
public:
    PlaneCell(const Point& low, const Point& high)
        : corners_{low, {high[0], low[1], 0.0}, high, {low[0], high[1], 0.0}} {}
    bool cut(const Point& n, double offset) {
        corners_ = clipped(corners_, n, offset);
        return corners_.size() >= 3;
    }
    [[nodiscard]] double reach() const {
        double r = 0.0;
        for (const Point& p : corners_) r = std::max(r, p.norm());
        return r;
    }
    [[nodiscard]] Corners corners() { return corners_; }

private:
    Corners corners_;
};

class SpaceCell {
public:
    SpaceCell(const Point& low, const Point& high) { cell_.init(low[0], high[0], low[1], high[1], low[2], high[2]); }
    bool cut(const Point& n, double offset) { return cell_.plane(n[0], n[1], n[2], 2.0 * offset); }
    [[nodiscard]] double reach() { return std::sqrt(cell_.max_radius_squared()); }
    [[nodiscard]] Corners corners() {
        std::vector<double> numbers;
        cell_.vertices(numbers);
        Corners corners;
        for (std::size_t k = 0; k + 2 < numbers.size(); k += 3)
            corners.emplace_back(numbers[k], numbers[k + 1], numbers[k + 2]);
        return corners;
    }

private:
    voro::voronoicell cell_;
};

/// Corners of the cell of point i, seen from it; none when nothing is left of it.
template <class Cell>
Corners cell_of(const VoronoiPlan& plan, const std::vector<Point>& points, std::size_t i, double gap) {
    const Point &x = points[i], margin = Point::Constant(0.5 * gap);
    const Point low = plan.low + margin - x, high = plan.high - margin - x;
    for (int k = 0; k < plan.dimension; ++k)
        if (!(low[k] < 0.0 && high[k] > 0.0)) return {};
    std::vector<std::size_t> order(points.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
        const double da = (points[a] - x).squaredNorm(), db = (points[b] - x).squaredNorm();
        return da != db ? da < db : a < b;
    });
    Cell cell(low, high);
    for (const std::size_t j : order) {
        if (j == i) continue;
        const Point d = points[j] - x;
        const double distance = d.norm();
        if (0.5 * (distance - gap) > cell.reach()) break;  // nor does any farther point cut
        if (distance <= gap || !cell.cut(d / distance, 0.5 * (distance - gap))) return {};
    }
    return cell.corners();
}

Corners cell_of(const VoronoiPlan& plan, const std::vector<Point>& points, std::size_t i, double gap) {
    return plan.dimension == 2 ? cell_of<PlaneCell>(plan, points, i, gap) : cell_of<SpaceCell>(plan, points, i, gap);
}

/// Points of the same place: corners nearer than this part of the cell are rounding of one.
Corners distinct(const Corners& corners, double least) {
    Corners kept;
    for (const Point& p : corners) {
        const auto is_here = [&](const Point& q) { return (p - q).norm() <= least; };
        if (std::none_of(kept.begin(), kept.end(), is_here)) kept.push_back(p);
    }
    return kept;
}

VoronoiPlan read_plan(GeneratorInput& input) {
    Reader& keys = input.keys;
    VoronoiPlan plan;
    plan.dimension = input.scene.dimension;
    plan.low = keys.need_vector("low", quantity::length, plan.dimension == 2 ? "[0, 0]" : "[0, 0, 0]");
    plan.high = keys.need_vector("high", quantity::length, plan.dimension == 2 ? "[1, 1]" : "[1, 1, 1]");
    plan.cells = keys.need_integer("cells", 1, 20'000, "100");
    plan.gap = keys.number("gap", quantity::length, range::not_negative, 0.0);
    plan.relax = keys.integer("relax", 0, 1000, 0);
    bool in_order = true;
    for (int k = 0; k < plan.dimension; ++k) in_order = in_order && plan.low[k] + 2.0 * plan.gap < plan.high[k];
    if (keys.has("low") && keys.has("high") && !in_order)
        keys.fail("high", "'high' must be beyond 'low' by more than two gaps along every axis; change one of them");
    return plan;
}

/// Random points that keep their distance; fewer than asked for when there is no room for them.
std::vector<Point> scattered(const VoronoiPlan& plan, Random& random) {
    constexpr int attempts = 1000;
    std::vector<Point> points;
    for (std::int64_t n = 0; n < plan.cells; ++n) {
        bool found = false;
        for (int attempt = 0; attempt < attempts && !found; ++attempt) {
            Point p = Point::Zero();
            for (int k = 0; k < plan.dimension; ++k)
                p[k] = random.uniform(plan.low[k] + plan.gap, plan.high[k] - plan.gap);
            found = std::none_of(points.begin(), points.end(),
                                 [&](const Point& q) { return (p - q).norm() < 2.0 * plan.gap || p == q; });
            if (found) points.push_back(p);
        }
        if (!found) break;
    }
    return points;
}

std::vector<Point> points_of(const VoronoiPlan& plan, Random& random) {
    std::vector<Point> points = scattered(plan, random);
    for (std::int64_t round = 0; round < plan.relax; ++round) {
        auto moved = points;
        for (std::size_t i = 0; i < points.size(); ++i) {
            // The mean of the corners stands for the middle.
            const Corners corners = cell_of(plan, points, i, 0.0);
            Point sum = Point::Zero();
            for (const Point& p : corners) sum += p;
            if (!corners.empty()) moved[i] += sum / static_cast<double>(corners.size());
        }
        points = std::move(moved);
    }
    return points;
}

std::vector<GeneratedGrain> make_voronoi(GeneratorInput& input) {
    const VoronoiPlan plan = read_plan(input);
    std::vector<GeneratedGrain> made;
    if (!input.keys.context().errors.empty()) return made;
    Random random(input.seed);
    const auto points = points_of(plan, random);
    if (points.size() < static_cast<std::size_t>(plan.cells)) {
        input.keys.fail("gap", "only " + std::to_string(points.size()) + " of " + std::to_string(plan.cells) +
                                   " cells have room for the gap; write a smaller 'gap' or fewer 'cells'");
        return made;
    }
    for (std::size_t i = 0; i < points.size(); ++i) {
        Corners corners = cell_of(plan, points, i, plan.gap);
        EnclosingBall ball = enclosing_ball(corners);
        corners = distinct(corners, 1e-9 * ball.radius);
        if (corners.size() <= static_cast<std::size_t>(plan.dimension)) {
            input.keys.fail("gap", "nothing is left of cell " + std::to_string(i + 1) +
                                       " when it is drawn in by the gap; write a smaller 'gap', or 'relax: 5' for "
                                       "more even cells");
            return {};
        }
        GeneratedGrain grain;
        grain.position = points[i] + ball.centre;
        grain.radius = ball.radius;
        grain.shape = ShapeSpec{plan.dimension == 2 ? "polygon" : "polyhedron", {}};
        for (const Point& p : corners) {
            const Point x = p - ball.centre;
            grain.shape->sizes.insert(grain.shape->sizes.end(), x.data(), x.data() + plan.dimension);
        }
        made.push_back(std::move(grain));
    }
    return made;
}

}  // namespace

void register_voronoi(GeneratorRegistry& registry) {
    registry.add("voronoi", {make_voronoi, false, Generator::Grains::own});
}

}  // namespace talus

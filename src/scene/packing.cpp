#include "scene/packing.h"

#include <algorithm>
#include <cmath>

namespace talus::scene {

namespace {

struct Pair {
    std::uint32_t a, b;
    bool standing;  ///< b is an index of the standing balls
};

/// All pairs whose gap is below `skin`.
std::vector<Pair> near_pairs(const std::vector<PackingBall>& balls, const BallGrid& standing, BallGrid& grid,
                             double skin) {
    std::vector<Pair> pairs;
    grid.clear();
    for (const auto& ball : balls) grid.insert(ball.position, ball.radius);
    for (std::uint32_t i = 0; i < balls.size(); ++i) {
        const auto& ball = balls[i];
        grid.for_each_near(ball.position, ball.radius + skin, [&](std::size_t j) {
            if (j > i && grid.between(ball.position, balls[j].position).norm() < ball.radius + balls[j].radius + skin)
                pairs.push_back({i, static_cast<std::uint32_t>(j), false});
        });
        standing.for_each_near(ball.position, ball.radius + skin, [&](std::size_t j) {
            if (grid.between(ball.position, standing.centre(j)).norm() < ball.radius + standing.radius(j) + skin)
                pairs.push_back({i, static_cast<std::uint32_t>(j), true});
        });
    }
    return pairs;
}

/// Moves every overlapping pair apart, one after the other.
void push_apart(std::vector<PackingBall>& balls, const std::vector<Pair>& pairs, const BallGrid& standing,
                const BallGrid& grid, double inflate) {
    for (const auto& pair : pairs) {
        PackingBall& a = balls[pair.a];
        const Point& other = pair.standing ? standing.centre(pair.b) : balls[pair.b].position;
        const double radius = pair.standing ? standing.radius(pair.b) : balls[pair.b].radius;
        Point d = grid.between(a.position, other);
        const double distance = d.norm();
        const double overlap = (a.radius + radius) * inflate - distance;
        if (overlap <= 0.0) continue;
        d = distance > 0.0 ? Point(d / distance) : Point(Point::UnitX());
        if (pair.standing) {
            a.position -= overlap * d;
        } else {
            a.position -= 0.5 * overlap * d;
            balls[pair.b].position += 0.5 * overlap * d;
        }
    }
}

/// Largest true overlap over the smaller radius; negative or zero: none.
double worst_overlap(const std::vector<PackingBall>& balls, const std::vector<Pair>& pairs, const BallGrid& standing,
                     const BallGrid& grid) {
    double worst = 0.0;
    for (const auto& pair : pairs) {
        const PackingBall& a = balls[pair.a];
        const Point& other = pair.standing ? standing.centre(pair.b) : balls[pair.b].position;
        const double radius = pair.standing ? standing.radius(pair.b) : balls[pair.b].radius;
        worst =
            std::max(worst, (a.radius + radius - grid.between(a.position, other).norm()) / std::min(a.radius, radius));
    }
    return worst;
}

double largest_move(const std::vector<PackingBall>& balls, const std::vector<Point>& since) {
    double moved = 0.0;
    for (std::size_t i = 0; i < balls.size(); ++i) moved = std::max(moved, (balls[i].position - since[i]).norm());
    return moved;
}

}  // namespace

bool separate(std::vector<PackingBall>& balls, const Packing& packing, BallGrid grid) {
    if (balls.empty()) return true;
    constexpr double inflate = 1.0 + 1e-4;  // aims past contact, so that contact is lost in finitely many sweeps
    double smallest = balls.front().radius;
    for (const auto& ball : balls) smallest = std::min(smallest, ball.radius);
    const double skin = 0.3 * smallest;
    std::vector<Point> listed;
    std::vector<Pair> pairs;
    for (int sweep = 0; sweep < packing.max_sweeps; ++sweep) {
        for (auto& ball : balls) ball.position = packing.region.pull_inside(ball.position, ball.margin, packing.open);
        if (listed.empty() || 2.0 * largest_move(balls, listed) >= skin) {
            for (auto& ball : balls) ball.position = grid.wrapped(ball.position);
            pairs = near_pairs(balls, packing.standing, grid, skin);
            listed.clear();
            for (const auto& ball : balls) listed.push_back(ball.position);
        }
        if (worst_overlap(balls, pairs, packing.standing, grid) <= 0.0) return true;
        push_apart(balls, pairs, packing.standing, grid, inflate);
    }
    return false;
}

}  // namespace talus::scene

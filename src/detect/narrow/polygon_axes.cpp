/// \file
/// Which edge of two polygons separates them best: all edges are tried, but those that an inner point of the other rules out; or, where the
/// pair remembers them, the few that can have become the best since [pair_memory.h].

#include <algorithm>
#include <array>
#include <cstdint>

#include "detect/narrow/polygon_pair.h"

namespace talus {
namespace {

constexpr double remembered_lead = 0.05;  ///< parts of the size by which axes that are remembered should be ahead of others

/// Height of the lowest point over an edge.
double lowest(std::span<const Vec<2>> points, const Vec<2>& n, const Vec<2>& origin) {
    // By two and without std::min: comparisons then neither wait for one another nor become jumps hard to foresee.
    const auto height = [&](std::size_t k) { return n.dot(points[k] - origin); };
    const auto smaller = [](double x, double y) { return x < y ? x : y; };
    double even = height(0), odd = std::numeric_limits<double>::infinity();
    std::size_t k = 1;
    for (; k + 1 < points.size(); k += 2) {
        odd = smaller(height(k), odd);
        even = smaller(height(k + 1), even);
    }
    if (k < points.size()) odd = smaller(height(k), odd);
    return smaller(odd, even);
}

/// Tries one edge as axis. \returns false when it separates by more than the reach.
bool try_edge(PolygonPair& pair, const EdgeAxis& axis) {
    if (axis.separation > pair.scale.reach) return false;
    pair.axes.push_back(axis);
    const double score = axis.separation + pair.scale.bonus(axis.of_a);
    if (score > pair.best_score + rounding_tolerance * pair.scale.size) {
        pair.best_score = score;
        pair.best = axis;
    }
    return true;
}

EdgeAxis measured(const PolygonPair& pair, bool of_a, int edge) {
    const PlacedPolygon& own = of_a ? pair.a : pair.b;
    const PlacedPolygon& other = of_a ? pair.b : pair.a;
    const Vec<2> n = own.normal(edge);
    return {lowest(other.vertices, n, own.vertices[edge]), of_a ? Vec<2>(-n) : n, edge, of_a};
}

/// Tries the edges of one polygon as axes; `left_out` is raised to what bounds those that are not tried. \returns false when one of them
/// separates by more than the reach, which is then the last of `axes`.
bool try_edges(PolygonPair& pair, bool of_a, double& left_out) {
    const PlacedPolygon& own = of_a ? pair.a : pair.b;
    const Vec<2>& inside = of_a ? pair.inside_b : pair.inside_a;
    // What is remembered lasts longer if the axes left out are far from the best.
    const double lead = pair.query.memory == nullptr ? 0.0 : remembered_lead * pair.scale.size;
    for (int k = 0; k < own.edges(); ++k) {
        // No point of the other can be lower than the lowest: an inner point bounds the separation.
        const double worst = std::min(pair.best.separation, 0.0) - pair.scale.window(pair.best.separation) - lead;
        const double bound = own.normal(k).dot(inside - own.vertices[k]);
        if (bound < worst) {
            left_out = std::max(left_out, bound);
            continue;
        }
        const EdgeAxis axis = measured(pair, of_a, k);
        if (!try_edge(pair, axis)) {
            pair.axes.push_back(axis);
            return false;
        }
    }
    return true;
}

/// Distance by which a point of either may have come nearer to an edge of the other since the memory is from.
double moved_since(const PolygonPair& pair, const Pose<2>& pose, const PairMemory<2>& memory) {
    // The sum of a vector's components is as long as it or longer, and needs no root.
    const auto length = [](const Vec<2>& d) { return std::abs(d[0]) + std::abs(d[1]); };
    const double arm = std::max(pair.arm_a, pair.arm_b + length(pose.translation));
    return length(pose.translation - memory.translation) + length(pose.rotation.col(0) - memory.turn) * arm;
}

enum class Found { apart, axes, nothing };

/// Tries the axes remembered, in the order in which they are tried among all. \returns `nothing` when others may be better.
Found try_remembered(PolygonPair& pair, const Pose<2>& pose) {
    const PairMemory<2>& memory = *pair.query.memory;
    for (int k = 0; k < memory.count; ++k) {
        const bool of_a = (memory.axes[k] & PairMemory<2>::of_a) != 0;
        if (!try_edge(pair, measured(pair, of_a, memory.axes[k] & ~PairMemory<2>::of_a))) return Found::apart;
    }
    if (memory.others == std::numeric_limits<double>::infinity()) return Found::nothing;
    const double best = pair.best.separation, least = best - pair.scale.window(best) - 4.0 * pair.scale.same;
    return memory.others + moved_since(pair, pose, memory) < least ? Found::axes : Found::nothing;
}

/// Keeps the best of the axes tried, so many that the next one is far behind if possible.
void remember(const PolygonPair& pair, const Pose<2>& pose, double left_out) {
    PairMemory<2>& memory = *pair.query.memory;
    std::array<const EdgeAxis*, PairMemory<2>::most + 1> top{};   // by separation, and the first that is not kept
    for (const EdgeAxis& axis : pair.axes) {
        const EdgeAxis* moved = &axis;
        for (const EdgeAxis*& place : top) {
            if (place == nullptr || moved->separation > place->separation) std::swap(place, moved);
            if (moved == nullptr) break;
        }
    }
    memory.count = 0;
    memory.turn = pose.rotation.col(0);
    memory.translation = pose.translation;
    for (int k = 0; k < PairMemory<2>::most && top[k] != nullptr; ++k) {
        memory.axes[memory.count++] = static_cast<std::uint16_t>(top[k]->edge | (top[k]->of_a ? PairMemory<2>::of_a : 0));
        memory.others = std::max(left_out, top[k + 1] == nullptr ? left_out : top[k + 1]->separation);
        if (memory.others < top[0]->separation - remembered_lead * pair.scale.size) break;
    }
    // Edges of b come first.
    std::sort(memory.axes.begin(), memory.axes.begin() + memory.count);
}

/// The axis that keeps them apart is enough to remember.
void remember_apart(const PolygonPair& pair) {
    PairMemory<2>& memory = *pair.query.memory;
    const EdgeAxis& axis = pair.axes.back();
    memory.count = 1;
    memory.axes[0] = static_cast<std::uint16_t>(axis.edge | (axis.of_a ? PairMemory<2>::of_a : 0));
    memory.others = std::numeric_limits<double>::infinity();
}

}  // namespace

bool find_axes(PolygonPair& pair, const Pose<2>& pose) {
    pair.axes.clear();
    if (pair.query.memory != nullptr && pair.query.memory->count > 0) {
        const Found found = try_remembered(pair, pose);
        if (found != Found::nothing) return found == Found::axes;
        pair.axes.clear();
        pair.best = {};
        pair.best_score = -std::numeric_limits<double>::infinity();
    }
    double left_out = -std::numeric_limits<double>::infinity();
    const bool near = try_edges(pair, false, left_out) && try_edges(pair, true, left_out);
    if (pair.query.memory == nullptr || pair.axes.empty()) return near;
    near ? remember(pair, pose, left_out) : remember_apart(pair);
    return near;
}

}  // namespace talus

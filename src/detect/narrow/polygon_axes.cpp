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

struct Lowest {
    double height;
    int vertex;
    bool alone = false;   ///< see EdgeAxis
    void look(double other, int at) {   // without std::min, which becomes a jump hard to foresee
        vertex = other < height ? at : vertex;
        height = other < height ? other : height;
    }
};

/// Finds the lowest vertex of a polygon, `height` being that of its vertices above an edge of the other; `likely` is where to look first, -1: nowhere.
template <class Polygon, class Height>
inline Lowest find_lowest(const Polygon& p, const Height& height, int likely, double clear) {
    if (likely >= 0) {
        // On a convex outline a vertex that is lower than both its neighbours is lower than all others. Near ties are for the search.
        const double here = height(likely);
        if (height(p.before(likely)) > here + clear && height(p.after(likely)) > here + clear) return {here, likely, true};
    }
    // By two, so that comparisons do not wait for one another.
    Lowest even{height(0), 0}, odd = even;
    int k = 1;
    for (; k + 1 < p.size; k += 2) {
        odd.look(height(k), k);
        even.look(height(k + 1), k + 1);
    }
    if (k < p.size) odd.look(height(k), k);
    even.look(odd.height, odd.vertex);
    return even;
}

/// Tries one edge as axis. \returns false when it separates by more than the reach.
template <bool of_a>
inline bool try_edge(PolygonPair& pair, int edge, int likely = -1) {
    const auto& other = pair.template own<!of_a>();
    const Vec<2> n = pair.template own<of_a>().normal(edge), origin = pair.template own<of_a>().vertex(edge);
    const auto height = [&](int k) { return n.dot(other.vertex(k) - origin); };
    const Lowest low = find_lowest(other, height, likely, pair.scale.same);
    const int place = pair.count++;
    pair.axes[place] = {low.height, n, origin, edge, low.vertex, of_a, low.alone};
    if (low.height > pair.scale.reach) return false;
    const double score = low.height + pair.bonus[of_a];
    if (score > pair.best_score + rounding_tolerance * pair.scale.size) {
        pair.best_score = score;
        pair.best = place;
    }
    return true;
}

/// Tries the edges of one polygon as axes, `inside` being a point of the other; `left_out` is raised to what bounds those that are not
/// tried. \returns false when one of them separates by more than the reach, which is then the last of `axes`.
template <bool of_a>
bool try_edges(PolygonPair& pair, const Vec<2>& inside, double& left_out) {
    const auto& own = pair.template own<of_a>();
    // What is remembered lasts longer if the axes left out are far from the best.
    const double lead = pair.query.memory == nullptr ? 0.0 : remembered_lead * pair.scale.size;
    for (int k = 0; k < own.edges; ++k) {
        // No point of the other can be lower than the lowest: an inner point bounds the separation.
        const double best = pair.count == 0 ? -std::numeric_limits<double>::infinity() : pair.axes[pair.best].separation;
        const double worst = std::min(best, 0.0) - pair.scale.window(best) - lead;
        const double bound = own.normal(k).dot(inside - own.vertex(k));
        if (bound < worst) left_out = std::max(left_out, bound);
        else if (!try_edge<of_a>(pair, k)) return false;
    }
    return true;
}

/// Keeps the best of the axes tried, so many that the next one is far behind if possible.
void remember(const PolygonPair& pair, const Pose<2>& pose, double left_out) {
    PairMemory<2>& memory = *pair.query.memory;
    std::array<const EdgeAxis*, PairMemory<2>::most + 1> top{};   // by separation, and the first that is not kept
    for (int k = 0; k < pair.count; ++k) {
        const EdgeAxis* moved = pair.axes + k;
        for (const EdgeAxis*& place : top) {
            if (place == nullptr || moved->separation > place->separation) std::swap(place, moved);
            if (moved == nullptr) break;
        }
    }
    memory.count = memory.apart = 0;
    memory.turn = pose.rotation.col(0);
    memory.translation = pose.translation;
    for (int k = 0; k < PairMemory<2>::most && top[k] != nullptr; ++k) {
        memory.add(top[k]->edge, top[k]->of_a, top[k]->lowest);
        memory.others = std::max(left_out, top[k + 1] == nullptr ? left_out : top[k + 1]->separation);
        if (memory.others < top[0]->separation - remembered_lead * pair.scale.size) break;
    }
    // Edges of b come first.
    std::sort(memory.axes.begin(), memory.axes.begin() + memory.count);
}

/// The axis that keeps them apart is enough to remember.
void remember_apart(const EdgeAxis& axis, PairMemory<2>& memory) {
    memory.count = 0;
    memory.apart = 1;
    memory.add(axis.edge, axis.of_a, axis.lowest);
    memory.others = std::numeric_limits<double>::infinity();
}

/// The lowest of the vertices along n.
double lowest(const std::vector<Vec<2>>& vertices, const Vec<2>& n) {
    double low = std::numeric_limits<double>::infinity();
    for (const Vec<2>& v : vertices) {
        const double here = n.dot(v);
        low = here < low ? here : low;
    }
    return low;
}

}  // namespace

double separation_remembered(const Polytope<2>& a, const Pose<2>& pose, const Polytope<2>& b, const PairMemory<2>& memory) {
    if (memory.apart == 0) return -std::numeric_limits<double>::infinity();
    const int axis = memory.apart - 1, edge = memory.edge(axis);
    if (!memory.is_of_a(axis)) {
        const Vec<2>& n = b.normals[edge];
        return lowest(a.vertices, pose.rotation.transpose() * n) + n.dot(pose.translation - b.vertices[edge]);
    }
    const Vec<2> n = pose.rotation * a.normals[edge];
    return lowest(b.vertices, n) - n.dot(pose.point(a.vertices[edge]));
}

Remembered try_remembered(PolygonPair& pair) {
    if (pair.query.memory == nullptr || pair.query.memory->count == 0) return Remembered::not_enough;
    PairMemory<2>& memory = *pair.query.memory;
    for (int k = 0; k < memory.count; ++k) {
        const int edge = memory.edge(k), likely = memory.axes[k].lowest;
        const bool near = memory.is_of_a(k) ? try_edge<true>(pair, edge, likely) : try_edge<false>(pair, edge, likely);
        memory.axes[k].lowest = static_cast<std::uint16_t>(pair.axes[k].lowest);
        if (near) continue;
        memory.apart = static_cast<std::uint8_t>(k + 1);
        return Remembered::apart;
    }
    memory.apart = 0;
    if (memory.others == std::numeric_limits<double>::infinity()) return Remembered::not_enough;
    const double best = pair.axes[pair.best].separation, least = best - pair.scale.window(best) - 4.0 * pair.scale.same;
    return memory.others + pair.moved_since(memory) < least ? Remembered::enough : Remembered::not_enough;
}

bool find_axes(const Polytope<2>& a, const Pose<2>& pose, const Polytope<2>& b, PolygonPair& pair) {
    PairMemory<2>* const memory = pair.query.memory;
    pair.count = 0;
    pair.best = 0;
    pair.best_score = -std::numeric_limits<double>::infinity();
    double left_out = -std::numeric_limits<double>::infinity();
    const bool near = try_edges<false>(pair, pose.point(a.core.inner), left_out) && try_edges<true>(pair, b.core.inner, left_out);
    if (memory == nullptr || pair.count == 0) return near;
    near ? remember(pair, pose, left_out) : remember_apart(pair.axes[pair.count - 1], *memory);
    return near;
}

}  // namespace talus

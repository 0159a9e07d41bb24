/// \file
/// What is certain of two polyhedra without a search: a corner or more of one over a face of the other, or an edge across an edge, well within both.
///
/// Let x be the point of A and y that of B that meet, x - y = h n, where A is on the side of n; over a face of B x is the lowest corner of A. Along a
/// direction m, at an angle t to n, the cores are separated by no more than m . (x' - y') for any points x' and y' of theirs. With y' in the face of B at
/// the distance rho from y, to the side to which m leans, or with both along the edges by r and rho = r sin(angle of the edges), this is
/// h cos t - rho sin t. So no other direction near n separates as much. With the depth d = -h (0 where they are apart), tan p = d / rho and
/// sin q = (d + w) / sqrt(rho^2 + d^2), those that come within w of it have t <= q - p or t >= pi - p - q. The latter are ruled out by points inside: two
/// balls, of the depths of these points, keep the cores from being separated by more than m . (from the one to the other) less both depths.
///
/// Where x lies deeper than rho this says little. But a search has seen all axes: those that lean by more than near_best separate by no more than `others`. Among
/// all directions that lean by more than some angle the separation is largest at an axis, or at that angle; there, at pi - p - q, it is below -(d + w) by the
/// above. Along any one direction, whether it was an axis or is one now, it changes by no more than points move. So with w wider by twice that way, and an angle
/// which leaves room for the turn of n, none of these directions competes while `others` and the way are below -(d + w).
///
/// Axes are normals of faces of the Minkowski difference. Where all other corners of A lie so much higher along n, and all others of B so much lower, that
/// these parts stay the outermost however the direction leans within this angle, no other such axis has a part in them (of a corner on a face: none but
/// faces of B, and these lean by more). So the axis is the best, and nothing competes with it. What is clipped
/// against a face then is a face about the corner, which rises from it by a slope: all its points but the corner are beyond the reach where this is
/// steep enough.
///
/// Over a face several corners may lie about as low. Then edges of A may make axes that lean by less than that angle, which are never chosen before a face
/// [polyhedron_polyhedron.cpp]; so the face is the best and the one that is chosen where no face of A leans as little. What is clipped is the face of A that
/// is turned to it most, if it holds all corners that may be the lowest.
///
/// When no point of either body moves by more than s in the axes of the other, which then turns by no more than s over the longer arm, heights
/// change by s, distances from the sides of a face by s, differences of heights within a body by 2 s. With q twice the angle of turn over the sine of the
/// angle of two edges, their normal changes by q, their distance by s + |h| q, the places where they are nearest, times that sine, by no more than twice
/// this and a q-th, and differences of heights by q times what is between, so that slopes change by q. All that is asked gets harder with smaller rho, h and rise, so it is asked of the
/// smallest.

#include "detect/narrow/polyhedron_certain.h"
#include "detect/narrow/polyhedron_search.h"

#include <algorithm>
#include <limits>
#include <vector>

namespace talus::polyhedra {
namespace {

using Met = PairMemory<3>::Met;

constexpr double least_distance = 5e-4;  ///< of the size of the smaller: the least rho that is of use
constexpr double widest_way = 1e-2;      ///< of the size: as far as bodies at rest come in many steps
constexpr double least_way = 0.9e-5;     ///< of the size: what is remembered is rounded to a tenth of it
constexpr double parallel = 0.01;        ///< difference of unit normals of two faces below which the one may be taken for the other

/// How far bodies may move. A turn is that of a direction in the axes of the other body.
struct Motion {
    double way, turn;
};

/// Takes note of the widest way, of a few, within which something holds; of none that is of no use to bodies that came so far since they were looked at
/// last. \returns false when it does not hold now.
template <class F>
bool find_room(const PolyhedronPair& pair, Met& met, double moved, F&& holds_within) {
    met.room = -1.0f;
    if (!holds_within(Motion{0.0, 0.0})) return false;
    met.pose = pose_now(pair);
    met.room = 0.0f;
    const double arm = std::max(pair.a.shape.core.arm, pair.b.shape.core.arm);
    for (double way = widest_way * pair.scale.size; way >= least_way * pair.scale.size && 4.0 * way > moved; way *= 0.1) {
        const float room = static_cast<float>(way);
        if (!holds_within(Motion{static_cast<double>(room), static_cast<double>(room) / arm})) continue;
        met.room = room;
        break;
    }
    pair.query.memory->cut.room = met.room > 0.0f ? -1.0f : 0.0f;   // how it is cut is of use to none who asks again at once
    return true;
}

/// How much higher along a direction than an edge the lowest of the other corners lies.
double least_rise(const Polytope<3>& p, const Vec<3>& direction, const Polytope<3>::Edge& edge) {
    const double lowest = dot(direction, p.vertices[edge.from]);
    double next = std::numeric_limits<double>::infinity();
    for (int v = 0, n = static_cast<int>(p.vertices.size()); v < n; ++v)
        if (v != edge.from && v != edge.to) next = smaller_of(dot(direction, p.vertices[v]), next);
    return next - lowest;
}

/// How all corners of a body but the two of an edge rise along a direction square to it: the least slope over the way from the farther end of the edge, 0 where one does
/// not rise, and the shortest such way.
struct Rise {
    double slope, shortest;

    Rise(const Polytope<3>& p, const Vec<3>& direction, const Polytope<3>::Edge& edge) {
        const Vec<3>&from = p.vertices[edge.from], &to = p.vertices[edge.to];
        const double lowest = dot(direction, from);
        double least = std::numeric_limits<double>::infinity(), nearest = least;
        double flattest = 1.0, its_square = 0.0;   // rise of the corner with the least slope and the square of the way to it: to begin with, upright
        for (int v = 0, n = static_cast<int>(p.vertices.size()); v < n; ++v) {
            if (v == edge.from || v == edge.to) continue;
            const Vec<3>& x = p.vertices[v];
            const Vec<3> of = x - from, ot = x - to;
            const double here = dot(direction, x) - lowest, square = larger_of(dot(of, of), dot(ot, ot));
            least = smaller_of(here, least);
            nearest = smaller_of(square, nearest);
            const bool is_flatter = here * here * its_square < flattest * flattest * square;
            flattest = is_flatter ? here : flattest;
            its_square = is_flatter ? square : its_square;
        }
        shortest = std::sqrt(nearest);
        slope = least > 0.0 ? flattest / std::sqrt(its_square) : 0.0;
    }
    /// Whether all these corners stay higher than the edge, whatever direction leans by less.
    [[nodiscard]] bool is_above(double lean, double same) const { return (slope - lean) * shortest > same; }
};

/// What tells of directions far from n: the way from the point inside the one to that inside the other, along n and across it, how deep inside both are, and what
/// a search has told [PolyhedronPair::others].
struct Far {
    double along, across, inside, others;
    Far(const PolyhedronPair& pair, const Vec<3>& way, const Vec<3>& n)
        : along(dot(way, n)), across(std::sqrt(std::max(0.0, dot(way, way) - along * along))),
          inside(pair.a.shape.core.depth + pair.b.shape.core.depth), others(pair.others) {}
};

/// What is asked for given h and rho, while points between move by `change` and the normal turns [above].
struct Asked {
    double height, rho, same, lean = 0.0;
    bool is_one = false;   ///< no direction competes but those that lean by less

    Asked(const PairScale& scale, double h, double distance, const Far& far, const Motion& change)
        : height(h), rho(distance), same(16.0 * scale.same) {
        if (!(rho > least_distance * scale.size)) return;
        const double depth = std::max(0.0, -h), window = scale.window(h) + same, length = std::sqrt(rho * rho + depth * depth);
        const double sin_p = depth / length, cos_p = rho / length, sin_q = (depth + window) / length;
        if (!(sin_q < 1.0)) return;
        const double cos_q = std::sqrt(1.0 - sin_q * sin_q), cosine = cos_p * cos_q - sin_p * sin_q, sine = sin_p * cos_q + cos_p * sin_q;
        const double along = far.along - change.way, across = far.across + change.way;
        lean = 1.1 * (sin_q * cos_p - cos_q * sin_p);   // an angle of less than 0.3, and its tangent, are less than 1.1 times its sine
        const bool by_points = cosine > 0.0 && cosine * along - sine * across + far.inside > depth + window + same;
        const bool by_search = far.others + change.way < -(depth + window + same) && is_rim_seen(sin_p, cos_p, (depth + window + 2.0 * change.way) / length, change.turn);
        is_one = lean < 0.3 && along > 0.0 && (by_points || by_search);
    }

    /// Whether pi - p - q, less the turn, is more than near_best, sin_q being of the wider window.
    [[nodiscard]] static bool is_rim_seen(double sin_p, double cos_p, double sin_q, double turn) {
        constexpr double most_turn = 0.05, most_sine = 0.999, least_cosine = -0.93;   // pi - p - q is at least 0.376 then, and 2 q + turn less than pi
        static_assert(near_best + most_turn < 0.376);
        return turn < most_turn && sin_q < most_sine && cos_p * std::sqrt(1.0 - sin_q * sin_q) - sin_p * sin_q > least_cosine;
    }
    /// Of the body whose corners are no farther apart than `across`.
    [[nodiscard]] bool is_far(double rise, double across) const { return rise > lean * across + same; }
};

double across(const Polytope<3>& p) { return 2.0 * p.core.arm; }

/// A face and the other body, seen from that which has the face.
struct OverFace {
    const PolyhedronPair& pair;
    bool of_a;
    const Polytope<3>&own, &other;
    const Polytope<3>::Face& face;
    Vec<3> normal;     ///< of the face, in the axes of the other
    Far far;

    OverFace(const PolyhedronPair& p, bool face_of_a, int number)
        : pair(p), of_a(face_of_a), own((of_a ? p.a : p.b).shape), other((of_a ? p.b : p.a).shape), face(own.faces[number]),
          normal(of_a ? Vec<3>(p.a.pose->rotation * face.normal) : p.a.own(face.normal)), far(p, placed(other.core.inner) - own.core.inner, face.normal) {}

    /// A point of the other.
    [[nodiscard]] Vec<3> placed(const Vec<3>& x) const { return of_a ? pair.a.own_point(x) : pair.a.pose->point(x); }
    [[nodiscard]] Vec<3> corner(int v) const { return placed(other.vertices[v]); }
    [[nodiscard]] double height(const Vec<3>& x) const { return dot(face.normal, x) - face.offset; }

    /// Distance of the foot of a corner from the sides of the face, 0 where it is outside.
    [[nodiscard]] double distance_within(const Vec<3>& x) const {
        double square = std::numeric_limits<double>::infinity();
        const std::int32_t* const loop = own.loops.data() + face.first;
        Vec<3> from = own.vertices[loop[face.count - 1]];
        for (std::int32_t k = 0; k < face.count; ++k) {
            const Vec<3>& to = own.vertices[loop[k]];
            const Vec<3> side = to - from;
            const double inwards = std::max(0.0, dot(face.normal.cross(side), x - from));
            square = std::min(square, inwards * inwards / dot(side, side));
            from = to;
        }
        return std::sqrt(square);
    }
};

/// The corners of the other over a face, and its faces. Keeps its memory from pair to pair.
struct Facing {
    struct Low {
        double rise, within;     ///< of a corner over the lowest; distance of its foot within the face, negative until asked for
    };
    struct Turned {
        double cosine, lowest;   ///< to the face's normal; rise of its lowest corner
    };
    std::vector<Low> corners;
    std::vector<Turned> faces;
    int lowest = 0;
    double height = 0.0;         ///< of the lowest
    double next = 0.0;           ///< rise of the lowest of all others

    void look(const OverFace& over) {
        const Polytope<3>& other = over.other;
        const std::size_t n = other.vertices.size();
        corners.resize(n);
        for (std::size_t v = 0; v < n; ++v) corners[v].rise = dot(over.normal, other.vertices[v]);
        lowest = static_cast<int>(std::min_element(corners.begin(), corners.end(), [](const Low& x, const Low& y) { return x.rise < y.rise; }) - corners.begin());
        height = over.height(over.corner(lowest));
        next = std::numeric_limits<double>::infinity();
        const double low = corners[static_cast<std::size_t>(lowest)].rise;
        for (int v = 0; v < static_cast<int>(n); ++v) {
            Low& c = corners[static_cast<std::size_t>(v)];
            c.rise -= low;
            if (v != lowest) next = std::min(next, c.rise);
            c.within = -1.0;
        }
    }

    void look_at_faces(const OverFace& over) {
        const Polytope<3>& other = over.other;
        faces.resize(other.faces.size());
        for (std::size_t f = 0; f < faces.size(); ++f) {
            const std::int32_t* const loop = other.loops.data() + other.faces[f].first;
            double low = std::numeric_limits<double>::infinity();
            for (std::int32_t k = 0; k < other.faces[f].count; ++k) low = std::min(low, corners[static_cast<std::size_t>(loop[k])].rise);
            faces[f] = {dot(over.normal, other.faces[f].normal), low};
        }
    }

    /// Corners that rise no more may become the lowest.
    [[nodiscard]] static double low_within(const PolyhedronPair& pair, double way) { return 2.0 * (way + pair.scale.same); }

    /// The least distance within the face of the corners that are no higher.
    [[nodiscard]] double distance_of(const OverFace& over, double low) {
        double least = std::numeric_limits<double>::infinity();
        for (std::size_t v = 0; v < corners.size(); ++v) {
            if (corners[v].rise > low) continue;
            if (corners[v].within < 0.0) corners[v].within = over.distance_within(over.corner(static_cast<int>(v)));
            least = std::min(least, corners[v].within);
        }
        return least;
    }

    /// Whether any but this face leans by no more than that.
    [[nodiscard]] bool leans(double by, int but) const {
        for (int f = 0; f < static_cast<int>(faces.size()); ++f)
            if (f != but && -faces[static_cast<std::size_t>(f)].cosine >= 1.0 - 0.5 * by * by) return true;
        return false;
    }

    /// The face with a low corner that is turned to this one most; -1 where it is not more so than others by `margin` or has not all low corners.
    [[nodiscard]] int turned_most(const OverFace& over, double low, double margin) const {
        int chosen = -1;
        double least = 2.0, second = 2.0;
        for (int f = 0; f < static_cast<int>(faces.size()); ++f) {
            const Turned& turned = faces[static_cast<std::size_t>(f)];
            if (turned.lowest > low || turned.cosine >= second) continue;
            second = turned.cosine < least ? least : turned.cosine;
            chosen = turned.cosine < least ? f : chosen;
            least = std::min(turned.cosine, least);
        }
        if (chosen < 0 || second - least <= margin) return -1;
        const std::int32_t* const loop = over.other.loops.data() + over.other.faces[chosen].first;
        const auto own = std::count_if(loop, loop + over.other.faces[chosen].count, [&](std::int32_t v) { return corners[static_cast<std::size_t>(v)].rise <= low; });
        return own == std::count_if(corners.begin(), corners.end(), [&](const Low& c) { return c.rise <= low; }) ? chosen : -1;
    }
};

}  // namespace

namespace {

/// The least difference of the normal of a face from those of the others.
double least_difference(const Polytope<3>& p, int face) {
    const Vec<3>& n = p.faces[static_cast<std::size_t>(face)].normal;
    double least = 4.0;
    for (int f = 0, count = static_cast<int>(p.faces.size()); f < count; ++f) {
        const Vec<3> d = p.faces[static_cast<std::size_t>(f)].normal - n;
        least = smaller_of(f == face ? 4.0 : dot(d, d), least);
    }
    return std::sqrt(least);
}

}  // namespace

bool stands_alone(const Polytope<3>& p, int face) { return least_difference(p, face) >= 2.0 * parallel; }

namespace {

/// Whether the lowest corner and the face are all.
bool is_one_corner(const OverFace& over, Facing& facing, double most_lean, double moved, Met& met) {
    const PairScale& scale = over.pair.scale;
    const double rho = facing.distance_of(over, 0.0), wide = across(over.other);
    return find_room(over.pair, met, moved, [&](const Motion& motion) {
        const Asked asked(scale, facing.height - motion.way, rho - motion.way, over.far, {motion.way, 0.0});
        const double rise = facing.next - 2.0 * motion.way, clear = 0.999 * (asked.rho * rise / wide - asked.same);
        const bool is_one = asked.is_one && asked.lean < most_lean && asked.is_far(rise, wide) && clear > scale.reach - asked.height;
        if (is_one) met.clear = static_cast<float>(clear);
        return is_one;
    });
}

/// Which face is clipped against this one; -1: not certain.
int facing_of(const OverFace& over, Facing& facing, double most_lean, double moved, Met& met) {
    int found = -1;
    const bool is_certain = find_room(over.pair, met, moved, [&](const Motion& motion) {
        const double low = Facing::low_within(over.pair, motion.way);
        const Asked asked(over.pair.scale, facing.height - motion.way, facing.distance_of(over, low) - motion.way, over.far, {motion.way, 0.0});
        if (!asked.is_one || asked.lean >= most_lean) return false;
        if (facing.leans(1.1 * (asked.lean + motion.turn) + 1e-6, -1)) return false;
        const int f = facing.turned_most(over, low, 2.2 * motion.turn + 4.0 * contact_tolerance);
        found = f >= 0 ? f : found;
        return f >= 0;
    });
    return is_certain ? found : -1;
}

}  // namespace

bool is_all_over(const PolyhedronPair& pair, bool of_a, int face, double moved, Met& met) {
    thread_local Facing facing;
    const OverFace over(pair, of_a, face);
    facing.look(over);
    int other = facing.lowest;
    const double most_lean = std::min(parallel, 0.4 * least_difference(over.own, face));   // no other face of its body leans by as little
    const std::int32_t first = over.own.loops[static_cast<std::size_t>(over.face.first)];
    const bool has_name = first <= std::numeric_limits<std::uint8_t>::max();
    if (has_name && is_one_corner(over, facing, most_lean, moved, met)) {
        met.ends[0] = static_cast<std::uint8_t>(first);
        met.kind = of_a ? Met::Kind::face_on_corner : Met::Kind::corner_on_face;
    } else {
        facing.look_at_faces(over);
        other = facing_of(over, facing, most_lean, moved, met);
        if (other < 0) return false;
        met.kind = of_a ? Met::Kind::on_face_of_a : Met::Kind::on_face_of_b;
    }
    (of_a ? met.b : met.a) = static_cast<std::int16_t>(other);
    return true;
}

namespace {

/// Two edges that cross.
struct Crossed {
    const PolyhedronPair& pair;
    double height, rho, sine;            ///< rho is no number where they are parallel
    Vec<3> way;                          ///< from the point inside b to that inside a
    Far far;

    Crossed(const PolyhedronPair& p, const Crossing& edges)
        : pair(p), height(edges.axis.separation), way(p.a.inside() - p.b.inside()), far(p, way, edges.axis.normal) {
        // Places along both where they are nearest, from 0 to 1, times the square of the sine of their angle and of both lengths.
        const Vec<3>&along_a = edges.lines.along_a, &along_b = edges.lines.along_b, apart = edges.lines.from_a - edges.lines.from_b;
        const double aa = dot(along_a, along_a), bb = dot(along_b, along_b), ab = dot(along_a, along_b);
        const double from_a = dot(apart, along_a), from_b = dot(apart, along_b), square = aa * bb - ab * ab;
        const double s = ab * from_b - bb * from_a, u = aa * from_b - ab * from_a;
        rho = std::min(std::min(s, square - s) * std::sqrt(aa), std::min(u, square - u) * std::sqrt(bb)) / std::sqrt(square * aa * bb);
        sine = std::sqrt(square / (aa * bb));
    }

    /// How far the normal turns.
    [[nodiscard]] double turn(const Motion& motion) const { return 2.0 * motion.turn / sine; }
    [[nodiscard]] Asked asked(const Motion& motion) const {
        const double q = turn(motion), nearer = motion.way + std::abs(height) * q;
        return {pair.scale, height - nearer, q <= 1.0 ? (1.0 - 0.5 * q) * rho - 2.0 * nearer : 0.0, far, {motion.way + q * std::sqrt(dot(way, way)), q}};
    }
};

/// The face that separates most, and how much less any other does at least, as far as this is of interest.
struct BestFace {
    bool of_a = false;
    int face = -1;
    double separation = -std::numeric_limits<double>::infinity(), next = separation;

    void add(bool face_of_a, int f, double here) {
        next = std::max(next, std::min(here, separation));
        if (!(here > separation)) return;
        separation = here;
        of_a = face_of_a;
        face = f;
    }
};

/// Goes over the faces of one body: those that a corner of the other bounds to less than the best by `margin` are not measured.
void find_best_face(const PolyhedronPair& pair, bool of_a, const Polytope<3>::Edge& edge, double margin, BestFace& best) {
    const PlacedPolyhedron &own = of_a ? pair.a : pair.b, &other = of_a ? pair.b : pair.a;
    const Vec<3> from = own.own_point(other.vertices[edge.from]), to = own.own_point(other.vertices[edge.to]);
    for (int f = 0, n = static_cast<int>(own.shape.faces.size()); f < n; ++f) {
        const Polytope<3>::Face& face = own.shape.faces[f];
        const double bound = std::min(dot(face.normal, from), dot(face.normal, to)) - face.offset;
        best.add(of_a, f, bound < best.separation - margin ? bound : measure(pair, of_a, static_cast<std::size_t>(f)).height);
    }
}

/// The face that meets the best one while bodies move; -1: not certain.
int facing_within(const PolyhedronPair& pair, const BestFace& best, double way) {
    thread_local Facing facing;
    const OverFace over(pair, best.of_a, best.face);
    facing.look(over);
    facing.look_at_faces(over);
    const double turn = way / std::max(pair.a.shape.core.arm, pair.b.shape.core.arm);
    return facing.turned_most(over, Facing::low_within(pair, way), 2.2 * turn + 4.0 * contact_tolerance);
}

}  // namespace

bool are_all(const PolyhedronPair& pair, const Crossing& edges, double moved, Met& met) {
    const Crossed crossed(pair, edges);
    if (!(crossed.rho > least_distance * pair.scale.size)) return false;
    BestFace best;
    if (pair.query.limit > 0.0) {
        const double margin = 0.3 * widest_way * pair.scale.size;   // to measure more faces for the widest way does not pay
        find_best_face(pair, false, pair.a.shape.edges[edges.axis.a], margin, best);
        find_best_face(pair, true, pair.b.shape.edges[edges.axis.b], margin, best);
    }
    const Rise rise(pair.a.shape, pair.a.own(edges.axis.normal), pair.a.shape.edges[edges.axis.a]);
    const Rise fall(pair.b.shape, -edges.axis.normal, pair.b.shape.edges[edges.axis.b]);
    const bool is_certain = find_room(pair, met, moved, [&](const Motion& motion) {
        if (best.face >= 0 && !(best.separation - best.next > 2.0 * motion.way + pair.scale.same)) return false;
        const Asked asked = crossed.asked(motion);
        const double turn = asked.lean + crossed.turn(motion);
        return asked.is_one && rise.is_above(turn + motion.turn, asked.same) && fall.is_above(turn, asked.same);
    });
    met.of_a = best.of_a;
    met.face = static_cast<std::int16_t>(best.face);
    met.facing = static_cast<std::int16_t>(met.room > 0.0f && best.face >= 0 ? facing_within(pair, best, met.room) : -1);
    return is_certain;
}

bool separate_most(const PolyhedronPair& pair, const Crossing& edges) {
    const Crossed crossed(pair, edges);
    const Motion still{0.0, 0.0};
    if (!(crossed.rho > least_distance * pair.scale.size)) return false;
    const Asked asked = crossed.asked(still);
    return asked.is_one && asked.lean < 0.5 * parallel && least_rise(pair.a.shape, pair.a.own(edges.axis.normal), pair.a.shape.edges[edges.axis.a]) > asked.same &&
           least_rise(pair.b.shape, -edges.axis.normal, pair.b.shape.edges[edges.axis.b]) > asked.same;
}

bool is_alone_with(const PolyhedronPair& pair, bool of_a, int face, double moved, Met& met) {
    thread_local Facing facing;
    const OverFace over(pair, of_a, face);
    facing.look(over);
    facing.look_at_faces(over);
    int found = -1;
    const bool is_certain = find_room(pair, met, moved, [&](const Motion& motion) {
        const int f = facing.turned_most(over, Facing::low_within(pair, motion.way), 2.2 * motion.turn + 4.0 * contact_tolerance);
        if (f < 0 || facing.leans(parallel + 1.1 * motion.turn + 1e-6, f)) return false;
        found = f;
        return true;
    });
    if (is_certain) (of_a ? met.b : met.a) = static_cast<std::int16_t>(found);
    return is_certain;
}

}  // namespace talus::polyhedra

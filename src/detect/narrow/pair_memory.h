#pragma once
/// \file
/// What two convex pieces remember from the last time that all their axes of separation were tried, so that few have to be tried again.
///
/// An axis that still separates by more than the reach is enough to know that the pair is apart.
///
/// Touching pairs gain too. When one body moves in the axes of the other, the separation along an axis changes by no more than the
/// farthest of its points moves. The memory holds the pose of that time, the few best axes, and the most that any other axis separated; while the
/// best of the few is ahead of that and of the way since by more than the tolerances of the choice, the others cannot be chosen, and what
/// the few give is what all would give, to the bit. Polygons remember as well by which two edges their contacts were written, and how far they may move
/// until others would write them.
///
/// In space pairs of edges become axes and cease to be as bodies turn. What bounds them is not their separation but how high a corner of the other, a
/// witness, lies above the faces beside each edge [polyhedron_axes.cpp]: this too changes by no more than points move. So the memory
/// holds the faces and the edges that no witness ruled out, by a margin, and pairs are made of these edges anew.
///
/// Polyhedra remember as well which parts made their contact. Whether these are all that there is to be found is told from where they are, and with it a
/// way within which it stays so.
///
/// Nothing else is believed: a memory of any age is right, as long as it is of the same two pieces in the same roles. So it is no part
/// of the state.

#include <array>
#include <cstdint>
#include <limits>

#include "talus/math.h"

namespace talus {

template <int Dim>
struct PairMemory;

/// Edges of two polygons.
template <>
struct PairMemory<2> {
    static constexpr int most = 3;                ///< axes: a face on a face has two that are equally good
    static constexpr std::uint16_t of_a = 0x8000; ///< marks an edge of a

    Vec<2> turn = Vec<2>::Zero();          ///< cosine and sine of the angle of a in the axes of b
    Vec<2> translation = Vec<2>::Zero();   ///< of a in the axes of b [m]
    double others = std::numeric_limits<double>::infinity();  ///< what all other axes separate by at most [m]
    struct Axis {
        std::uint16_t edge = 0;            ///< marked where it is one of a
        std::uint16_t lowest = 0;          ///< the vertex of the other that was nearest to it, to begin with
        [[nodiscard]] bool operator<(const Axis& other) const { return edge < other.edge; }
    };
    std::array<Axis, most> axes{};
    std::uint8_t count = 0;
    std::uint8_t apart = 0;                ///< the axis, counted from 1, that kept them apart when they were last looked at; 0: none did

    /// The two edges that contacts were written by, and the pose of that time [polygon_clip.cpp].
    struct Written {
        Vec<2> turn = Vec<2>::Zero(), translation = Vec<2>::Zero();
        double room = 0.0;                 ///< way within which they are the same, clipped in the same way; 0: not known [m]
        std::array<std::uint32_t, 2> features{};
        std::uint16_t edge = 0;            ///< whose normal it is, marked where it is one of a
        std::uint16_t facing = 0;          ///< that of the other
        std::array<std::uint8_t, 2> cut{}; ///< at which end of the first its ends are: 0 none, 1 where it begins, 2 where it ends
    };
    Written again;

    [[nodiscard]] bool is_of_a(int k) const { return (axes[k].edge & of_a) != 0; }
    [[nodiscard]] int edge(int k) const { return axes[k].edge & ~of_a; }
    void add(int edge, bool edge_of_a, int lowest) {
        axes[count++] = {marked(edge, edge_of_a), static_cast<std::uint16_t>(lowest)};
    }
    [[nodiscard]] static std::uint16_t marked(int edge, bool edge_of_a) { return static_cast<std::uint16_t>(edge | (edge_of_a ? of_a : 0)); }
};
static_assert(sizeof(PairMemory<2>) == 128);

/// A direction that kept two polyhedra apart, fixed in the axes of b; and what may be an axis where none does.
template <>
struct alignas(64) PairMemory<3> {
    static constexpr int most_faces = 6, most_edges = 16;

    /// The pose of a in the axes of b, rounded: two columns of the matrix, and where its origin is [m].
    struct Pose {
        std::array<float, 6> turn{};
        std::array<float, 3> translation{};
    };

    /// What met when it was last looked at [polyhedron_met.cpp].
    struct Met {
        enum class Kind : std::uint8_t { nothing, corner_on_face, face_on_corner, edges, on_face_of_b, on_face_of_a } kind = Kind::nothing;   ///< of a on that of b
        bool of_a = false;             ///< the best face, where edges met and it was asked for
        std::int16_t a = -1, b = -1;   ///< corner, face or edge
        std::int16_t face = -1, facing = -1;   ///< the best face and that which meets it, of the other; -1: not known
        std::int16_t edge_a = -1, edge_b = -1; ///< that separate more than the face that was chosen before them; -1: none do
        /// Corners of the two edges that met, or of `edge_a` and `edge_b`: where that of a begins and ends, then that of b. Of a face under a corner, the first
        /// corner it has. To look them up would take one more line of the cache a body.
        std::array<std::uint8_t, 4> ends{};
        bool is_apart = false;         ///< a direction kept them apart
        std::uint8_t searches = 0;     ///< to be made before it is tried again to do without
        float room = -1.0f;            ///< way from `pose` within which this is surely all that there is; negative: not known [m]
        float clear = 0.0f;            ///< distance from a face that all is beyond but the corner on it, within that way [m]
        Pose pose;
    };
    static_assert(sizeof(Met) == 64);
    Met met;
    // What is above is one line of the cache, the only one that most pairs ask for in most steps; where faces met, the next one is asked for as well.

    /// How the face of the other was cut to the one that it met [polyhedron_clip.cpp]: corners made one after the other, and those that were left. All are
    /// told by corners of the bodies, so that of their other tables only the normal of the face is asked for.
    struct Cut {
        static constexpr int most_made = 6, most_left = 6;
        static constexpr std::uint8_t first_made = 192;   ///< what was made is numbered from here, below are corners of the body that was cut
        /// A corner where the line between two others crosses a side: numbers of these, and the corners where the side begins and ends.
        struct Made {
            std::uint8_t from, to, begin, end;
        };
        std::array<std::uint32_t, most_left> features{};
        float room = -1.0f;            ///< way from `met.pose` within which it is cut in the same way; 0: not known, negative: not asked yet [m]
        std::uint8_t made = 0, left = 0;
        std::uint8_t origin = 0;       ///< first corner of the face that it was cut to
        std::array<Made, most_made> how{};
        std::array<std::uint8_t, most_left> corners{};
    };
    Cut cut;

    Vec<3> normal = Vec<3>::Zero();   ///< that direction, towards a, unit
    double top = 0.0;                 ///< of b along it [m]

    std::int16_t corner_a = -1, corner_b = -1;   ///< the last witnesses [polyhedron_axes.cpp]; -1: none

    // faces of b, then those of a, each in the order they have; edges likewise
    std::uint8_t faces_of_b = 0, faces_of_a = 0;   ///< how many; none of either: nothing is remembered
    std::uint8_t edges_of_b = 0, edges_of_a = 0;
    std::array<std::uint16_t, most_faces> faces{};
    std::array<std::uint16_t, most_edges> edges{};
    Pose pose;                                ///< when these were noted
    double others = 0.0;                      ///< by how much all others separate at most, edges by what witnesses tell [m]
};
static_assert(sizeof(PairMemory<3>) == 256);

}  // namespace talus

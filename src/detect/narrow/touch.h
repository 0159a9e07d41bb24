#pragma once
/// \file
/// Narrow phase: the contacts at q_m, in the working order of the candidate list, each linked to its
/// predecessor in the cache of the last step.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

#include "detect/broad/candidates.h"
#include "detect/broad/look_ahead.h"
#include "detect/narrow/boundary.h"
#include "detect/narrow/memories.h"
#include "math/scratch.h"

namespace talus {

/// A contact as geometry. Body a is the grain against a wall, else the body of lower id; the normal
/// points towards a.
template <int Dim>
struct Touch {
    Vec<Dim> normal;
    double gap = 0.0;
    std::int32_t a = -1, b = -1;   ///< body indices
    std::uint32_t feature = 0;
    std::int32_t cached = -1;      ///< same contact in the last step's cache, -1: new
};
static_assert(sizeof(Touch<3>) == 48);   // there may be millions

/// Smaller diameter of the two bodies of a contact: the measure of its overlap. Boundaries have none.
template <int Dim>
[[nodiscard]] inline double smaller_diameter(const Bodies<Dim>& bodies, const Touch<Dim>& t) {
    const double ra = bodies.radius[t.a];
    return 2.0 * (bodies.is_boundary(t.b) ? ra : std::min(ra, bodies.radius[t.b]));
}

/// Which gaps count as contacts.
struct TouchRule {
    ContactRule rule = ContactRule::moreau;
    double touch = 0.0;            ///< closed up to this many smaller diameters
    bool sticky = false;           ///< some contacts hold bodies that would go apart
};

/// A boundary with what its pair function needs, placed for this step.
template <int Dim>
struct BoundaryView {
    BoundaryShape<Dim> shape;
    Mat<Dim> to_world;
    Vec<Dim> position;
};

/// A pair of grains to be looked at: the rank of the first, and the number of the candidate.
struct PairAhead {
    std::int32_t rank = 0, candidate = 0;
};

/// Contacts found in a range of ranks, and the scratch to find them with.
template <int Dim>
struct TouchPart {
    std::vector<Touch<Dim>> touches;
    std::vector<Vec<Dim>> arms;        ///< see `arm`; NaN where the radius tells, as beyond the last
    std::vector<std::int32_t> lost;    ///< cache entries whose contact is no more
    std::vector<ManifoldPoint<Dim>> found;  ///< scratch
    Manifold<Dim> manifold;            ///< scratch: to write all its points takes longer than to find one
    Solid<Dim> ball[2];                ///< scratch: balls that meet other solids
    std::vector<PairAhead> pairs;      ///< scratch: those of some rows that may not be apart

    /// From the centre of a to contact k, world axes [m]; null: a is a ball and the radius tells.
    [[nodiscard]] const Vec<Dim>* arm(std::size_t k) const { return k < arms.size() && !std::isnan(arms[k][0]) ? &arms[k] : nullptr; }
};

/// All contacts; with several threads, parts are found side by side and put together in order.
template <int Dim>
struct TouchList : TouchPart<Dim> {
    std::vector<BoundaryView<Dim>> views;  ///< of the list's boundaries

    /// Hot copies by rank, while the search lasts: centre and radius side by side.
    struct Packed {
        Vec<Dim> x;
        double r;
    };
    std::span<Packed> packed;

    /// What pairs ask of a grain where some are not balls.
    struct Grain {
        Mat<Dim> axes;                 ///< of those that are not
        const Solid<Dim>* solid;       ///< null: a ball
        const Polytope<Dim>* core;     ///< null: it is more than one polytope, or a ball
        std::int32_t body;
        bool wall;
    };
    std::vector<Grain> grains;         ///< by rank; empty when all are balls
    const Solid<Dim>* solids = nullptr;  ///< where the table of shapes had them when `grains` were pointed there
    Memories<Dim> memories;            ///< of the list's pairs of grains; empty when all are balls
    std::vector<TouchPart<Dim>> parts; ///< scratch of the threads
    std::size_t before = 0;            ///< contacts of the search before the last
};

/// What the narrow phase looks at.
template <int Dim>
struct TouchInput {
    const Bodies<Dim>& bodies;
    const ShapeTable<Dim>& shapes;
    const Cell<Dim>& cell;
    const Placement<Dim>& at;
    TouchRule rule;
    const WaysAhead<Dim>& ways;                        ///< `gap` rule only
    // by cache entry
    CachedPairs cached;
    const std::vector<std::uint32_t>& cached_features;
    const std::vector<Vec<Dim>>& cached_normals;       ///< may be empty while no contact has an `arm`
    const Threads& threads;
};

/// Fills `out.touches` and moves the candidates' cache links on to them.
template <int Dim>
void find_touches(const TouchInput<Dim>& in, CandidateList<Dim>& list, Scratch& scratch, TouchList<Dim>& out);

}  // namespace talus

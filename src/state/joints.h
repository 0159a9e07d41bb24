#pragma once
/// \file
/// Joints as the world keeps them: which bodies, where in their axes, and the impulses to start from.

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "math/rotation.h"
#include "state/bodies.h"
#include "talus/joint.h"

namespace talus {

template <int Dim>
struct JointState {
    JointId id = -1;
    JointKind kind = JointKind::ball;
    bool collide = false;
    BodyId a = -1, b = ground;
    Vec<Dim> arm_a = Vec<Dim>::Zero();    ///< from the centre to the joint, in the axes of a [m]
    Vec<Dim> arm_b = Vec<Dim>::Zero();    ///< the same of b; with the ground a point of the world
    Rotation<Dim> turn_a, turn_b;         ///< undo the rotations at creation: R_a turn_a = R_b turn_b while none turned
    Vec<Dim> axis = Vec<Dim>::Zero();     ///< unit, world axes at creation
    double length = 0.0;                  ///< of a rod [m]
    Vec<Dim> impulse = Vec<Dim>::Zero();  ///< of the last step, its end included [N s]
    Spin<Dim> moment = Spin<Dim>::Zero();
    Vec<Dim> start = Vec<Dim>::Zero();    ///< that of the solve: the next one starts from it [N s]
    Spin<Dim> start_moment = Spin<Dim>::Zero();
};

/// Pairs of body indices (lower first), sorted, between which no contact is looked for.
template <int Dim>
void find_pairs_apart(const std::vector<JointState<Dim>>& joints, const Bodies<Dim>& bodies, std::vector<std::pair<std::int32_t, std::int32_t>>& pairs) {
    pairs.clear();
    const auto index = [&](BodyId id) {
        return static_cast<std::int32_t>(std::lower_bound(bodies.id.begin(), bodies.id.end(), id) - bodies.id.begin());
    };
    for (const auto& j : joints)
        if (!j.collide && j.b != ground) pairs.push_back(std::minmax({index(j.a), index(j.b)}));
    std::sort(pairs.begin(), pairs.end());
}

}  // namespace talus

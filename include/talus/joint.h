#pragma once
/// \file
/// Bilateral joints between two bodies, or between a body and the ground.
///
/// A joint takes freedoms of relative motion away, whatever sign its force has. Its equations join the
/// contacts in one problem: both are solved together in every step. It is placed at its creation, in
/// world axes, and from then on its parts move with the two bodies.
///
/// Over a step a joint obeys G (u_F + u_I)/2 + W = 0, G being its rows at q_m: the mean velocity, which
/// is what moves the bodies, keeps it, and the joint does no work. At the end of the step positions are
/// brought back to the joint by the least motion in the metric of the masses, and velocities to its
/// tangent [docs/joints.md].

#include <cstdint>

#include "talus/ids.h"
#include "talus/math.h"

namespace talus {

/// What a joint leaves free. In the plane `ball` and `hinge` are the same: a pin.
enum class JointKind : std::uint8_t {
    ball,    ///< one point in common; every rotation free
    hinge,   ///< one point and one axis in common; turns about the axis
    slider,  ///< one axis in common, no relative rotation; moves along the axis
    fixed,   ///< no relative motion
    rod      ///< two points, one of each body, at a constant distance
};

/// The partner that stands still: instead of a body.
inline constexpr BodyId ground = -1;

template <int Dim>
struct JointSpec {
    JointKind kind = JointKind::ball;
    BodyId a = -1;
    BodyId b = ground;
    Vec<Dim> at = Vec<Dim>::Zero();    ///< where the joint is; of a rod, the end at a [m]
    Vec<Dim> to = Vec<Dim>::Zero();    ///< of a rod, the end at b [m]
    Vec<Dim> axis = Vec<Dim>::Zero();  ///< of a slider, and in space of a hinge; any length
    double length = 0.0;               ///< of a rod [m]; 0: the distance of its ends
    bool collide = false;              ///< contacts between the two bodies are looked for all the same
};

/// A joint, with what it passed on in the last step.
template <int Dim>
struct Joint {
    JointId id = -1;
    JointKind kind = JointKind::ball;
    BodyId a = -1, b = ground;
    bool collide = false;
    Vec<Dim> point_a = Vec<Dim>::Zero();        ///< the joint's point as a part of a [m]
    Vec<Dim> point_b = Vec<Dim>::Zero();        ///< as a part of b [m]
    Vec<Dim> axis = Vec<Dim>::Zero();           ///< of a hinge or slider, as a part of b
    double length = 0.0;                        ///< of a rod [m]
    Vec<Dim> impulse = Vec<Dim>::Zero();        ///< what b gave a during the step [N s]; force = impulse / h
    Spin<Dim> moment = Spin<Dim>::Zero();       ///< its moment about point_a [N m s]; torque = moment / h
    double position_error = 0.0;                ///< largest defect of its equations now [m], [rad]
};

}  // namespace talus

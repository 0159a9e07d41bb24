/// \file
/// The joints of a world: made, removed, read.
#include <algorithm>
#include <cmath>

#include "integrate/project_joints.h"
#include "step/world_impl.h"

namespace talus {
namespace {

/// A rod whose stated length differs by more than this part from the distance of its ends is a mistake.
constexpr double rod_tolerance = 0.01;

void require(bool holds, const std::string& message) {
    if (!holds) throw InputError(message);
}

template <int Dim>
bool needs_axis(JointKind kind) {
    return kind == JointKind::slider || (kind == JointKind::hinge && spin_size<Dim> > 1);
}

template <int Dim>
void check(const typename World<Dim>::Impl& w, const JointSpec<Dim>& spec) {
    require(spec.kind <= JointKind::rod, "there is no such kind of joint");
    require(spec.a != ground, "body a of a joint cannot be the ground; make the ground body b");
    require(spec.a != spec.b, "a joint needs two bodies, or one and the ground");
    for (const BodyId id : {spec.a, spec.b})
        require(id == ground || w.bodies.glued_to[w.index_of(id)] < 0,
                "a glued body moves with its carrier; join the carrier instead");
    require(spec.at.allFinite() && spec.to.allFinite() && spec.axis.allFinite(), "the place of a joint must be finite");
    require(!needs_axis<Dim>(spec.kind) || spec.axis.norm() > 0.0,
            spec.kind == JointKind::slider ? "a slider needs an axis along which it moves" : "a hinge in space needs an axis");
    require(std::isfinite(spec.length) && spec.length >= 0.0, "the length of a rod must be >= 0");
    require(spec.kind == JointKind::rod || spec.length == 0.0, "only a rod has a length");
}

template <int Dim>
double rod_length(const JointSpec<Dim>& spec, double distance) {
    require(distance > 0.0, "the two ends of a rod must be apart; join the bodies by a ball joint instead");
    require(spec.length == 0.0 || std::abs(spec.length - distance) <= rod_tolerance * distance,
            "a rod of length " + std::to_string(spec.length) + " has its ends " + std::to_string(distance) +
                " apart; move the bodies, or leave the length out");
    return spec.length > 0.0 ? spec.length : distance;
}

}  // namespace

template <int Dim>
JointId World<Dim>::add_joint(const JointSpec<Dim>& spec) {
    Impl& w = *impl_;
    check<Dim>(w, spec);
    const bool is_rod = spec.kind == JointKind::rod;
    const std::size_t a = w.index_of(spec.a);
    JointState<Dim> j;
    j.kind = spec.kind;
    j.collide = spec.collide;
    j.a = spec.a;
    j.b = spec.b;
    j.turn_a = inverse<Dim>(w.bodies.rotation[a]);
    j.arm_a = matrix_of<Dim>(w.bodies.rotation[a]).transpose() * w.cell.nearest(spec.at - w.bodies.position[a]);
    const Vec<Dim> at_b = is_rod ? spec.to : spec.at;
    if (spec.b == ground) {
        j.arm_b = at_b;
    } else {
        const std::size_t b = w.index_of(spec.b);
        j.turn_b = inverse<Dim>(w.bodies.rotation[b]);
        j.arm_b = matrix_of<Dim>(w.bodies.rotation[b]).transpose() * w.cell.nearest(at_b - w.bodies.position[b]);
    }
    if (needs_axis<Dim>(spec.kind)) j.axis = spec.axis.normalized();
    if (is_rod) j.length = rod_length(spec, w.cell.nearest(spec.at - spec.to).norm());
    for (int k = 0; k < Dim; ++k)
        require(!w.cell.periodic[k] || j.length < 0.5 * w.cell.length[k], "a rod must be shorter than half the periodic cell");
    j.id = w.next_joint++;
    w.joints.push_back(j);
    w.invalidate();
    return j.id;
}

template <int Dim>
void World<Dim>::remove_joint(JointId id) {
    Impl& w = *impl_;
    require(std::erase_if(w.joints, [&](const auto& j) { return j.id == id; }) == 1,
            "there is no joint number " + std::to_string(id));
    w.invalidate();
}

template <int Dim>
std::vector<Joint<Dim>> World<Dim>::joints() const {
    const Impl& w = *impl_;
    std::vector<Joint<Dim>> all;
    for (const JointState<Dim>& j : w.joints) {
        Joint<Dim> out;
        out.id = j.id;
        out.kind = j.kind;
        out.collide = j.collide;
        out.a = j.a;
        out.b = j.b;
        const std::size_t a = w.index_of(j.a);
        out.point_a = w.bodies.position[a] + matrix_of<Dim>(w.bodies.rotation[a]) * j.arm_a;
        out.point_b = j.arm_b;
        out.axis = j.axis;
        if (j.b != ground) {
            const std::size_t b = w.index_of(j.b);
            out.point_b = w.bodies.position[b] + matrix_of<Dim>(w.bodies.rotation[b]) * j.arm_b;
            out.axis = matrix_of<Dim>(compose<Dim>(w.bodies.rotation[b], j.turn_b)) * j.axis;
        }
        out.length = j.length;
        out.impulse = j.impulse;
        out.moment = j.moment;
        const JointRows<Dim> rows = rows_as_it_stands(w.cell, j, w.bodies);
        out.position_error = rows.error.cwiseAbs().maxCoeff();
        all.push_back(out);
    }
    return all;
}

template <int Dim>
void World<Dim>::set_joint_history(JointId id, const Vec<Dim>& impulse, const Spin<Dim>& moment) {
    for (auto& j : impl_->joints) {
        if (j.id != id) continue;
        j.start = impulse;
        j.start_moment = moment;
        return;
    }
    throw InputError("there is no joint number " + std::to_string(id));
}

template class World<2>;
template class World<3>;

}  // namespace talus

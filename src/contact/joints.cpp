#include "contact/joints.h"

#include <cmath>

#include "contact/gather.h"
#include "contact/inertia.h"

namespace talus {
namespace {

/// Appends rows that hold points along the rows of `directions`.
template <int Dim, class Directions>
void hold_point(const Directions& directions, const Vec<Dim>& arm_a, const Vec<Dim>& arm_b, const Vec<Dim>& apart,
                JointRows<Dim>& out) {
    for (Eigen::Index k = 0; k < directions.rows(); ++k, ++out.rows, ++out.points) {
        const Vec<Dim> e = directions.row(k).transpose();
        out.line.row(out.rows) = e.transpose();
        out.turn_a.row(out.rows) = moment<Dim>(arm_a, e).transpose();
        out.turn_b.row(out.rows) = moment<Dim>(arm_b, e).transpose();
        out.error[out.rows] = e.dot(apart);
    }
}

/// Appends rows that hold the turns along the rows of `axes`.
template <int Dim, class Axes>
void hold_turn(const Axes& axes, const Spin<Dim>& apart, JointRows<Dim>& out) {
    for (Eigen::Index k = 0; k < axes.rows(); ++k, ++out.rows) {
        const Spin<Dim> e = axes.row(k).transpose();
        out.turn_a.row(out.rows) = out.turn_b.row(out.rows) = out.axes.row(out.rows) = e.transpose();
        out.error[out.rows] = e.dot(apart);
    }
}

/// One side of a joint: what an impulse does to it.
template <int Dim>
struct JointSide {
    Vec<Dim> inverse_mass = Vec<Dim>::Zero();
    SpinMat<Dim> inverse_inertia = SpinMat<Dim>::Zero();
    double scale = 1.0;
    std::int32_t line = 0;
};

template <int Dim>
JointSide<Dim> side_of(const JointInput<Dim>& in, std::int32_t i, const Rotation<Dim>& rotation, std::int32_t ground_line) {
    if (i < 0) return {Vec<Dim>::Zero(), SpinMat<Dim>::Zero(), 1.0, ground_line};
    return {inverse_mass(in.bodies, i), inverse_inertia(in.bodies, rotation, i), spin_scale(in.bodies, i), in.list.rank[i]};
}

/// Balls are not turned by the prediction: their turning changes no contact, but it moves joints.
template <int Dim>
Rotation<Dim> rotation_at(const JointInput<Dim>& in, std::int32_t i) {
    if (i < 0) return {};
    return in.bodies.is_ball(i) ? advance<Dim>(in.bodies.rotation[i], in.bodies.spin[i], 0.5 * in.h) : in.at.rotation[i];
}

template <int Dim>
JointPlace<Dim> place_of(const JointInput<Dim>& in, const JointState<Dim>& joint) {
    const auto index = [&](BodyId id) -> std::int32_t {
        if (id == ground) return -1;
        return static_cast<std::int32_t>(std::lower_bound(in.bodies.id.begin(), in.bodies.id.end(), id) - in.bodies.id.begin());
    };
    JointPlace<Dim> p;
    p.a = index(joint.a);
    p.b = index(joint.b);
    p.rotation_a = rotation_at(in, p.a);
    p.rotation_b = rotation_at(in, p.b);
    p.from_b = in.at.position[p.a];
    if (p.b >= 0) p.from_b = in.cell.nearest(p.from_b - in.at.position[p.b]);
    else if (in.cell.any) p.from_b = joint.arm_b + in.cell.nearest(p.from_b - joint.arm_b);
    return p;
}

/// Velocities that the drives give the rows.
template <int Dim>
typename LinkContact<Dim>::Rows driven_rows(const JointRows<Dim>& rows, const DrivenMotion<Dim>& motion, std::int32_t a,
                                            std::int32_t b) {
    typename LinkContact<Dim>::Rows W = LinkContact<Dim>::Rows::Zero();
    if (motion.none()) return W;
    if (const std::int32_t s = motion.slot[a]; s >= 0) W += rows.line * motion.velocity[s] + rows.turn_a * motion.spin[s];
    if (b < 0) return W;
    if (const std::int32_t s = motion.slot[b]; s >= 0) W -= rows.line * motion.velocity[s] + rows.turn_b * motion.spin[s];
    return W;
}

/// The length that makes the mean diagonal terms of the two sorts of rows equal.
template <int Dim>
double row_length(const JointRows<Dim>& rows, const Eigen::Matrix<double, LinkContact<Dim>::size, LinkContact<Dim>::size>& H) {
    double points = 0.0, turns = 0.0;
    for (int k = 0; k < rows.rows; ++k) (k < rows.points ? points : turns) += H(k, k);
    if (!(points > 0.0) || !(turns > 0.0)) return 1.0;
    return std::sqrt(points * (rows.rows - rows.points) / (turns * rows.points));
}

template <int Dim>
LinkContact<Dim> make_link(const JointInput<Dim>& in, const JointPlace<Dim>& place, std::int32_t ground_line,
                           JointRecord<Dim>& record) {
    LinkContact<Dim> link;
    const JointRows<Dim>& rows = record.rows;
    const auto a = side_of(in, place.a, place.rotation_a, ground_line), b = side_of(in, place.b, place.rotation_b, ground_line);
    link.rows = rows.rows;
    link.law.kind = LinkLaw::Kind::bilateral;
    link.a = a.line;
    link.b = b.line;
    link.H = rows.line * (a.inverse_mass + b.inverse_mass).asDiagonal() * rows.line.transpose() +
             rows.turn_a * a.inverse_inertia * rows.turn_a.transpose() + rows.turn_b * b.inverse_inertia * rows.turn_b.transpose();
    record.length = row_length<Dim>(rows, link.H);
    typename LinkContact<Dim>::Rows scale = LinkContact<Dim>::Rows::Ones();
    scale.segment(rows.points, rows.rows - rows.points).setConstant(record.length);
    link.H = scale.asDiagonal() * link.H * scale.asDiagonal();
    link.line = rows.line;
    link.spin_a = scale.asDiagonal() * rows.turn_a / a.scale;
    link.spin_b = scale.asDiagonal() * rows.turn_b / b.scale;
    link.push_a = a.inverse_mass.asDiagonal() * rows.line.transpose();
    link.push_b = b.inverse_mass.asDiagonal() * rows.line.transpose();
    link.turn_a = a.scale * (a.inverse_inertia * rows.turn_a.transpose() * scale.asDiagonal());
    link.turn_b = b.scale * (b.inverse_inertia * rows.turn_b.transpose() * scale.asDiagonal());
    record.wall = scale.asDiagonal() * driven_rows(rows, in.motion, place.a, place.b);
    return link;
}

}  // namespace

template <int Dim>
JointRows<Dim> rows_of(const JointState<Dim>& joint, const JointPlace<Dim>& place) {
    JointRows<Dim> rows;
    const Vec<Dim> arm_a = matrix_of<Dim>(place.rotation_a) * joint.arm_a;
    const Vec<Dim> arm_b = place.b < 0 ? joint.arm_b : Vec<Dim>(matrix_of<Dim>(place.rotation_b) * joint.arm_b);
    const Vec<Dim> apart = place.from_b + arm_a - arm_b;
    const Rotation<Dim> turned_a = compose<Dim>(place.rotation_a, joint.turn_a), turned_b = compose<Dim>(place.rotation_b, joint.turn_b);
    const Mat<Dim> seen_b = matrix_of<Dim>(turned_b);
    if (joint.kind == JointKind::rod) {
        const double distance = apart.norm();
        const Vec<Dim> along = distance > 0.0 ? Vec<Dim>(apart / distance) : Vec<Dim>::Unit(0);
        hold_point<Dim>(along.transpose(), arm_a, arm_b, apart, rows);
        rows.error[0] -= joint.length;
    } else if (joint.kind == JointKind::slider) {
        const Mat<Dim> frame = frame_of<Dim>(Vec<Dim>(seen_b * joint.axis));
        hold_point<Dim>(frame.template bottomRows<Dim - 1>(), arm_a, Vec<Dim>(arm_b + apart), apart, rows);
    } else {
        hold_point<Dim>(Mat<Dim>::Identity(), arm_a, arm_b, apart, rows);
    }
    if (joint.kind == JointKind::hinge) {
        const Vec<Dim> axis = seen_b * joint.axis;
        hold_turn<Dim>(spins_across<Dim>(axis), tilt_between<Dim>(axis, matrix_of<Dim>(turned_a) * joint.axis), rows);
    } else if (joint.kind == JointKind::slider || joint.kind == JointKind::fixed) {
        hold_turn<Dim>(SpinMat<Dim>::Identity(), turn_between<Dim>(turned_b, turned_a), rows);
    }
    return rows;
}

template <int Dim>
void gather_joints(const JointInput<Dim>& in, const std::vector<JointState<Dim>>& joints, ContactProblem<Dim>& problem,
                   std::vector<JointRecord<Dim>>& records) {
    records.clear();
    if (joints.empty()) return;
    // The ground is a line of its own that nothing moves.
    const auto ground_line = static_cast<std::int32_t>(problem.lines.size());
    problem.lines.emplace_back();
    problem.free_lines.emplace_back();
    for (const JointState<Dim>& joint : joints) {
        const JointPlace<Dim> place = place_of(in, joint);
        JointRecord<Dim>& record = records.emplace_back();
        record.a = place.a;
        record.b = place.b;
        record.rows = rows_of(joint, place);
        record.link = static_cast<std::int32_t>(problem.links.size());
        LinkContact<Dim> link = make_link(in, place, ground_line, record);
        const typename LinkContact<Dim>::Rows free = formal_velocity(link, problem.lines[link.a], problem.lines[link.b]);
        record.before = free + record.wall;
        link.c = free + 2.0 * record.wall;
        if (in.warm_start) link.S = record.rows.line * joint.start + record.rows.axes * joint.start_moment / record.length;
        problem.links.push_back(link);
    }
}

template <int Dim>
JointImpulse<Dim> impulse_of(const JointRows<Dim>& rows, double length, const typename LinkContact<Dim>::Rows& S) {
    return {rows.line.transpose() * S, length * (rows.axes.transpose() * S)};
}

template <int Dim>
typename LinkContact<Dim>::Rows velocity_of(const ContactProblem<Dim>& problem, const JointRecord<Dim>& r) {
    const LinkContact<Dim>& link = problem.links[static_cast<std::size_t>(r.link)];
    return formal_velocity(link, problem.lines[link.a], problem.lines[link.b]) - link.c + r.wall;
}

#define TALUS_INSTANTIATE(Dim)                                                                                      \
    template JointRows<Dim> rows_of(const JointState<Dim>&, const JointPlace<Dim>&);                                \
    template void gather_joints(const JointInput<Dim>&, const std::vector<JointState<Dim>>&, ContactProblem<Dim>&,  \
                                std::vector<JointRecord<Dim>>&);                                                    \
    template JointImpulse<Dim> impulse_of(const JointRows<Dim>&, double, const LinkContact<Dim>::Rows&);            \
    template LinkContact<Dim>::Rows velocity_of(const ContactProblem<Dim>&, const JointRecord<Dim>&);
TALUS_INSTANTIATE(2)
TALUS_INSTANTIATE(3)
#undef TALUS_INSTANTIATE

}  // namespace talus

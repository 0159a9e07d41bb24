#include "contact/gather.h"

#include "contact/inertia.h"

namespace talus {
namespace {

/// One of the two bodies of a contact: whose motion it has, and where it is touched.
template <int Dim>
struct Side {
    std::int32_t body;      ///< the carrier
    std::int32_t line;
    Vec<Dim> arm;           ///< from the carrier's centre to the contact
    bool simple;            ///< a ball whose inverse inertia is a multiple of the identity
};

/// Freedoms of a kind are all free or all held: the inverse inertia is isotropic.
bool is_uniform(std::uint8_t driven, std::uint8_t mask) { return (driven & mask) == 0 || (driven & mask) == mask; }

template <int Dim>
bool is_simple(const Bodies<Dim>& bodies, std::int32_t i) {
    if (bodies.glued_to[i] >= 0) return bodies.is_wall(i);
    if (bodies.driven[i] == all_driven<Dim>) return true;
    return bodies.is_ball(i) && is_uniform(bodies.driven[i], translations_mask<Dim>) &&
           is_uniform(bodies.driven[i], rotations_mask<Dim>);
}

template <int Dim>
Side<Dim> side_of(const GatherInput<Dim>& in, std::int32_t i, const Vec<Dim>& arm) {
    const std::int32_t c = in.bodies.carrier(i);
    const Vec<Dim> from_carrier = c == i ? arm : Vec<Dim>(in.cell.nearest(in.at.position[i] - in.at.position[c]) + arm);
    // What is glued to a wall keeps its own (inert) line; else impulses go to the carrier.
    const bool simple = is_simple(in.bodies, i);
    return {c, in.list.rank[simple ? i : c], from_carrier, simple};
}

template <int Dim>
BodyLine<Dim> line_at_start(const Bodies<Dim>& bodies, std::int32_t i) {
    BodyLine<Dim> line;
    if (bodies.glued_to[i] >= 0 || bodies.driven[i] == all_driven<Dim>) return line;
    line.v = free_velocity(bodies, i);
    line.R = spin_scale(bodies, i) * free_spin(bodies, i);
    if (!is_simple(bodies, i)) return line;  // its contacts carry their own operators
    const double r = bodies.radius[i];
    if ((bodies.driven[i] & translations_mask<Dim>) == 0) line.inv_mass = 1.0 / bodies.mass[i];
    if ((bodies.driven[i] & rotations_mask<Dim>) == 0) line.inv_inertia = r * r / bodies.inertia[i][0];
    return line;
}

/// Spin of a body at t + h without forces. Turning about its own spin leaves the spin alone in world and
/// in body axes alike, so u_I at q_m is the spin of before the step; the gyroscopic term acts on it.
template <int Dim>
Spin<Dim> gyroscopic_change(const GatherInput<Dim>& in, std::size_t i) {
    const Spin<Dim> w = free_spin(in.bodies, i);
    if (in.bodies.turns_freely(i)) return free_rotation<Dim>(in.at.rotation[i], in.bodies.inertia[i], w, in.h) - w;
    // Some rotations held: I(q_m) w_free = I(q_I) w_I for the others.
    const Spin<Dim> momentum = in_world<Dim>(in.bodies.rotation[i], in.bodies.inertia[i]) * w;
    const SpinMat<Dim> inertia_m = in_world<Dim>(in.at.rotation[i], in.bodies.inertia[i]);
    return inverse_inertia(in.bodies, in.at.rotation[i], static_cast<std::int32_t>(i)) * (momentum - inertia_m * w);
}

/// Adds h A^-1 F: weight, gyroscopic term, loads.
template <int Dim>
void add_free_motion(const GatherInput<Dim>& in, std::vector<BodyLine<Dim>>& lines,
                     std::vector<Spin<Dim>>& gyroscopic) {
    const Bodies<Dim>& bodies = in.bodies;
    gyroscopic.clear();
    for (std::size_t i = 0; i < bodies.size(); ++i) {
        if (bodies.glued_to[i] >= 0 || bodies.driven[i] == all_driven<Dim>) continue;
        BodyLine<Dim>& line = lines[in.list.rank[i]];
        if (bodies.turns_freely(i) || bodies.turns_partly(i)) {
            if (gyroscopic.empty()) gyroscopic.assign(bodies.size(), Spin<Dim>::Zero());
            gyroscopic[i] = gyroscopic_change(in, i);
            line.R += gyroscopic[i];
        }
        if (!bodies.has_weight[i]) continue;
        Vec<Dim> fall = in.h * in.gravity;
        for (int k = 0; k < Dim; ++k)
            if (bodies.driven[i] >> k & 1u) fall[k] = 0.0;
        line.v += fall;
    }
    for (std::size_t k = 0; k < in.loads.size(); ++k) {
        const std::int32_t i = in.loaded_bodies[k];
        BodyLine<Dim>& line = lines[in.list.rank[i]];
        for (int d = 0; d < Dim; ++d)
            if (!(bodies.driven[i] >> d & 1u)) line.v[d] += in.h * in.loads[k].force[d] / bodies.mass[i];
        if (in.loads[k].torque.isZero(0.0)) continue;
        const SpinMat<Dim> inverse = inverse_inertia(bodies, in.at.rotation[i], i);
        line.R += spin_scale(bodies, i) * in.h * (inverse * in.loads[k].torque);
    }
}

/// Operators of one side of a general contact.
template <int Dim>
struct SideOperators {
    typename GeneralContact<Dim>::SpinRows spin = GeneralContact<Dim>::SpinRows::Zero();
    Mat<Dim> push = Mat<Dim>::Zero();
    typename GeneralContact<Dim>::SpinColumns turn = GeneralContact<Dim>::SpinColumns::Zero();
    Mat<Dim> H = Mat<Dim>::Zero();
};

template <int Dim>
SideOperators<Dim> operators_of(const GatherInput<Dim>& in, const Side<Dim>& side, const Mat<Dim>& frame) {
    SideOperators<Dim> ops;
    const Bodies<Dim>& bodies = in.bodies;
    const std::int32_t i = side.body;
    if (bodies.driven[i] == all_driven<Dim>) return ops;
    for (int k = 0; k < Dim; ++k)
        if (!(bodies.driven[i] >> k & 1u)) ops.push.row(k) = frame.col(k).transpose() / bodies.mass[i];
    const auto rows = angular_rows<Dim>(frame, side.arm);
    const double scale = spin_scale(bodies, i);
    const auto inverse = inverse_inertia(bodies, in.at.rotation[i], i);
    ops.spin = rows / scale;
    ops.turn = scale * (inverse * rows.transpose());
    ops.H = frame * ops.push + rows * inverse * rows.transpose();
    return ops;
}

template <int Dim>
BallContact<Dim> ball_contact(const Touch<Dim>& t, const Side<Dim>& a, const Side<Dim>& b,
                              const std::vector<BodyLine<Dim>>& lines) {
    BallContact<Dim> c;
    c.n = t.normal;
    c.a = a.line;
    c.b = b.line;
    const double wn = lines[c.a].inv_mass + lines[c.b].inv_mass;
    c.inv_wn = 1.0 / wn;
    c.inv_wt = 1.0 / (wn + lines[c.a].inv_inertia + lines[c.b].inv_inertia);
    return c;
}

template <int Dim>
GeneralContact<Dim> general_contact(const GatherInput<Dim>& in, const Touch<Dim>& t, const Side<Dim>& a,
                                    const Side<Dim>& b) {
    GeneralContact<Dim> c;
    c.frame = frame_of<Dim>(t.normal);
    const auto oa = operators_of(in, a, c.frame), ob = operators_of(in, b, c.frame);
    c.a = a.line;
    c.b = b.line;
    c.spin_a = oa.spin; c.push_a = oa.push; c.turn_a = oa.turn;
    c.spin_b = ob.spin; c.push_b = ob.push; c.turn_b = ob.turn;
    c.H = oa.H + ob.H;
    return c;
}

/// The cached impulse in the new frame: same normal part, tangential part turned with the normal.
template <int Dim>
struct Start {
    double pn = 0.0;
    Vec<Dim> pt = Vec<Dim>::Zero();
};

template <int Dim>
Start<Dim> start_of(const GatherInput<Dim>& in, const Touch<Dim>& t) {
    if (!in.warm_start || t.cached < 0) return {};
    const std::int32_t e = t.cached;
    // Seen from the other side, normal and impulse change sign.
    const double sign = in.cache.a[e] == t.a ? 1.0 : -1.0;
    return {in.cache.pn[e], carry_tangent<Dim>(sign * in.cache.pt[e], sign * in.cache.normal[e], t.normal)};
}

/// From the centres of the two bodies to the contact. Balls are touched on their surfaces, other bodies
/// halfway between the two surfaces.
template <int Dim>
std::pair<Vec<Dim>, Vec<Dim>> arms_of(const GatherInput<Dim>& in, const Touch<Dim>& t) {
    const double ra = in.bodies.radius[t.a];
    if (t.arm < 0 && in.bodies.is_ball(t.b)) return {-ra * t.normal, in.bodies.radius[t.b] * t.normal};
    const Vec<Dim> from_b = in.cell.nearest(in.at.position[t.a] - in.at.position[t.b]);
    if (t.arm < 0) return {-ra * t.normal, from_b - (ra + t.gap) * t.normal};
    const Vec<Dim>& arm = in.touch.arms[static_cast<std::size_t>(t.arm)];
    return {arm, from_b + arm};
}

}  // namespace

template <int Dim>
void gather(const GatherInput<Dim>& in, ContactProblem<Dim>& problem, ContactLinks<Dim>& links) {
    problem.lines.resize(in.bodies.size());
    for (std::size_t i = 0; i < in.bodies.size(); ++i)
        problem.lines[in.list.rank[i]] = line_at_start(in.bodies, static_cast<std::int32_t>(i));
    const std::size_t n = in.touch.touches.size();
    problem.balls.clear();
    problem.generals.clear();
    problem.links.clear();
    links.record.resize(n);
    links.before.resize(n);
    links.wall.assign(in.motion.none() ? 0 : n, Vec<Dim>::Zero());
    for (std::size_t k = 0; k < n; ++k) {
        const Touch<Dim>& t = in.touch.touches[k];
        const auto [arm_a, arm_b] = arms_of(in, t);
        const Side<Dim> a = side_of<Dim>(in, t.a, arm_a), b = side_of<Dim>(in, t.b, arm_b);
        if (!in.motion.none()) links.wall[k] = in.motion.at(a.body, a.arm) - in.motion.at(b.body, b.arm);
        const Start<Dim> start = start_of(in, t);
        if (a.simple && b.simple) {
            links.record[k] = static_cast<std::int32_t>(problem.balls.size());
            problem.balls.push_back(ball_contact(t, a, b, problem.lines));
            problem.balls.back().pn = start.pn;
            problem.balls.back().pt = tangential_of(start.pt, t.normal);
        } else {
            links.record[k] = ~static_cast<std::int32_t>(problem.generals.size());
            problem.generals.push_back(general_contact(in, t, a, b));
            problem.generals.back().S = problem.generals.back().frame * (start.pn * t.normal + start.pt);
        }
        links.before[k] = velocity_of(problem, links, k);
    }
    problem.free_lines = problem.lines;
    add_free_motion(in, problem.free_lines, links.gyroscopic);
}

template <int Dim>
Vec<Dim> impulse_of(const ContactProblem<Dim>& problem, const ContactLinks<Dim>& links, std::size_t k) {
    const std::int32_t r = links.record[k];
    if (r >= 0) {
        const auto& c = problem.balls[r];
        return c.pn * c.n + to_world(c.pt, c.n);
    }
    const auto& c = problem.generals[~r];
    return c.frame.transpose() * c.S;
}

template <int Dim>
Vec<Dim> velocity_of(const ContactProblem<Dim>& problem, const std::vector<BodyLine<Dim>>& lines,
                     const ContactLinks<Dim>& links, std::size_t k) {
    const std::int32_t r = links.record[k];
    if (r >= 0) {
        const auto& c = problem.balls[r];
        const auto& a = lines[c.a];
        const auto& b = lines[c.b];
        const Vec<Dim> w = a.v - b.v;
        const double wn = w.dot(c.n);
        return wn * c.n + to_world(slip(w, wn, Spin<Dim>(a.R + b.R), c.n), c.n) + links.W(k);
    }
    const auto& c = problem.generals[~r];
    return c.frame.transpose() * (formal_velocity(c, lines[c.a], lines[c.b]) - c.c) + links.W(k);
}

#define TALUS_INSTANTIATE(Dim)                                                                                  \
    template void gather(const GatherInput<Dim>&, ContactProblem<Dim>&, ContactLinks<Dim>&);                    \
    template Vec<Dim> impulse_of(const ContactProblem<Dim>&, const ContactLinks<Dim>&, std::size_t);            \
    template Vec<Dim> velocity_of(const ContactProblem<Dim>&, const std::vector<BodyLine<Dim>>&,              \
                                  const ContactLinks<Dim>&, std::size_t);
TALUS_INSTANTIATE(2)
TALUS_INSTANTIATE(3)
#undef TALUS_INSTANTIATE

}  // namespace talus

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

/// One side of the couple rows: J w is what they see of the body's spin.
template <int Dim>
void add_couples(const GatherInput<Dim>& in, const Side<Dim>& side, const SpinMat<Dim>& J,
                 Eigen::Ref<SpinMat<Dim>> spin, Eigen::Ref<SpinMat<Dim>> turn) {
    if (in.bodies.driven[side.body] == all_driven<Dim>) return;
    const double scale = spin_scale(in.bodies, side.body);
    spin = J / scale;
    turn = scale * (inverse_inertia(in.bodies, in.at.rotation[side.body], side.body) * J.transpose());
}

/// Does the law pass couples?
bool has_couples(const LawSpec& law) {
    return law.rolling > 0.0 || law.rolling_length > 0.0 || law.pivoting > 0.0 || law.pivoting_length > 0.0;
}

template <int Dim>
LinkContact<Dim> link_contact(const GatherInput<Dim>& in, const Touch<Dim>& t, const Side<Dim>& a, const Side<Dim>& b,
                              const LawSpec& law) {
    constexpr int spins = spin_size<Dim>;
    LinkContact<Dim> c;
    Mat<Dim> frame = frame_of<Dim>(t.normal);
    if (law.friction_second >= 0.0) (void)frame_along<Dim>(t.normal, law.axis, frame);
    const auto oa = operators_of(in, a, frame), ob = operators_of(in, b, frame);
    c.a = a.line;
    c.b = b.line;
    c.law.kind = LinkLaw::Kind::contact;
    c.length = effective_radius(in.bodies, t);
    c.line.template topRows<Dim>() = frame;
    c.spin_a.template topRows<Dim>() = oa.spin; c.push_a.template leftCols<Dim>() = oa.push; c.turn_a.template leftCols<Dim>() = oa.turn;
    c.spin_b.template topRows<Dim>() = ob.spin; c.push_b.template leftCols<Dim>() = ob.push; c.turn_b.template leftCols<Dim>() = ob.turn;
    c.rows = Dim;
    if (has_couples(law)) {
        c.rows = LinkContact<Dim>::size;
        const SpinMat<Dim> J = c.length * couple_axes<Dim>(frame);
        add_couples<Dim>(in, a, J, c.spin_a.template bottomRows<spins>(), c.turn_a.template rightCols<spins>());
        add_couples<Dim>(in, b, J, c.spin_b.template bottomRows<spins>(), c.turn_b.template rightCols<spins>());
    }
    c.H = c.line * (c.push_a + c.push_b) + c.spin_a * c.turn_a + c.spin_b * c.turn_b;
    c.H = (0.5 * (c.H + c.H.transpose())).eval();
    return c;
}

/// The cached impulse in the new frame: same normal part, tangential part turned with the normal.
template <int Dim>
struct Start {
    double pn = 0.0;
    Vec<Dim> pt = Vec<Dim>::Zero();
    Spin<Dim> couple = Spin<Dim>::Zero();
};

template <int Dim>
Start<Dim> start_of(const GatherInput<Dim>& in, const Touch<Dim>& t) {
    if (!in.warm_start || t.cached < 0) return {};
    const std::int32_t e = t.cached;
    // Seen from the other side, normal and impulse change sign.
    const double sign = in.cache.a[e] == t.a ? 1.0 : -1.0;
    Start<Dim> start{in.cache.pn[e], carry_tangent<Dim>(sign * in.cache.pt[e], sign * in.cache.normal[e], t.normal)};
    if (!in.cache.couple.empty())
        start.couple = carry_couple<Dim>(sign * in.cache.couple[e], sign * in.cache.normal[e], t.normal);
    return start;
}

/// The law of a contact where it is more than a cone of revolution, else null.
template <int Dim>
const LawSpec* linked_law(const GatherInput<Dim>& in, const Touch<Dim>& t) {
    if (in.materials.all_plain()) return nullptr;
    const std::int32_t law = in.materials.law_of(in.bodies.material[t.a], in.bodies.material[t.b]);
    if (law < 0) return nullptr;
    const LawSpec& spec = in.materials.laws()[static_cast<std::size_t>(law)];
    return spec.is_plain() ? nullptr : &spec;
}

/// Appends a contact as a link, with what its couple rows see before the step.
template <int Dim>
void add_link(const GatherInput<Dim>& in, LinkContact<Dim> c, const Start<Dim>& start, const Touch<Dim>& t,
              ContactProblem<Dim>& problem, ContactLinks<Dim>& links) {
    constexpr int spins = spin_size<Dim>;
    const Mat<Dim> frame = c.line.template topRows<Dim>();
    const auto axes = couple_axes<Dim>(frame);
    Spin<Dim> wall = Spin<Dim>::Zero();
    c.S.template head<Dim>() = frame * (start.pn * t.normal + start.pt);
    if (c.rows > Dim) {
        c.S.template tail<spins>() = axes * start.couple / c.length;
        if (!in.motion.none())
            wall = c.length * (axes * (in.motion.spin_of(in.bodies.carrier(t.a)) - in.motion.spin_of(in.bodies.carrier(t.b))));
    }
    problem.links.push_back(c);
    links.couple_wall.push_back(wall);
    links.couple_before.push_back(couple_velocity_of(problem, problem.lines, links, problem.links.size() - 1));
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
    links.couple_before.clear();
    links.couple_wall.clear();
    links.wall.assign(in.motion.none() ? 0 : n, Vec<Dim>::Zero());
    for (std::size_t k = 0; k < n; ++k) {
        const Touch<Dim>& t = in.touch.touches[k];
        const auto [arm_a, arm_b] = arms_of(in, t);
        const Side<Dim> a = side_of<Dim>(in, t.a, arm_a), b = side_of<Dim>(in, t.b, arm_b);
        if (!in.motion.none()) links.wall[k] = in.motion.at(a.body, a.arm) - in.motion.at(b.body, b.arm);
        const Start<Dim> start = start_of(in, t);
        if (const LawSpec* law = linked_law(in, t)) {
            links.record[k] = {ContactRecord::Kind::link, problem.links.size()};
            add_link(in, link_contact(in, t, a, b, *law), start, t, problem, links);
        } else if (a.simple && b.simple) {
            links.record[k] = {ContactRecord::Kind::ball, problem.balls.size()};
            problem.balls.push_back(ball_contact(t, a, b, problem.lines));
            problem.balls.back().pn = start.pn;
            problem.balls.back().pt = tangential_of(start.pt, t.normal);
        } else {
            links.record[k] = {ContactRecord::Kind::general, problem.generals.size()};
            problem.generals.push_back(general_contact(in, t, a, b));
            problem.generals.back().S = problem.generals.back().frame * (start.pn * t.normal + start.pt);
        }
        links.before[k] = velocity_of(problem, links, k);
    }
    problem.free_lines = problem.lines;
    add_free_motion(in, problem.free_lines, links.gyroscopic);
}

template void gather(const GatherInput<2>&, ContactProblem<2>&, ContactLinks<2>&);
template void gather(const GatherInput<3>&, ContactProblem<3>&, ContactLinks<3>&);

}  // namespace talus

#include "contact/gather.h"

#include "contact/domains.h"
#include "contact/inertia.h"
#include "math/snug.h"

namespace talus {
namespace {

/// One of the two bodies of a contact: whose motion it has, and where it is touched.
template <int Dim>
struct Side {
    std::int32_t body;      ///< the carrier
    std::int32_t line;
    Vec<Dim> arm;           ///< from the carrier's centre to the contact
    bool simple;            ///< as `ContactLinks::simple`
};

constexpr std::size_t body_chunk = 2048, contact_chunk = 1024;

/// Freedoms of a kind are all free or all held: the inverse inertia is isotropic.
bool is_uniform(std::uint8_t driven, std::uint8_t mask) { return (driven & mask) == 0 || (driven & mask) == mask; }

template <int Dim>
bool is_simple(const Bodies<Dim>& bodies, std::int32_t i) {
    if (bodies.glued_to[i] >= 0) return bodies.is_wall(i);
    if (bodies.driven[i] == all_driven<Dim>) return true;
    return bodies.is_ball(i) && is_uniform(bodies.driven[i], translations_mask<Dim>) &&
           is_uniform(bodies.driven[i], rotations_mask<Dim>);
}

/// Balls are the same from all sides; their rotations at q_m are not known.
template <int Dim>
Rotation<Dim> rotation_at(const GatherInput<Dim>& in, std::int32_t i) { return in.bodies.is_ball(i) ? Rotation<Dim>{} : in.at.rotation[i]; }

template <int Dim>
Side<Dim> side_of(const GatherInput<Dim>& in, const ContactLinks<Dim>& links, std::int32_t i, const Vec<Dim>& arm) {
    const std::int32_t c = in.bodies.carrier(i);
    const Vec<Dim> from_carrier = c == i ? arm : Vec<Dim>(in.cell.nearest(in.at.position[i] - in.at.position[c]) + arm);
    // What is glued to a wall keeps its own (inert) line; else impulses go to the carrier.
    const bool simple = links.simple[i] != 0;
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

/// Adds h A^-1 F of weight and gyroscopic term to the line of body i.
template <int Dim>
void add_free_motion(const GatherInput<Dim>& in, std::size_t i, std::vector<Spin<Dim>>& gyroscopic, LineMotion<Dim>& line) {
    const Bodies<Dim>& bodies = in.bodies;
    if (bodies.glued_to[i] >= 0 || bodies.driven[i] == all_driven<Dim>) return;
    if (!gyroscopic.empty() && (bodies.turns_freely(i) || bodies.turns_partly(i))) {
        gyroscopic[i] = gyroscopic_change(in, i);
        line.R += gyroscopic[i];
    }
    if (!bodies.has_weight[i]) return;
    Vec<Dim> fall = in.h * in.gravity;
    for (int k = 0; k < Dim; ++k)
        if (bodies.driven[i] >> k & 1u) fall[k] = 0.0;
    line.v += fall;
}

template <int Dim>
void add_loads(const GatherInput<Dim>& in, std::vector<LineMotion<Dim>>& lines) {
    const Bodies<Dim>& bodies = in.bodies;
    for (std::size_t k = 0; k < in.loads.size(); ++k) {
        const std::int32_t i = in.loaded_bodies[k];
        LineMotion<Dim>& line = lines[in.list.rank[i]];
        for (int d = 0; d < Dim; ++d)
            if (!(bodies.driven[i] >> d & 1u)) line.v[d] += in.h * in.loads[k].force[d] / bodies.mass[i];
        if (in.loads[k].torque.isZero(0.0)) continue;
        const SpinMat<Dim> inverse = inverse_inertia(bodies, rotation_at(in, i), i);
        line.R += spin_scale(bodies, i) * in.h * (inverse * in.loads[k].torque);
    }
}

/// Lines at the start and free lines of all bodies. \returns whether all of them are simple.
template <int Dim>
bool gather_lines(const GatherInput<Dim>& in, ContactProblem<Dim>& problem, ContactLinks<Dim>& links) {
    const std::size_t n = in.bodies.size();
    // Some more lines follow those of the bodies: one a group of contacts, and the ground of joints.
    const auto make_room = [n](auto& lines) {
        resize_snugly(lines, n + Grouping<Dim>::most_groups + 1);
        lines.resize(n);
    };
    make_room(problem.lines);
    make_room(problem.free_lines);
    problem.first_inert = -1;
    links.simple.resize(n);
    const bool any_turns = in.threads.reduce(
        n, body_chunk, false,
        [&](std::size_t begin, std::size_t end) {
            bool any = false;
            for (std::size_t i = begin; i < end && !any; ++i) any = in.bodies.turns_freely(i) || in.bodies.turns_partly(i);
            return any;
        },
        [](bool a, bool b) { return a || b; });
    links.gyroscopic.assign(any_turns ? n : 0, Spin<Dim>::Zero());
    const bool all_simple = in.threads.reduce(
        n, body_chunk, true,
        [&](std::size_t begin, std::size_t end) {
            bool all = true;
            for (std::size_t i = begin; i < end; ++i) {
                if (i + lines_ahead < end) {
                    const auto next = static_cast<std::size_t>(in.list.rank[i + lines_ahead]);
                    __builtin_prefetch(&problem.lines[next], 1);
                    __builtin_prefetch(&problem.free_lines[next], 1);
                }
                const bool simple = is_simple(in.bodies, static_cast<std::int32_t>(i));
                links.simple[i] = simple;
                all = all && simple;
                const auto r = static_cast<std::size_t>(in.list.rank[i]);
                const BodyLine<Dim>& line = problem.lines[r] = line_at_start(in.bodies, static_cast<std::int32_t>(i));
                problem.free_lines[r] = motion_of(line);
                add_free_motion(in, i, links.gyroscopic, problem.free_lines[r]);
            }
            return all;
        },
        [](bool a, bool b) { return a && b; });
    add_loads(in, problem.free_lines);
    return all_simple;
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
    const auto inverse = inverse_inertia(bodies, rotation_at(in, i), i);
    ops.spin = rows / scale;
    ops.turn = scale * (inverse * rows.transpose());
    ops.H = frame * ops.push + rows * inverse * rows.transpose();
    return ops;
}

template <int Dim>
BallContact<Dim> ball_contact(const Touch<Dim>& t, LinePair pair, const std::vector<BodyLine<Dim>>& lines) {
    BallContact<Dim> c;
    c.n = t.normal;
    c.a = pair.a;
    c.b = pair.b;
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
    turn = scale * (inverse_inertia(in.bodies, rotation_at(in, side.body), side.body) * J.transpose());
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

/// The impulse of the last step in the new frame: same normal part, tangential part turned with the normal.
template <int Dim>
struct Start {
    double pn = 0.0;
    Vec<Dim> pt = Vec<Dim>::Zero();
};

/// Seen from the other side, normal and impulse change sign.
template <int Dim>
double side_sign(const GatherInput<Dim>& in, const Touch<Dim>& t) { return in.cache.a[t.cached] == t.a ? 1.0 : -1.0; }

template <int Dim>
Start<Dim> start_of(const GatherInput<Dim>& in, const Touch<Dim>& t, const ContactProblem<Dim>& last) {
    if (!in.warm_start || t.cached < 0) return {};
    const double sign = side_sign(in, t);
    const LastContact<Dim> before = last_contact(in.cache, last, static_cast<std::size_t>(t.cached));
    return {before.pn, carry_tangent<Dim>(sign * before.pt, sign * before.normal, t.normal)};
}

/// The same for couples, which only contacts pass whose history is spelled out.
template <int Dim>
Spin<Dim> start_couple(const GatherInput<Dim>& in, const Touch<Dim>& t) {
    if (!in.warm_start || t.cached < 0 || in.cache.couple.empty()) return Spin<Dim>::Zero();
    const double sign = side_sign(in, t);
    return carry_couple<Dim>(sign * in.cache.couple[t.cached], sign * in.cache.normal[t.cached], t.normal);
}

/// What all contacts start from. History that is still in the problem is read before others take its place.
template <int Dim>
class Starts {
public:
    Starts(const GatherInput<Dim>& in, ContactProblem<Dim>& problem) : in_(in), problem_(problem) {
        if (!in.cache.in_problem) return;
        const auto& touches = in.touch.touches;
        kept_ = problem.by_contact.template take<Start<Dim>>(touches.size());
        in.threads.for_chunks(touches.size(), contact_chunk, [&](std::size_t begin, std::size_t end) {
            constexpr std::size_t ahead = 12;
            for (std::size_t k = begin; k < end; ++k) {
                if (k + ahead < end && touches[k + ahead].cached >= 0) problem.balls.fetch(static_cast<std::size_t>(touches[k + ahead].cached));
                kept_[k] = start_of(in, touches[k], problem);
            }
        });
    }
    [[nodiscard]] Start<Dim> operator[](std::size_t k) const { return kept_.empty() ? start_of(in_, in_.touch.touches[k], problem_) : kept_[k]; }

private:
    const GatherInput<Dim>& in_;
    const ContactProblem<Dim>& problem_;
    std::span<Start<Dim>> kept_;
};

/// The law of a contact where it is more than a cone of revolution, else null.
template <int Dim>
const LawSpec* linked_law(const GatherInput<Dim>& in, const Touch<Dim>& t) {
    if (in.materials.all_plain()) return nullptr;
    const std::int32_t law = in.materials.law_of(in.bodies.material[t.a], in.bodies.material[t.b]);
    if (law < 0) return nullptr;
    const LawSpec& spec = in.materials.laws()[static_cast<std::size_t>(law)];
    return spec.is_plain() ? nullptr : &spec;
}

/// Puts a contact among the links, with what its couple rows see before the step.
template <int Dim>
void put_link(const GatherInput<Dim>& in, std::size_t index, LinkContact<Dim> c, const Start<Dim>& start,
              const Touch<Dim>& t, ContactProblem<Dim>& problem, ContactLinks<Dim>& links) {
    constexpr int spins = spin_size<Dim>;
    const Mat<Dim> frame = c.line.template topRows<Dim>();
    const auto axes = couple_axes<Dim>(frame);
    Spin<Dim> wall = Spin<Dim>::Zero();
    c.S.template head<Dim>() = frame * (start.pn * t.normal + start.pt);
    if (c.rows > Dim) {
        c.S.template tail<spins>() = axes * start_couple(in, t) / c.length;
        if (!in.motion.none())
            wall = c.length * (axes * (in.motion.spin_of(in.bodies.carrier(t.a)) - in.motion.spin_of(in.bodies.carrier(t.b))));
    }
    problem.links[index] = c;
    links.couple_wall[index] = wall;
    links.couple_before[index] = couple_velocity_of(problem, problem.lines, links, index);
}

/// From the centres of the two bodies to the contact. Balls are touched on their surfaces, other bodies
/// halfway between the two surfaces.
template <int Dim>
std::pair<Vec<Dim>, Vec<Dim>> arms_of(const GatherInput<Dim>& in, std::size_t k) {
    const Touch<Dim>& t = in.touch.touches[k];
    const Vec<Dim>* arm = in.touch.arm(k);
    const double ra = in.bodies.radius[t.a];
    if (arm == nullptr && in.bodies.is_ball(t.b)) return {-ra * t.normal, in.bodies.radius[t.b] * t.normal};
    const Vec<Dim> from_b = in.cell.nearest(in.at.position[t.a] - in.at.position[t.b]);
    if (arm == nullptr) return {-ra * t.normal, from_b - (ra + t.gap) * t.normal};
    return {*arm, from_b + *arm};
}

template <int Dim>
ContactRecord::Kind kind_of(const GatherInput<Dim>& in, const Touch<Dim>& t, const ContactLinks<Dim>& links) {
    if (linked_law(in, t)) return ContactRecord::Kind::link;
    return links.simple[t.a] && links.simple[t.b] ? ContactRecord::Kind::ball : ContactRecord::Kind::general;
}

/// Says where each contact goes: kinds are counted by chunk, so that all chunks can be filled at once.
template <int Dim>
void number_contacts(const GatherInput<Dim>& in, bool only_balls, ContactProblem<Dim>& problem, ContactLinks<Dim>& links) {
    const std::size_t n = in.touch.touches.size();
    using Kind = ContactRecord::Kind;
    resize_snugly(links.records, only_balls ? 0 : n);
    links.counts.assign((n + contact_chunk - 1) / contact_chunk + 1, {});
    in.threads.for_chunks(n, contact_chunk, [&](std::size_t begin, std::size_t end) {
        auto& count = links.counts[begin / contact_chunk + 1];
        if (only_balls) {
            count.balls = end - begin;
            return;
        }
        for (std::size_t k = begin; k < end; ++k) {
            const Kind kind = kind_of(in, in.touch.touches[k], links);
            std::size_t& of_kind = kind == Kind::ball ? count.balls : kind == Kind::general ? count.generals : count.links;
            links.records[k] = {kind, of_kind++};
        }
    });
    for (std::size_t c = 1; c < links.counts.size(); ++c) {
        links.counts[c].balls += links.counts[c - 1].balls;
        links.counts[c].generals += links.counts[c - 1].generals;
        links.counts[c].links += links.counts[c - 1].links;
    }
    const auto& all = links.counts.back();
    resize_snugly(problem.generals, all.generals);
    problem.links.resize(all.links);
    links.couple_before.resize(all.links);
    links.couple_wall.resize(all.links);
}

template <int Dim>
LinePair lines_of(const GatherInput<Dim>& in, const Touch<Dim>& t) { return {in.list.rank[t.a], in.list.rank[t.b]}; }

/// Finds the ball contacts their places.
template <int Dim>
void arrange_balls(const GatherInput<Dim>& in, ContactProblem<Dim>& problem, ContactLinks<Dim>& links) {
    const auto& touches = in.touch.touches;
    const std::size_t balls = links.counts.back().balls;
    links.ball_touch.resize(balls == touches.size() ? 0 : balls);
    if (!links.ball_touch.empty())
        in.threads.for_chunks(touches.size(), contact_chunk, [&](std::size_t begin, std::size_t end) {
            for (std::size_t k = begin, b = links.counts[begin / contact_chunk].balls; k < end; ++k)
                if (links.records[k].kind() == ContactRecord::Kind::ball) links.ball_touch[b++] = static_cast<std::uint32_t>(k);
        });
    // Asked for one contact after the other; the ranks of bodies lie anywhere, and so do their lines, which are asked whether they move.
    const auto lines = [&](std::size_t b) {
        if (b + lines_ahead < touches.size()) {
            __builtin_prefetch(&in.list.rank[touches[b + lines_ahead].a]);
            __builtin_prefetch(&in.list.rank[touches[b + lines_ahead].b]);
            const LinePair soon = lines_of(in, touches[b + lines_ahead / 2]);
            __builtin_prefetch(&problem.lines[soon.a]);
            __builtin_prefetch(&problem.lines[soon.b]);
        }
        return lines_of(in, touches[links.ball_touch.empty() ? b : links.ball_touch[b]]);
    };
    problem.balls.set_has_shifts(in.springs_back || !in.motion.none());
    links.arranger.arrange(problem, balls, LinesOf(lines));
}

/// The usual case: two balls, nothing driven that moves.
template <int Dim>
void put_ball(const Touch<Dim>& t, const Start<Dim>& start, std::size_t index, ContactProblem<Dim>& problem, const ContactLinks<Dim>& links) {
    BallContact<Dim> c = ball_contact(t, links.arranger.placed(problem, index), problem.lines);
    c.pn = start.pn;
    c.pt = tangential_of(start.pt, t.normal);
    problem.balls.set(index, c);
}

/// Where contact k goes, once it is known how many of its kind come before its chunk.
template <int Dim>
ContactRecord settle_record(std::size_t k, const typename ContactLinks<Dim>::Counts& first, ContactLinks<Dim>& links) {
    using Kind = ContactRecord::Kind;
    if (links.records.empty()) return {Kind::ball, k};
    const Kind kind = links.records[k].kind();
    const std::size_t before = kind == Kind::ball ? first.balls : kind == Kind::general ? first.generals : first.links;
    return links.records[k] = {kind, before + links.records[k].index()};
}

template <int Dim>
void put_contact(const GatherInput<Dim>& in, std::size_t k, ContactRecord record, const Start<Dim>& start, ContactProblem<Dim>& problem,
                 ContactLinks<Dim>& links) {
    using Kind = ContactRecord::Kind;
    const Touch<Dim>& t = in.touch.touches[k];
    if (record.kind() == Kind::ball && in.motion.none()) return put_ball(t, start, record.index(), problem, links);
    const auto [arm_a, arm_b] = arms_of(in, k);
    const Side<Dim> a = side_of<Dim>(in, links, t.a, arm_a), b = side_of<Dim>(in, links, t.b, arm_b);
    if (!in.motion.none()) links.wall[k] = in.motion.at(a.body, a.arm) - in.motion.at(b.body, b.arm);
    if (record.kind() == Kind::ball) return put_ball(t, start, record.index(), problem, links);
    if (record.kind() == Kind::link) {
        put_link(in, record.index(), link_contact(in, t, a, b, *linked_law(in, t)), start, t, problem, links);
    } else {
        GeneralContact<Dim>& c = problem.generals[record.index()];
        c = general_contact(in, t, a, b);
        c.S = c.frame * (start.pn * t.normal + start.pt);
    }
}

/// Says that the bodies of the ball contacts after k will be asked about next.
template <int Dim>
[[gnu::always_inline]] inline void fetch_bodies(const ContactProblem<Dim>& problem, const ContactLinks<Dim>& links, std::size_t k) {
    if (k + lines_ahead >= links.touches->size()) return;
    const LinePair pair = links.arranger.placed(problem, k + lines_ahead);
    __builtin_prefetch(&problem.lines[pair.a]);
    __builtin_prefetch(&problem.lines[pair.b]);
}

}  // namespace

template <int Dim>
void gather(const GatherInput<Dim>& in, ContactProblem<Dim>& problem, ContactLinks<Dim>& links) {
    problem.threads = &in.threads;
    links.touches = &in.touch.touches;
    const bool all_simple = gather_lines(in, problem, links);
    const std::size_t n = in.touch.touches.size();
    number_contacts(in, all_simple && in.materials.all_plain(), problem, links);
    assign_domains(in, problem);
    const Starts<Dim> starts(in, problem);
    arrange_balls(in, problem, links);
    resize_snugly(links.wall, in.motion.none() ? 0 : n);
    in.threads.for_chunks(n, contact_chunk, [&](std::size_t begin, std::size_t end) {
        const auto first = links.counts[begin / contact_chunk];
        for (std::size_t k = begin; k < end; ++k) {
            if (links.records.empty()) {   // else it is not known yet where they are
                look_ahead(problem, links, k);
                fetch_bodies(problem, links, k);
            }
            put_contact(in, k, settle_record(k, first, links), starts[k], problem, links);
        }
    });
}

template <int Dim>
void note_start(const Bodies<Dim>& bodies, const CandidateList<Dim>& list, const Threads& threads, ContactProblem<Dim>& problem) {
    const std::span<LineMotion<Dim>> motions = problem.by_body.template take<LineMotion<Dim>>(problem.lines.size());
    threads.for_chunks(bodies.size(), body_chunk, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) {
            if (i + lines_ahead < end) __builtin_prefetch(&motions[static_cast<std::size_t>(list.rank[i + lines_ahead])], 1);
            motions[static_cast<std::size_t>(list.rank[i])] = motion_of(line_at_start(bodies, static_cast<std::int32_t>(i)));
        }
    });
    std::fill(motions.begin() + static_cast<std::ptrdiff_t>(bodies.size()), motions.end(), LineMotion<Dim>{});
}

template void note_start(const Bodies<2>&, const CandidateList<2>&, const Threads&, ContactProblem<2>&);
template void note_start(const Bodies<3>&, const CandidateList<3>&, const Threads&, ContactProblem<3>&);
template void gather(const GatherInput<2>&, ContactProblem<2>&, ContactLinks<2>&);
template void gather(const GatherInput<3>&, ContactProblem<3>&, ContactLinks<3>&);

}  // namespace talus

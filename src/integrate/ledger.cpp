#include "integrate/ledger.h"

#include <algorithm>

#include "solve/kernels.h"

namespace talus {
namespace {

template <int Dim>
Vec<Dim> only_free(const Bodies<Dim>& bodies, std::size_t i, Vec<Dim> x) {
    for (int k = 0; k < Dim; ++k)
        if (bodies.driven[i] >> k & 1u) x[k] = 0.0;
    return x;
}

template <int Dim>
bool can_move(const Bodies<Dim>& bodies, std::size_t i) {
    return bodies.glued_to[i] < 0 && bodies.driven[i] != all_driven<Dim>;
}

template <int Dim>
double half_square(const Rotation<Dim>& rotation, const Spin<Dim>& inertia, const Spin<Dim>& w) {
    return 0.5 * w.dot(in_world<Dim>(rotation, inertia) * w);
}

constexpr std::size_t chunk = 1024;  ///< contacts or bodies summed together

/// Whether contact k passes an impulse, apart from cohesion.
template <int Dim>
bool is_working(const ContactProblem<Dim>& problem, ContactRecord r) {
    if (r.kind() == ContactRecord::Kind::ball) return problem.balls.pn(r.index()) != 0.0;
    if (r.kind() == ContactRecord::Kind::general) return !problem.generals[r.index()].S.isZero(0.0);
    return !problem.links[r.index()].S.isZero(0.0);
}

template <int Dim>
void book_contact(const LedgerInput<Dim>& in, const Bodies<Dim>& bodies, std::size_t k, ContactBooks<Dim>& books) {
    books.working += is_working(in.problem, in.links.record(k));
    const Vec<Dim> S = impulse_of(in.problem, in.links, k);
    if (S.isZero(0.0)) return;
    const Vec<Dim>& n = in.touches[k].normal;
    const Vec<Dim> mean = mean_velocity(in.problem, in.links, k);
    const double normal = S.dot(n) * mean.dot(n);
    books.impact -= normal;
    books.friction -= S.dot(mean) - normal;
    if (!in.links.wall.empty()) books.drive_work -= S.dot(in.links.wall[k]);
    books.on_free += only_free(bodies, bodies.carrier(in.touches[k].a), S);
    books.on_free -= only_free(bodies, bodies.carrier(in.touches[k].b), S);
    books.size += S.norm();
}

/// Contacts of balls in the blocks [begin, end) of the problem.
template <int Dim>
ContactBooks<Dim> book_blocks(const LedgerInput<Dim>& in, std::size_t begin, std::size_t end) {
    // Kernels that sweep write to the lines; this one does not.
    auto* lines = const_cast<double*>(in.problem.lines.front().v.data());
    BallBooks<Dim> lanes_of;
    ball_kernels<Dim>(available(Kernel::automatic)).book({in.problem.balls.blocks().data(), begin, end, lines, in.problem.motions().front().v.data()}, lanes_of);
    ContactBooks<Dim> books;
    books.impact = -sum_of(lanes_of.normal);
    books.friction = -sum_of(lanes_of.tangential);
    books.size = sum_of(lanes_of.size);
    books.working = static_cast<std::int64_t>(sum_of(lanes_of.working));
    for (int i = 0; i < Dim; ++i) books.on_free[i] = sum_of(lanes_of.on_free[i]);
    return books;
}

template <int Dim>
ContactBooks<Dim> sum(ContactBooks<Dim> a, const ContactBooks<Dim>& b) {
    a.impact += b.impact;
    a.friction += b.friction;
    a.drive_work += b.drive_work;
    a.on_free += b.on_free;
    a.size += b.size;
    a.working += b.working;
    return a;
}

template <int Dim>
void book_joints(const LedgerInput<Dim>& in, EnergyLedger& ledger) {
    for (const auto& j : in.joints) {
        const auto& S = in.problem.links[static_cast<std::size_t>(j.link)].S;
        ledger.impact -= 0.5 * S.dot(velocity_of(in.problem, j) + j.before);
        ledger.drive_work -= S.dot(j.wall);
    }
}

template <int Dim>
void book_loads(const LedgerInput<Dim>& in, const Bodies<Dim>& bodies, EnergyLedger& ledger) {
    for (std::size_t k = 0; k < in.loads.size(); ++k) {
        const std::int32_t i = in.loaded_bodies[k];
        const BodyLine<Dim>& after = in.problem.lines[in.list.rank[i]];
        const Vec<Dim> v = 0.5 * (free_velocity(bodies, i) + after.v);
        const Spin<Dim> w = 0.5 * (free_spin(bodies, i) + Spin<Dim>(after.R / spin_scale(bodies, i)));
        ledger.load_work += in.h * (in.loads[k].force.dot(v) + in.loads[k].torque.dot(w));
    }
}

/// The gyroscopic term does no work on a body that turns freely and alone; with contacts it works on half of
/// the change of spin that these bring. With some rotations held, I changes with the orientation besides.
template <int Dim>
double rotation_work(const LedgerInput<Dim>& in, const Bodies<Dim>& bodies, std::size_t i) {
    if (bodies.turns_freely(i)) {
        const Spin<Dim>& change = in.links.gyroscopic[i];
        if (change.isZero(0.0)) return 0.0;
        const Spin<Dim> mean = 0.5 * (free_spin(bodies, i) + in.problem.lines[in.list.rank[i]].R);
        return mean.dot(in_world<Dim>(in.at.rotation[i], bodies.inertia[i]) * change);
    }
    if (!bodies.turns_partly(i)) return 0.0;
    const Spin<Dim> before = free_spin(bodies, i), after = in.problem.lines[in.list.rank[i]].R;
    const auto inertia_i = in_world<Dim>(bodies.rotation[i], bodies.inertia[i]);
    const auto inertia_m = in_world<Dim>(in.at.rotation[i], bodies.inertia[i]);
    return ((inertia_i - inertia_m) * before).dot(0.5 * (before + after)) - 0.5 * before.dot((inertia_i - inertia_m) * before);
}

/// The sum of f(i) over all bodies, in an order that depends on their number only.
template <class F>
double sum_over(std::size_t bodies, const Threads& threads, F&& f) {
    return threads.reduce(
        bodies, chunk, 0.0,
        [&](std::size_t begin, std::size_t end) {
            double part = 0.0;
            for (std::size_t i = begin; i < end; ++i) part += f(i);
            return part;
        },
        [](double a, double b) { return a + b; });
}

}  // namespace

template <int Dim>
Energy<Dim> energy_of(const Bodies<Dim>& bodies, const Cell<Dim>& cell, const Vec<Dim>& gravity, std::size_t i) {
    Energy<Dim> e;
    if (!can_move(bodies, i)) return e;
    const Spin<Dim> w = free_spin(bodies, i);
    e.kinetic = 0.5 * bodies.mass[i] * free_velocity(bodies, i).squaredNorm();
    e.kinetic += bodies.is_ball(i) ? 0.5 * bodies.inertia[i][0] * w.squaredNorm()
                                   : half_square<Dim>(bodies.rotation[i], bodies.inertia[i], w);
    if (!bodies.has_weight[i]) return e;
    Vec<Dim> x = bodies.position[i];
    if (cell.any) x += bodies.image[i].template cast<double>().cwiseProduct(cell.length);
    e.potential = -bodies.mass[i] * gravity.dot(only_free(bodies, i, x));
    return e;
}

template <int Dim>
Energy<Dim> energy_of_all(const Bodies<Dim>& bodies, const Cell<Dim>& cell, const Vec<Dim>& gravity, const Threads& threads) {
    return threads.reduce(
        bodies.size(), chunk, Energy<Dim>{},
        [&](std::size_t begin, std::size_t end) {
            Energy<Dim> part;
            for (std::size_t i = begin; i < end; ++i) {
                const Energy<Dim> e = energy_of(bodies, cell, gravity, i);
                part.kinetic += e.kinetic;
                part.potential += e.potential;
            }
            return part;
        },
        [](Energy<Dim> a, const Energy<Dim>& b) {
            a.kinetic += b.kinetic;
            a.potential += b.potential;
            return a;
        });
}

template <int Dim>
ContactBooks<Dim> book_contacts(const LedgerInput<Dim>& in, const Bodies<Dim>& bodies) {
    ContactBooks<Dim> couples;
    for (std::size_t link = 0; link < in.links.couple_before.size(); ++link) {
        const Spin<Dim> S = in.problem.links[link].S.template tail<spin_size<Dim>>();
        const Spin<Dim> mean =
            0.5 * (couple_velocity_of(in.problem, in.problem.lines, in.links, link) + in.links.couple_before[link]);
        couples.friction -= S.dot(mean);
        couples.drive_work -= S.dot(in.links.couple_wall[link]);
    }
    // Blocks know neither drives nor cohesion.
    const bool by_block = in.links.wall.empty() && in.links.pull.empty() && !in.problem.balls.empty();
    ContactBooks<Dim> books = couples;
    if (by_block)
        books = in.threads.reduce(in.problem.balls.blocks().size(), chunk / lanes, books, [&](std::size_t begin, std::size_t end) { return book_blocks(in, begin, end); }, sum<Dim>);
    if (by_block && in.links.records.empty()) return books;
    return in.threads.reduce(
        in.touches.size(), chunk, books,
        [&](std::size_t begin, std::size_t end) {
            ContactBooks<Dim> part;
            for (std::size_t k = begin; k < end; ++k) {
                if (by_block && in.links.record(k).kind() == ContactRecord::Kind::ball) continue;
                look_ahead(in.problem, in.links, k);
                book_contact(in, bodies, k, part);
            }
            return part;
        },
        sum<Dim>);
}

template <int Dim>
EnergyLedger book_step(const LedgerInput<Dim>& in, const ContactBooks<Dim>& contacts, const Bodies<Dim>& bodies) {
    EnergyLedger ledger;
    ledger.impact = contacts.impact;
    ledger.friction = contacts.friction;
    ledger.drive_work = contacts.drive_work;
    book_joints(in, ledger);
    book_loads(in, bodies, ledger);
    if (!in.links.gyroscopic.empty())
        ledger.rotation = sum_over(bodies.size(), in.threads, [&](std::size_t i) { return rotation_work(in, bodies, i); });
    if (in.correction.empty()) return ledger;
    ledger.correction = sum_over(bodies.size(), in.threads, [&](std::size_t i) {
        if (!can_move(bodies, i) || !bodies.has_weight[i]) return 0.0;
        const Vec<Dim> moved = in.h * in.correction[in.list.rank[i]].v;
        return -bodies.mass[i] * in.gravity.dot(only_free(bodies, i, moved));
    });
    return ledger;
}

template <int Dim>
double rotation_energy_shift(const Bodies<Dim>& bodies, const Placement<Dim>& at) {
    double shift = 0.0;
    for (std::size_t i = 0; i < bodies.size(); ++i) {
        if (!bodies.turns_partly(i)) continue;
        const Spin<Dim> w = free_spin(bodies, i);
        shift += half_square<Dim>(bodies.rotation[i], bodies.inertia[i], w) -
                 half_square<Dim>(at.rotation[i], bodies.inertia[i], w);
    }
    return shift;
}

namespace {

/// Momentum that bodies gained and that forces gave them, and the sum of the sizes of the gains.
template <int Dim>
struct BodyMomentum {
    Vec<Dim> change = Vec<Dim>::Zero(), forces = Vec<Dim>::Zero();
    double size = 0.0;
};

template <int Dim>
BodyMomentum<Dim> momentum_of_bodies(const LedgerInput<Dim>& in, const Bodies<Dim>& bodies) {
    return in.threads.reduce(
        bodies.size(), chunk, BodyMomentum<Dim>{},
        [&](std::size_t begin, std::size_t end) {
            BodyMomentum<Dim> part;
            for (std::size_t i = begin; i < end; ++i) {
                if (i + lines_ahead < end) __builtin_prefetch(&in.problem.lines[in.list.rank[i + lines_ahead]]);
                if (!can_move(bodies, i)) continue;
                const Vec<Dim> dp = bodies.mass[i] * (in.problem.lines[in.list.rank[i]].v - free_velocity(bodies, i));
                part.change += dp;
                part.size += dp.norm();
                if (bodies.has_weight[i]) part.forces += only_free<Dim>(bodies, i, bodies.mass[i] * in.h * in.gravity);
            }
            return part;
        },
        [](BodyMomentum<Dim> a, const BodyMomentum<Dim>& b) {
            a.change += b.change;
            a.forces += b.forces;
            a.size += b.size;
            return a;
        });
}

}  // namespace

template <int Dim>
double momentum_residual(const LedgerInput<Dim>& in, const ContactBooks<Dim>& contacts, const Bodies<Dim>& bodies) {
    auto [change, forces, size] = momentum_of_bodies(in, bodies);
    Vec<Dim> walls = contacts.on_free;
    size += contacts.size;
    for (std::size_t k = 0; k < in.loads.size(); ++k)
        forces += only_free<Dim>(bodies, in.loaded_bodies[k], in.h * in.loads[k].force);
    for (const auto& j : in.joints) {
        const Vec<Dim> S = impulse_of(j.rows, j.length, in.problem.links[static_cast<std::size_t>(j.link)].S).impulse;
        walls += only_free(bodies, j.a, S);
        if (j.b >= 0) walls -= only_free(bodies, j.b, S);
        size += S.norm();
    }
    const double largest = std::max({change.norm(), forces.norm(), walls.norm(), size});
    return largest > 0.0 ? (change - forces - walls).norm() / largest : 0.0;
}

template <int Dim>
bool gained_energy(const LedgerInput<Dim>& in, const EnergyLedger& ledger, const LawError& law, double kinetic_before) {
    if (ledger.impact + ledger.friction >= 0.0) return false;
    // The books use U-, before the forces acted: a contact that weight closes within the step seems to
    // give energy. Seen from the free velocity U0 it does not: the work is sum S.(U+ + U0)/2.
    double gain = 0.0;
    // Pulls of cohesion are part of S. What joints pass on belongs to U0: it is there whatever the contacts do.
    const auto& free_lines = in.links.unpulled.empty() ? in.problem.free_lines : in.links.unpulled;
    std::vector<LineMotion<Dim>> with_joints;
    if (!in.joints.empty()) with_joints = free_lines;
    for (const auto& j : in.joints) {
        const auto& link = in.problem.links[static_cast<std::size_t>(j.link)];
        apply(link, link.S, with_joints[link.a], with_joints[link.b]);
    }
    const auto& without = in.joints.empty() ? free_lines : with_joints;
    // An impulse off by the law error can do this much work, and no more.
    double explained = 1e-12 * (kinetic_before + std::abs(ledger.impact) + std::abs(ledger.friction));
    for (std::size_t link = 0; link < in.links.couple_before.size(); ++link) {
        const Spin<Dim> S = in.problem.links[link].S.template tail<spin_size<Dim>>();
        gain += 0.5 * S.dot(couple_velocity_of(in.problem, in.problem.lines, in.links, link) +
                            couple_velocity_of(in.problem, without, in.links, link));
        explained += 2.0 * S.norm() * law.max * (law.v_ref + in.problem.links[link].impact);
    }
    for (std::size_t k = 0; k < in.touches.size(); ++k) {
        const Vec<Dim> S = impulse_of(in.problem, in.links, k);
        if (S.isZero(0.0)) continue;
        gain += 0.5 * S.dot(velocity_of(in.problem, in.links, k) + velocity_of(in.problem, without, in.links, k));
        const double approach = std::max(0.0, -velocity_before(in.problem, in.links, k).dot(in.touches[k].normal));
        explained += 2.0 * S.norm() * law.max * (law.v_ref + approach);
    }
    return gain > explained;
}

#define TALUS_INSTANTIATE(Dim)                                                                                       \
    template Energy<Dim> energy_of(const Bodies<Dim>&, const Cell<Dim>&, const Vec<Dim>&, std::size_t);              \
    template Energy<Dim> energy_of_all(const Bodies<Dim>&, const Cell<Dim>&, const Vec<Dim>&, const Threads&);       \
    template ContactBooks<Dim> book_contacts(const LedgerInput<Dim>&, const Bodies<Dim>&);                           \
    template EnergyLedger book_step(const LedgerInput<Dim>&, const ContactBooks<Dim>&, const Bodies<Dim>&);          \
    template double rotation_energy_shift(const Bodies<Dim>&, const Placement<Dim>&);                                \
    template double momentum_residual(const LedgerInput<Dim>&, const ContactBooks<Dim>&, const Bodies<Dim>&);        \
    template bool gained_energy(const LedgerInput<Dim>&, const EnergyLedger&, const LawError&, double);
TALUS_INSTANTIATE(2)
TALUS_INSTANTIATE(3)
#undef TALUS_INSTANTIATE

}  // namespace talus

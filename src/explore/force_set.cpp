#include "explore/force_set.h"

#include <algorithm>
#include <cmath>

#include "math/frame.h"
#include "talus/error.h"

namespace talus::explore {
namespace {

using Triplets = std::vector<Eigen::Triplet<double>>;

/// A contact between balls as one with full operators: V = frame (v_a - v_b - (R_a + R_b) x n).
template <int Dim>
GeneralContact<Dim> as_general(const BallContact<Dim>& ball, const std::vector<BodyLine<Dim>>& lines) {
    GeneralContact<Dim> c;
    const BodyLine<Dim>&a = lines[static_cast<std::size_t>(ball.a)], &b = lines[static_cast<std::size_t>(ball.b)];
    c.frame = frame_of<Dim>(ball.n);
    c.spin_a = angular_rows<Dim>(c.frame, Vec<Dim>(-ball.n));
    c.spin_b = angular_rows<Dim>(c.frame, ball.n);
    c.push_a = a.inv_mass * c.frame.transpose();
    c.push_b = b.inv_mass * c.frame.transpose();
    c.turn_a = a.inv_inertia * c.spin_a.transpose();
    c.turn_b = b.inv_inertia * c.spin_b.transpose();
    c.H = c.frame * (c.push_a + c.push_b) + c.spin_a * c.turn_a + c.spin_b * c.turn_b;
    c.S = c.frame * (ball.pn * ball.n + to_world(ball.pt, ball.n));
    c.mu = ball.mu;
    c.a = ball.a;
    c.b = ball.b;
    return c;
}

/// The contacts in the order of the world's list, all in the general form, those that are apart left out. Walls stand
/// still, so the constants of the formal velocities are zero.
template <int Dim>
void take_contacts(const World<Dim>& world, const StepProblem<Dim>& step, ForceSet<Dim>& set) {
    const auto listed = world.contacts();
    const auto& s = world.settings();
    const double apart = s.rule == ContactRule::gap ? s.gravity.norm() * s.step * s.step : 0.0;
    for (std::size_t k = 0; k < listed.size(); ++k) {
        const Contact<Dim>& contact = listed[k];
        if (s.rule == ContactRule::gap && contact.gap > apart) continue;
        const ContactRecord r = step.record[k];
        GeneralContact<Dim> c = r.kind() == ContactRecord::Kind::ball
                                    ? as_general(step.problem.balls[r.index()], step.problem.lines)
                                    : step.problem.generals[r.index()];
        set.found.conservativeResize(set.found.size() + Dim);
        set.found.template tail<Dim>() = c.S / set.h;
        c.S.setZero();
        c.c.setZero();
        c.impact = 0.0;
        set.contacts.push_back({contact, world.index_of(contact.a), world.index_of(contact.b), c.frame});
        set.problem.generals.push_back(c);
    }
}

/// Inertia of a body in world axes over the length that scales the spin of its line.
template <int Dim>
Eigen::Matrix<double, spin_size<Dim>, spin_size<Dim>> line_inertia(const World<Dim>& world, std::size_t i) {
    const double scale = world.is_ball(i) ? world.radii()[i] : 1.0;
    return in_world<Dim>(world.rotations()[i], world.inertias()[i]) / scale;
}

/// Writes the balance of one body from what impulses and loads do to its line: forces are masses times changes of velocity.
template <int Dim>
class BodyBalance {
public:
    BodyBalance(const World<Dim>& world, std::size_t i, ForceSet<Dim>& set, Triplets& entries)
        : set_(set), entries_(entries), mass_(world.masses()[i]), inertia_(line_inertia(world, i)),
          held_(world.driven()[i]), arm_(world.radii()[i] > 0.0 ? world.radii()[i] : 1.0) {
        first_ = static_cast<int>(set.rows.size());
        for (int k = 0; k < freedoms<Dim>; ++k)
            if (!is_held(k)) set.rows.push_back({i, k, k < Dim ? 1.0 : arm_});
    }
    void add_contact(std::size_t k, double sign, const Mat<Dim>& push,
                     const Eigen::Matrix<double, spin_size<Dim>, Dim>& turn) {
        const Eigen::Matrix<double, spin_size<Dim>, Dim> torque = inertia_ * turn / arm_;
        for (int column = 0; column < Dim; ++column)
            each_row([&](int row, int freedom) {
                const double value = freedom < Dim ? mass_ * push(freedom, column) : torque(freedom - Dim, column);
                if (value != 0.0) entries_.emplace_back(row, static_cast<int>(k) * Dim + column, sign * value);
            });
    }
    /// Loads from the velocity that they give the line from rest within h.
    void set_load(const LineMotion<Dim>& line, Eigen::VectorXd& load) const {
        const Spin<Dim> torque = inertia_ * line.R / arm_;
        each_row([&](int row, int freedom) {
            load[row] = (freedom < Dim ? mass_ * line.v[freedom] : torque[freedom - Dim]) / set_.h;
        });
    }

private:
    [[nodiscard]] bool is_held(int freedom) const { return held_ >> freedom & 1u; }
    template <class Visit>
    void each_row(Visit&& visit) const {
        int row = first_;
        for (int k = 0; k < freedoms<Dim>; ++k)
            if (!is_held(k)) visit(row++, k);
    }
    ForceSet<Dim>& set_;
    Triplets& entries_;
    double mass_;
    Eigen::Matrix<double, spin_size<Dim>, spin_size<Dim>> inertia_;
    std::uint8_t held_;
    double arm_;
    int first_ = 0;
};

template <int Dim>
void take_balance(const World<Dim>& world, ForceSet<Dim>& set) {
    Triplets entries;
    std::vector<BodyBalance<Dim>> balances;
    std::vector<std::int32_t> balance_of_line(set.problem.lines.size(), -1);
    std::vector<std::size_t> movable;
    for (std::size_t i = 0; i < world.size(); ++i) {
        if (set.carrier[i] != static_cast<std::int32_t>(i) || world.is_wall(i)) continue;
        balance_of_line[static_cast<std::size_t>(set.line[i])] = static_cast<std::int32_t>(balances.size());
        balances.emplace_back(world, i, set, entries);
        movable.push_back(i);
        set.mean_mass += world.masses()[i];
    }
    if (!movable.empty()) set.mean_mass /= static_cast<double>(movable.size());
    for (std::size_t k = 0; k < set.problem.generals.size(); ++k) {
        const auto& c = set.problem.generals[k];
        const std::int32_t a = balance_of_line[static_cast<std::size_t>(c.a)], b = balance_of_line[static_cast<std::size_t>(c.b)];
        if (a >= 0) balances[static_cast<std::size_t>(a)].add_contact(k, 1.0, c.push_a, c.turn_a);
        if (b >= 0) balances[static_cast<std::size_t>(b)].add_contact(k, -1.0, c.push_b, c.turn_b);
    }
    set.balance.resize(static_cast<Eigen::Index>(set.rows.size()), set.columns());
    set.balance.setFromTriplets(entries.begin(), entries.end());
    set.load = Eigen::VectorXd::Zero(static_cast<Eigen::Index>(set.rows.size()));
    for (std::size_t m = 0; m < movable.size(); ++m)
        balances[m].set_load(set.problem.free_lines[static_cast<std::size_t>(set.line[movable[m]])], set.load);
}

}  // namespace

template <int Dim>
ForceSet<Dim> force_set(World<Dim>& world, const SolverSettings& solver) {
    ForceSet<Dim> set;
    const Settings<Dim> settings = world.settings();
    Settings<Dim> tight = settings;
    tight.solver = solver;
    world.set_settings(tight);
    set.check = world.check_equilibrium(rest_tolerance);
    world.set_settings(settings);
    const StepProblem<Dim> step = world.step_problem();
    const auto contacts = world.contacts();
    const bool cohesive = std::any_of(contacts.begin(), contacts.end(), [](const auto& c) { return c.cohesion > 0.0; });
    if (!step.problem.links.empty() || cohesive)
        throw InputError("explore: the world has joints, or contacts with rolling resistance or cohesion; the set of equilibrium "
                         "forces is computed for Coulomb contacts only");
    set.h = world.step_length();
    set.line = step.line;
    set.carrier = step.carrier;
    set.problem.free_lines = step.problem.free_lines;
    set.problem.lines.resize(set.problem.free_lines.size());   // without inertia: operators carry it
    for (std::size_t i = 0; i < set.problem.lines.size(); ++i) set_motion(set.problem.lines[i], set.problem.free_lines[i]);
    set.problem.step = step.problem.step;
    take_contacts(world, step, set);
    take_balance(world, set);
    set.unit = set.load.size() > 0 ? set.load.template lpNorm<Eigen::Infinity>() : 0.0;
    if (!(set.unit > 0.0)) set.unit = 1.0;
    set.v_ref = settings.gravity.norm() * set.h;
    if (set.v_ref == 0.0 && set.mean_mass > 0.0) set.v_ref = set.unit * set.h / set.mean_mass;
    set.problem.v_ref = set.v_ref;
    return set;
}

template <int Dim>
ConeProgram conditions(const ForceSet<Dim>& set, int extra) {
    ConeProgram p;
    const int rows = static_cast<int>(set.rows.size()), columns = static_cast<int>(set.columns()) + extra;
    Triplets equal, cone;
    for (int k = 0; k < set.balance.outerSize(); ++k)
        for (Eigen::SparseMatrix<double>::InnerIterator it(set.balance, k); it; ++it)
            equal.emplace_back(static_cast<int>(it.row()), k, it.value());
    int equalities = rows;
    for (std::size_t k = 0; k < set.contacts.size(); ++k) {  // frictionless: f_N >= 0, f_T = 0
        if (set.contacts[k].contact.friction > 0.0) continue;
        cone.emplace_back(p.orthant++, static_cast<int>(k) * Dim, -1.0);
        for (int t = 1; t < Dim; ++t) equal.emplace_back(equalities++, static_cast<int>(k) * Dim + t, 1.0);
    }
    int at = p.orthant;
    for (std::size_t k = 0; k < set.contacts.size(); ++k) {  // (mu f_N, f_T) in the cone
        const double mu = set.contacts[k].contact.friction;
        if (!(mu > 0.0)) continue;
        for (int t = 0; t < Dim; ++t) cone.emplace_back(at + t, static_cast<int>(k) * Dim + t, t == 0 ? -mu : -1.0);
        p.second_order.push_back(Dim);
        at += Dim;
    }
    p.A.resize(equalities, columns);
    p.A.setFromTriplets(equal.begin(), equal.end());
    p.b = Eigen::VectorXd::Zero(equalities);
    p.b.head(rows) = -set.load / set.unit;
    p.G.resize(at, columns);
    p.G.setFromTriplets(cone.begin(), cone.end());
    p.h = Eigen::VectorXd::Zero(at);
    p.c = Eigen::VectorXd::Zero(columns);
    return p;
}

template <int Dim>
Motion<Dim> motion_of(const ForceSet<Dim>& set, const Eigen::VectorXd& y, std::size_t bodies) {
    Motion<Dim> motion;
    motion.velocity.assign(bodies, Vec<Dim>::Zero());
    motion.spin.assign(bodies, Spin<Dim>::Zero());
    for (std::size_t r = 0; r < set.rows.size(); ++r) {
        const FreeRow& row = set.rows[r];
        const double rate = y[static_cast<Eigen::Index>(r)] / row.arm;
        if (row.freedom < Dim) motion.velocity[row.body][row.freedom] = rate;
        else motion.spin[row.body][row.freedom - Dim] = rate;
    }
    return motion;
}

#define TALUS_INSTANTIATE(Dim)                                                                       \
    template ForceSet<Dim> force_set<Dim>(World<Dim>&, const SolverSettings&);                                           \
    template ConeProgram conditions<Dim>(const ForceSet<Dim>&, int);                                 \
    template Motion<Dim> motion_of<Dim>(const ForceSet<Dim>&, const Eigen::VectorXd&, std::size_t);
TALUS_INSTANTIATE(2)
TALUS_INSTANTIATE(3)
#undef TALUS_INSTANTIATE

}  // namespace talus::explore

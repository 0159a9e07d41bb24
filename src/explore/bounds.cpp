#include "explore/bounds.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "talus/error.h"

namespace talus::explore {
namespace {

using Vector = Eigen::VectorXd;

Certificate certificate_of(const ConeSolution& s) {
    switch (s.status) {
        case ConeStatus::infeasible: return {s.dual_residual, s.iterations};
        case ConeStatus::unbounded: return {s.primal_residual, s.iterations};
        default: return {std::max({s.primal_residual, s.dual_residual, s.gap}), s.iterations};
    }
}

BoundKind kind_of(ConeStatus status) {
    switch (status) {
        case ConeStatus::optimal: return BoundKind::attained;
        case ConeStatus::infeasible: return BoundKind::none;
        case ConeStatus::unbounded: return BoundKind::unbounded;
        default: return BoundKind::unsure;
    }
}

/// Scaled so that the largest velocity of a body is 1.
template <int Dim>
Motion<Dim> normalised(Motion<Dim> m) {
    double largest = 0.0;
    for (const auto& v : m.velocity) largest = std::max(largest, v.norm());
    for (const auto& w : m.spin) largest = largest > 0.0 ? largest : std::max(largest, w.norm());
    if (!(largest > 0.0)) return m;
    for (auto& v : m.velocity) v /= largest;
    for (auto& w : m.spin) w /= largest;
    return m;
}

/// Bodies with a load and no contact: rows of the balance without an entry.
template <int Dim>
std::vector<std::size_t> untouched_bodies(const ForceSet<Dim>& set) {
    std::vector<bool> has(set.rows.size(), false);
    for (int k = 0; k < set.balance.outerSize(); ++k)
        for (Eigen::SparseMatrix<double>::InnerIterator it(set.balance, k); it; ++it) has[static_cast<std::size_t>(it.row())] = true;
    std::vector<std::size_t> bodies;
    for (std::size_t r = 0; r < set.rows.size(); ++r) {
        const bool bare = !has[r] && std::abs(set.load[static_cast<Eigen::Index>(r)]) > 1e-12 * set.unit;
        if (bare && (bodies.empty() || bodies.back() != set.rows[r].body)) bodies.push_back(set.rows[r].body);
    }
    return bodies;
}

template <int Dim>
Bound least(const ForceSet<Dim>& set, ConeProgram& program, const Vector& weights) {
    program.c.head(set.columns()) = weights;
    const ConeSolution s = solve(program);
    Bound bound;
    bound.kind = kind_of(s.status);
    bound.certificate = certificate_of(s);
    bound.value = set.unit * s.value;
    if (bound.kind == BoundKind::attained) bound.forces = set.unit * s.x;
    if (bound.kind == BoundKind::unbounded) bound.forces = s.x;
    return bound;
}

}  // namespace

template <int Dim>
Existence<Dim> find_equilibrium(const ForceSet<Dim>& set, std::size_t bodies) {
    Existence<Dim> found;
    using Kind = typename Existence<Dim>::Kind;
    found.untouched = untouched_bodies(set);
    if (set.rows.empty()) {
        found.kind = Kind::some;
        found.forces = Vector::Zero(set.columns());
        return found;
    }
    const ConeSolution s = solve(conditions(set));
    found.certificate = certificate_of(s);
    if (s.status == ConeStatus::optimal) {
        found.kind = Kind::some;
        found.forces = set.unit * s.x;
    } else if (s.status == ConeStatus::infeasible) {
        found.kind = Kind::none;
        // b'y < 0 with b = -load: y is a motion in which the loads do work.
        found.mechanism = normalised(motion_of(set, s.y, bodies));
    }
    return found;
}

template <int Dim>
Range bounds(const ForceSet<Dim>& set, const Quantity& quantity) {
    ConeProgram program = conditions(set);
    Range range{least(set, program, quantity.weights), least(set, program, -quantity.weights)};
    range.greatest.value = -range.greatest.value;
    return range;
}

template <int Dim>
Thrust body_force(const ForceSet<Dim>& set, const World<Dim>& world, const Vec<Dim>& direction, std::string name) {
    const double g = world.settings().gravity.norm();
    Thrust load{std::move(name), Vector::Zero(static_cast<Eigen::Index>(set.rows.size())), g > 0.0 ? "g" : "m/s2"};
    for (std::size_t r = 0; r < set.rows.size(); ++r)
        if (set.rows[r].freedom < Dim)
            load.rows[static_cast<Eigen::Index>(r)] =
                world.masses()[set.rows[r].body] * (g > 0.0 ? g : 1.0) * direction[set.rows[r].freedom];
    return load;
}

template <int Dim>
Thrust point_force(const ForceSet<Dim>& set, std::size_t body, int freedom, double sign, std::string name) {
    Thrust load{std::move(name), Vector::Zero(static_cast<Eigen::Index>(set.rows.size())), freedom < Dim ? "N" : "N m"};
    bool found = false;
    for (std::size_t r = 0; r < set.rows.size(); ++r) {
        if (set.rows[r].body != body || set.rows[r].freedom != freedom) continue;
        load.rows[static_cast<Eigen::Index>(r)] = sign / set.rows[r].arm;
        found = true;
    }
    if (!found) throw InputError("the loaded body cannot move along that direction: the load changes nothing");
    return load;
}

template <int Dim>
Collapse<Dim> collapse(const ForceSet<Dim>& set, const Thrust& load, std::size_t bodies) {
    ConeProgram program = conditions(set, 1);
    const double size = load.rows.size() > 0 ? load.rows.template lpNorm<Eigen::Infinity>() : 0.0;
    if (!(size > 0.0)) throw InputError("the load of the collapse multiplier is zero");
    const auto last = static_cast<int>(set.columns());
    for (Eigen::Index r = 0; r < load.rows.size(); ++r)
        if (load.rows[r] != 0.0) program.A.insert(r, last) = load.rows[r] / size;
    program.A.makeCompressed();
    const auto limit = [&](double sign) {
        program.c[last] = -sign;
        const ConeSolution s = solve(program);
        Limit<Dim> out;
        out.kind = kind_of(s.status);
        out.certificate = certificate_of(s);
        if (out.kind == BoundKind::attained) {
            out.multiplier = s.x[last] * set.unit / size;
            out.forces = set.unit * s.x.head(last);
        }
        if (out.kind == BoundKind::attained || out.kind == BoundKind::none)
            out.mechanism = normalised(motion_of(set, s.y, bodies));
        return out;
    };
    return {limit(-1.0), limit(1.0)};
}

#define TALUS_INSTANTIATE(Dim)                                                                                     \
    template Existence<Dim> find_equilibrium<Dim>(const ForceSet<Dim>&, std::size_t);                              \
    template Range bounds<Dim>(const ForceSet<Dim>&, const Quantity&);                                             \
    template Thrust body_force<Dim>(const ForceSet<Dim>&, const World<Dim>&, const Vec<Dim>&, std::string);        \
    template Thrust point_force<Dim>(const ForceSet<Dim>&, std::size_t, int, double, std::string);                 \
    template Collapse<Dim> collapse<Dim>(const ForceSet<Dim>&, const Thrust&, std::size_t);
TALUS_INSTANTIATE(2)
TALUS_INSTANTIATE(3)
#undef TALUS_INSTANTIATE

}  // namespace talus::explore

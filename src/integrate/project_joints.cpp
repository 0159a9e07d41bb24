#include "integrate/project_joints.h"

#include <cmath>

#include <Eigen/SparseCholesky>

#include "contact/inertia.h"

namespace talus {
namespace {

constexpr int max_newton = 12;
constexpr double regular = 1e-12;      ///< of the diagonal
constexpr double rounding = 1e-15;     ///< defects below this part of the coordinates are zero

template <int Dim>
JointPlace<Dim> place_as_it_stands(const Cell<Dim>& cell, const JointState<Dim>& joint, const Bodies<Dim>& bodies) {
    const auto index = [&](BodyId id) -> std::int32_t {
        if (id == ground) return -1;
        return static_cast<std::int32_t>(std::lower_bound(bodies.id.begin(), bodies.id.end(), id) - bodies.id.begin());
    };
    JointPlace<Dim> p;
    p.a = index(joint.a);
    p.b = index(joint.b);
    p.rotation_a = bodies.rotation[p.a];
    p.from_b = bodies.position[p.a];
    if (p.b >= 0) {
        p.rotation_b = bodies.rotation[p.b];
        p.from_b = cell.nearest(p.from_b - bodies.position[p.b]);
    } else if (cell.any) {
        p.from_b = joint.arm_b + cell.nearest(p.from_b - joint.arm_b);
    }
    return p;
}

/// All joints at the present positions, and G A^-1 G^T factorised.
template <int Dim>
class JointSystem {
public:
    using Rows = Eigen::Matrix<double, JointRows<Dim>::size, 1>;

    JointSystem(const Cell<Dim>& cell, const std::vector<JointState<Dim>>& joints, const Bodies<Dim>& bodies)
        : bodies_(bodies) {
        for (const auto& joint : joints) {
            Equations e;
            const JointPlace<Dim> place = place_as_it_stands(cell, joint, bodies);
            e.a = place.a;
            e.b = place.b;
            e.rows = rows_of(joint, place);
            e.first = count_;
            count_ += e.rows.rows;
            const double reach = bodies.position[e.a].norm() + joint.arm_a.norm() + joint.arm_b.norm() +
                                 (e.b >= 0 ? bodies.position[e.b].norm() : 0.0);
            for (int k = 0; k < e.rows.rows; ++k) {
                const double size = k < e.rows.points ? reach : 1.0, defect = std::abs(e.rows.error[k]);
                largest_ = std::max(largest_, defect);
                if (size > 0.0) relative_ = std::max(relative_, defect / size);
            }
            equations_.push_back(e);
        }
    }

    [[nodiscard]] double largest_defect() const { return largest_; }
    [[nodiscard]] double relative_defect() const { return relative_; }

    [[nodiscard]] Eigen::VectorXd defects() const {
        Eigen::VectorXd c(count_);
        for (const auto& e : equations_) c.segment(e.first, e.rows.rows) = e.rows.error.head(e.rows.rows);
        return c;
    }
    /// G u, for velocities given by body.
    template <class V, class W>
    [[nodiscard]] Eigen::VectorXd rates(const V& velocity, const W& spin) const {
        Eigen::VectorXd x(count_);
        for (const auto& e : equations_) {
            Rows r = e.rows.line * velocity(e.a) + e.rows.turn_a * spin(e.a);
            if (e.b >= 0) r -= e.rows.line * velocity(e.b) + e.rows.turn_b * spin(e.b);
            x.segment(e.first, e.rows.rows) = r.head(e.rows.rows);
        }
        return x;
    }
    /// (G A^-1 G^T)^-1 x.
    [[nodiscard]] Eigen::VectorXd solve(const Eigen::VectorXd& x) {
        if (!factorised_) factorise();
        Eigen::VectorXd y = ldlt_.solve(x);
        // What the regularisation left over.
        for (int k = 0; k < 2; ++k) y += ldlt_.solve(x - K_.template selfadjointView<Eigen::Lower>() * y);
        return y;
    }
    /// Calls change(body, dv, dw) with A^-1 G^T y, one share a joint.
    template <class F>
    void give(const Eigen::VectorXd& y, F&& change) const {
        for (const auto& e : equations_) {
            Rows r = Rows::Zero();
            r.head(e.rows.rows) = y.segment(e.first, e.rows.rows);
            const Vec<Dim> p = e.rows.line.transpose() * r;
            change(e.a, Vec<Dim>(inverse_mass(bodies_, e.a).cwiseProduct(p)),
                   Spin<Dim>(inverse_inertia(bodies_, bodies_.rotation[e.a], e.a) * (e.rows.turn_a.transpose() * r)));
            if (e.b < 0) continue;
            change(e.b, Vec<Dim>(-inverse_mass(bodies_, e.b).cwiseProduct(p)),
                   Spin<Dim>(-(inverse_inertia(bodies_, bodies_.rotation[e.b], e.b) * (e.rows.turn_b.transpose() * r))));
        }
    }
    /// The impulse of joint k for multipliers y.
    [[nodiscard]] JointImpulse<Dim> impulse(std::size_t k, const Eigen::VectorXd& y) const {
        const auto& e = equations_[k];
        Rows r = Rows::Zero();
        r.head(e.rows.rows) = y.segment(e.first, e.rows.rows);
        return impulse_of(e.rows, 1.0, r);
    }

private:
    struct Equations {
        std::int32_t a = -1, b = -1;
        int first = 0;
        JointRows<Dim> rows;
    };
    using SpinRows = Eigen::Matrix<double, JointRows<Dim>::size, spin_size<Dim>>;

    /// Adds the share of body i to the block of two joints that both hold it.
    void couple(const Equations& p, const Equations& q, std::int32_t i, std::vector<Eigen::Triplet<double>>& out) const {
        const double sign = (p.a == i ? 1.0 : -1.0) * (q.a == i ? 1.0 : -1.0);
        const SpinRows &turn_p = p.a == i ? p.rows.turn_a : p.rows.turn_b, &turn_q = q.a == i ? q.rows.turn_a : q.rows.turn_b;
        const Eigen::Matrix<double, JointRows<Dim>::size, JointRows<Dim>::size> block =
            p.rows.line * inverse_mass(bodies_, i).asDiagonal() * q.rows.line.transpose() +
            turn_p * inverse_inertia(bodies_, bodies_.rotation[i], i) * turn_q.transpose();
        for (int r = 0; r < p.rows.rows; ++r)
            for (int c = 0; c < q.rows.rows; ++c)
                if (p.first + r >= q.first + c) out.emplace_back(p.first + r, q.first + c, sign * block(r, c));
    }
    void factorise() {
        std::vector<std::pair<std::int32_t, std::int32_t>> ends;  // (body, joint)
        for (std::size_t k = 0; k < equations_.size(); ++k) {
            ends.emplace_back(equations_[k].a, k);
            if (equations_[k].b >= 0) ends.emplace_back(equations_[k].b, k);
        }
        std::sort(ends.begin(), ends.end());
        std::vector<Eigen::Triplet<double>> entries;
        for (std::size_t first = 0, last = 0; first < ends.size(); first = last) {
            while (last < ends.size() && ends[last].first == ends[first].first) ++last;
            for (std::size_t x = first; x < last; ++x)
                for (std::size_t y = first; y <= x; ++y)
                    couple(equations_[ends[x].second], equations_[ends[y].second], ends[first].first, entries);
        }
        K_.resize(count_, count_);
        K_.setFromTriplets(entries.begin(), entries.end());
        Eigen::SparseMatrix<double> regularised = K_;
        const double mean = count_ > 0 ? K_.diagonal().sum() / count_ : 1.0;
        for (int k = 0; k < count_; ++k) {
            double& d = regularised.coeffRef(k, k);
            d += d > 0.0 ? regular * d : (mean > 0.0 ? mean : 1.0);
        }
        ldlt_.compute(regularised);
        factorised_ = true;
    }

    const Bodies<Dim>& bodies_;
    std::vector<Equations> equations_;
    int count_ = 0;
    double largest_ = 0.0, relative_ = 0.0;
    bool factorised_ = false;
    Eigen::SparseMatrix<double> K_;  ///< lower part
    Eigen::SimplicialLDLT<Eigen::SparseMatrix<double>> ldlt_;
};

}  // namespace

template <int Dim>
JointRows<Dim> rows_as_it_stands(const Cell<Dim>& cell, const JointState<Dim>& joint, const Bodies<Dim>& bodies) {
    return rows_of(joint, place_as_it_stands(cell, joint, bodies));
}

template <int Dim>
double project_positions(const ProjectInput<Dim>& in, const std::vector<JointState<Dim>>& joints, Bodies<Dim>& bodies,
                         EnergyLedger& ledger) {
    double best = 0.0;
    for (int i = 0; i < max_newton; ++i) {
        JointSystem<Dim> system(in.cell, joints, bodies);
        // Stop at rounding, or when a step no longer helps: joints that cannot all be met.
        if (system.relative_defect() <= rounding || (i > 0 && system.largest_defect() > 0.9 * best)) return system.largest_defect();
        best = system.largest_defect();
        std::vector<std::pair<std::int32_t, std::pair<Vec<Dim>, Spin<Dim>>>> moves;
        system.give(Eigen::VectorXd(-system.solve(system.defects())), [&](std::int32_t b, const Vec<Dim>& dx, const Spin<Dim>& turn) {
            moves.push_back({b, {dx, turn}});
        });
        for (const auto& [b, move] : moves) {
            bodies.position[b] += move.first;
            if (bodies.has_weight[b]) ledger.correction -= bodies.mass[b] * in.gravity.dot(move.first);
            if (move.second.isZero(0.0)) continue;
            const Rotation<Dim> turn = rotation_by<Dim>(move.second);
            bodies.rotation[b] = compose<Dim>(turn, bodies.rotation[b]);
            if (bodies.turns_freely(b)) bodies.spin[b] = turned<Dim>(turn, bodies.spin[b]);
        }
    }
    return JointSystem<Dim>(in.cell, joints, bodies).largest_defect();
}

template <int Dim>
void project_velocities(const ProjectInput<Dim>& in, std::vector<JointState<Dim>>& joints, Bodies<Dim>& bodies,
                        EnergyLedger& ledger) {
    JointSystem<Dim> system(in.cell, joints, bodies);
    const auto full_v = [&](std::int32_t i) -> const Vec<Dim>& { return bodies.velocity[i]; };
    const auto full_w = [&](std::int32_t i) -> const Spin<Dim>& { return bodies.spin[i]; };
    const Eigen::VectorXd before = system.rates(full_v, full_w);
    const Eigen::VectorXd driven =
        before - system.rates([&](std::int32_t i) { return free_velocity(bodies, i); }, [&](std::int32_t i) { return free_spin(bodies, i); });
    const Eigen::VectorXd P = -system.solve(before);
    std::vector<std::pair<std::int32_t, std::pair<Vec<Dim>, Spin<Dim>>>> changes;
    system.give(P, [&](std::int32_t b, const Vec<Dim>& dv, const Spin<Dim>& dw) { changes.push_back({b, {dv, dw}}); });
    for (const auto& [b, change] : changes) {
        bodies.velocity[b] += change.first;
        bodies.spin[b] += change.second;
    }
    const Eigen::VectorXd after = system.rates(full_v, full_w);
    ledger.impact -= 0.5 * P.dot(before + after);
    ledger.drive_work -= P.dot(driven);
    for (std::size_t k = 0; k < joints.size(); ++k) {
        const JointImpulse<Dim> shock = system.impulse(k, P);
        joints[k].impulse += shock.impulse;
        joints[k].moment += shock.moment;
    }
}

#define TALUS_INSTANTIATE(Dim)                                                                                          \
    template JointRows<Dim> rows_as_it_stands(const Cell<Dim>&, const JointState<Dim>&, const Bodies<Dim>&);            \
    template double project_positions(const ProjectInput<Dim>&, const std::vector<JointState<Dim>>&, Bodies<Dim>&,      \
                                      EnergyLedger&);                                                                   \
    template void project_velocities(const ProjectInput<Dim>&, std::vector<JointState<Dim>>&, Bodies<Dim>&, EnergyLedger&);
TALUS_INSTANTIATE(2)
TALUS_INSTANTIATE(3)
#undef TALUS_INSTANTIATE

}  // namespace talus

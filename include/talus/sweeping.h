#pragma once
/// \file
/// Moreau's sweeping process: a point q that a moving set C(t) carries along [moreau2003, sec. 2].
///
/// While q is inside, it rests; where the boundary reaches it, it moves along the inward normal, just fast
/// enough to stay in: -dq/dt is in the normal cone of C(t) at q. The path does not depend on the pace of the set,
/// and for convex sets two solutions never move apart.
///
/// The set is given by a projection (convex sets), or by inequalities f_i(t, q) <= 0 with gradients and rates.
/// Two schemes [moreau2003, sec. 2.4]:
///  - catching-up (implicit): q_f = the point of C(t_f) nearest to q_i. Never outside. First order in h.
///  - explicit: q_f = q_i + h u_i, u_i being the shortest velocity that keeps the inequalities active at
///    (t_i, q_i). First order; outside by O(h^2) after a step, from which the velocity alone does not return.
///
/// Limits: the projection on inequalities is Newton's method on the nearest point, from q; where C(t) is not
/// convex it finds a nearest point near q, which is the right one while q is closer to the set than its
/// reach (prox-regular sets). It stops with `converged` = false when it cannot; a set that is empty is such a case.

#include <functional>
#include <vector>

#include <Eigen/Core>

namespace talus {

/// One inequality f(t, q) <= 0 of a moving set.
struct Inequality {
    std::function<double(double, const Eigen::VectorXd&)> value;               ///< f [m, or any one unit]
    std::function<Eigen::VectorXd(double, const Eigen::VectorXd&)> gradient;   ///< df/dq, not zero where f = 0
    std::function<double(double, const Eigen::VectorXd&)> rate;                ///< df/dt
};

/// The point of C(t) nearest to another.
struct Projection {
    Eigen::VectorXd point;
    std::vector<int> active;          ///< inequalities that hold as equalities and push; {0} for a set given by its projection
    std::vector<double> multipliers;  ///< of `active`, >= 0: q - point = sum of multiplier times gradient
    double violation = 0.0;           ///< largest f_i at the point, 0 when none is positive
    int iterations = 0;
    bool converged = true;
};

/// A set that moves with t.
class MovingSet {
public:
    /// Given by its projection, (t, q) -> the nearest point.
    explicit MovingSet(std::function<Eigen::VectorXd(double, const Eigen::VectorXd&)> projection);
    /// Given by inequalities, all of which hold in it.
    explicit MovingSet(std::vector<Inequality> inequalities);

    [[nodiscard]] Projection project(double t, const Eigen::VectorXd& q) const;
    /// The lazy selector: the shortest velocity v with df_i/dt + v . grad f_i <= 0 where f_i(t, q) >= 0 [moreau2003,
    /// eq. 2]. `active` are those that push. \throws InputError for a set given by its projection.
    [[nodiscard]] Projection velocity(double t, const Eigen::VectorXd& q) const;

    /// Largest f_i(t, q), 0 when none is positive; of a set given by its projection, the distance to it.
    [[nodiscard]] double violation(double t, const Eigen::VectorXd& q) const;

private:
    std::function<Eigen::VectorXd(double, const Eigen::VectorXd&)> projection_;
    std::vector<Inequality> inequalities_;
};

enum class SweepScheme { catching_up, explicit_velocity };

/// One step of a sweeping process, after it was made.
struct SweepReport {
    double time = 0.0;             ///< end of the step
    double moved = 0.0;            ///< |q_f - q_i|
    std::vector<int> active;
    double violation = 0.0;        ///< largest f_i(t_f, q_f), 0 when none is positive
    int iterations = 0;
    bool converged = true;
};

/// A point in a moving set.
class SweepingProcess {
public:
    /// `q` should be in the set at `t`; if not, the first step of catching-up brings it there.
    SweepingProcess(MovingSet set, double t, Eigen::VectorXd q, SweepScheme scheme = SweepScheme::catching_up);

    SweepReport step(double h);
    [[nodiscard]] double time() const { return t_; }
    [[nodiscard]] const Eigen::VectorXd& position() const { return q_; }
    /// Length of the way so far: the sum of |q_f - q_i|.
    [[nodiscard]] double swept() const { return swept_; }

private:
    MovingSet set_;
    double t_;
    Eigen::VectorXd q_;
    SweepScheme scheme_;
    double swept_ = 0.0;
};

}  // namespace talus

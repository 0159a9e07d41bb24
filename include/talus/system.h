#pragma once
/// \file
/// Systems with few freedoms: equations of motion and contacts that the user writes down.
///
/// A system has n freedoms q with velocity u = dq/dt, inertia A(t, q) (symmetric, positive definite) and forces
/// F(t, q, u), quadratic terms of A included [moreau1994, sec. 3]: A du/dt = F + contacts. Each contact has a gap
/// g(t, q) >= 0 (moreau1994 writes f = -g <= 0) and kinematics U = G(t, q) u + W(t, q), rows normal first, then none,
/// one or two tangents; U_N is the rate of the gap. Equations e(t, q) = 0 may hold besides, with
/// de/dt = B(t, q) u + w(t, q).
///
/// The step is that of worlds [moreau1994, sec. 7]: q_m = q + (h/2) u, contacts with g(t_m, q_m) <= 0, formal
/// velocities U+ + rho U- and U+ + tau U-, the Delassus operator G A^-1 G^T, Coulomb's law solved by a solver of
/// talus in matrix form, q_f = q_m + (h/2) u_f. Equations are eliminated before the contacts are solved, by the Schur
/// complement of B A^-1 B^T; as for joints the mean velocity of the step keeps them, and at the end of the step
/// q and u are brought back to them in the metric of A.
///
/// Limits: dense algebra, of order n^3 a step; contacts are found by asking every gap.

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include <Eigen/Core>

#include "talus/report.h"
#include "talus/world.h"

namespace talus {

/// U = G u + W, rows along the normal and 0, 1 or 2 tangents.
struct ContactRows {
    Eigen::MatrixXd G;
    Eigen::VectorXd W;   ///< velocity of the obstacle's share; empty: 0
};

/// A contact that may close.
struct SystemContact {
    std::string name;
    std::function<double(double, const Eigen::VectorXd&)> gap;         ///< g(t, q), >= 0 apart
    std::function<ContactRows(double, const Eigen::VectorXd&)> rows;   ///< asked where g <= 0
    double friction = 0.0;                ///< mu [-]; needs a tangent when > 0
    double restitution = 0.0;             ///< rho [-]
    double tangential_restitution = 0.0;  ///< tau [-]
};

/// Equations that hold always: e(t, q) = 0.
struct SystemEquations {
    std::function<Eigen::VectorXd(double, const Eigen::VectorXd&)> value;   ///< e
    std::function<Eigen::MatrixXd(double, const Eigen::VectorXd&)> rows;    ///< B = de/dq
    std::function<Eigen::VectorXd(double, const Eigen::VectorXd&)> rate;    ///< w = de/dt at constant q; absent: 0
};

struct SystemSpec {
    int freedoms = 0;
    std::function<Eigen::MatrixXd(double, const Eigen::VectorXd&)> inertia;
    std::function<Eigen::VectorXd(double, const Eigen::VectorXd&, const Eigen::VectorXd&)> force;  ///< absent: 0
    std::vector<SystemContact> contacts;
    std::vector<SystemEquations> equations;
    SolverSettings solver = tight_solver();

    /// Few contacts: the solver goes to rounding.
    [[nodiscard]] static SolverSettings tight_solver() {
        SolverSettings s;
        s.name = "nlgs";
        s.tolerance = 1e-12;
        s.max_sweeps = 100000;
        return s;
    }
};

/// A contact that took part in a step. Vectors are along its own rows.
struct ClosedContact {
    int contact = -1;               ///< in `SystemSpec::contacts`
    double gap = 0.0;               ///< at q_m
    Eigen::VectorXd before, after;  ///< U-, U+
    Eigen::VectorXd impulse;        ///< S
    ContactStatus status = ContactStatus::open;
};

/// Where the energy of a step went, in the metric A(t_m, q_m), so that it closes to rounding:
/// after - before = force_work + drive_work - impact - friction + equations.
struct SystemEnergy {
    double before = 0.0, after = 0.0;   ///< u.A u/2 with u_I and u_F of the solve
    double force_work = 0.0;            ///< h F.(u_F + u_I)/2
    double drive_work = 0.0;            ///< -sum S.W: of obstacles and equations that move
    double impact = 0.0;                ///< lost along normals: -sum S_N (U_N+ + U_N-)/2
    double friction = 0.0;              ///< lost along tangents
    double equations = 0.0;             ///< sum of multiplier times mean rate of equations: 0 but for rounding
    double back = 0.0;                  ///< change when q and u are brought back to the equations, after the solve
    double residual = 0.0;
};

struct SystemReport {
    double time = 0.0;                  ///< end of the step [s]
    std::vector<ClosedContact> contacts;
    Eigen::VectorXd multipliers;        ///< impulses of the equations
    std::int64_t sweeps = 0;
    bool converged = true;
    LawError law;
    SystemEnergy energy;
    double equation_error = 0.0;        ///< largest |e| left at the end
};

/// A system and its motion.
class System {
public:
    /// \throws InputError when the description is incomplete.
    explicit System(SystemSpec spec);
    ~System();
    System(System&&) noexcept;
    System& operator=(System&&) noexcept;

    void set_state(double t, const Eigen::VectorXd& q, const Eigen::VectorXd& u);
    [[nodiscard]] double time() const;
    [[nodiscard]] const Eigen::VectorXd& position() const;
    [[nodiscard]] const Eigen::VectorXd& velocity() const;
    [[nodiscard]] double kinetic_energy() const;   ///< with A(t, q) as it stands

    /// One step of length h > 0.
    SystemReport step(double h);

private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace talus

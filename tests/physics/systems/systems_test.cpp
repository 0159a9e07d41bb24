// Systems with few freedoms, written down by the user: the same step and the same laws as in worlds.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "physics/testbed.h"
#include "talus/system.h"

namespace talus::test {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

/// A rod of mass 1 and half-length 1 in the plane, q = (x, y, angle), its tip at `angle` below its own axis over y = 0.
SystemSpec painleve_rod(double friction, double restitution = 0.0, double tangential = 0.0, double gravity = g) {
    SystemSpec s;
    s.freedoms = 3;
    s.inertia = [](double, const VectorXd&) -> MatrixXd { return Eigen::Vector3d(1.0, 1.0, 1.0 / 3.0).asDiagonal(); };
    s.force = [gravity](double, const VectorXd&, const VectorXd&) -> VectorXd { return Eigen::Vector3d(0.0, -gravity, 0.0); };
    SystemContact tip;
    tip.name = "tip";
    tip.gap = [](double, const VectorXd& q) { return q[1] + std::sin(q[2]); };
    tip.rows = [](double, const VectorXd& q) {
        ContactRows rows;
        rows.G.resize(2, 3);
        rows.G << 0.0, 1.0, std::cos(q[2]), 1.0, 0.0, -std::sin(q[2]);
        return rows;
    };
    tip.friction = friction;
    tip.restitution = restitution;
    tip.tangential_restitution = tangential;
    s.contacts.push_back(tip);
    return s;
}

VectorXd rod_place(double angle) { return Eigen::Vector3d(-std::cos(angle), std::sin(angle) - 1e-9, -angle); }

TEST(FewFreedoms, PainlevesRodJamsInOneStepAboveTheCriticalFriction) {
    for (const double mu : {1.34, 2.0, 10.0}) {
        System rod(painleve_rod(mu));
        rod.set_state(0.0, rod_place(std::atan(2.0)), Eigen::Vector3d(1.0, 0.0, 0.0));
        const SystemReport r = rod.step(1e-6);
        ASSERT_EQ(r.contacts.size(), 1u);
        EXPECT_EQ(r.contacts[0].status, ContactStatus::sticking);
        EXPECT_NEAR(r.contacts[0].impulse[0], 0.3, 1e-3);
        EXPECT_NEAR(std::abs(r.contacts[0].impulse[1]), 0.4, 1e-3);
        EXPECT_NEAR(std::abs(rod.velocity()[2]), 0.6708, 1e-3);
        EXPECT_LT(r.contacts[0].after.norm(), 1e-10);
    }
}

TEST(FewFreedoms, PainlevesRodSlidesBelowIt) {
    const double h = 1e-6;
    System rod(painleve_rod(1.0));
    rod.set_state(0.0, rod_place(std::atan(2.0)), Eigen::Vector3d(1.0, 0.0, 0.0));
    const SystemReport r = rod.step(h);
    ASSERT_EQ(r.contacts.size(), 1u);
    EXPECT_EQ(r.contacts[0].status, ContactStatus::sliding);
    EXPECT_NEAR(r.contacts[0].impulse[0] / h, 24.525, 1e-3 * 24.525);
}

TEST(FewFreedoms, LoseEnergyAsMoreausIdentitySays) {
    // E- - E+ = delta |du|_A^2 / 2 - sum U^a.S, delta = (1 - rho)/(1 + rho), U^a the weighted mean: one rho = tau,
    // obstacles at rest, no forces [moreau1994, eq. 6.5]. Three contacts on a random inertia with five freedoms.
    Random random(3);
    int converged = 0;
    for (int trial = 0; trial < 50; ++trial) {
        const double rho = random.uniform(0.0, 1.0);
        SystemSpec s;
        s.freedoms = 5;
        MatrixXd root(5, 5);
        for (double& x : root.reshaped()) x = random.uniform(-1.0, 1.0);
        const MatrixXd A = root * root.transpose() + 0.1 * MatrixXd::Identity(5, 5);
        s.inertia = [A](double, const VectorXd&) { return A; };
        std::vector<MatrixXd> G;
        for (int k = 0; k < 3; ++k) {
            MatrixXd rows(k + 1, 5);  // one without, one with one and one with two tangents
            for (double& x : rows.reshaped()) x = random.uniform(-1.0, 1.0);
            G.push_back(rows);
            SystemContact c;
            c.gap = [](double, const VectorXd&) { return -1e-3; };
            c.rows = [rows](double, const VectorXd&) { return ContactRows{rows, {}}; };
            c.friction = k == 0 ? 0.0 : random.uniform(0.0, 1.0);
            c.restitution = c.tangential_restitution = rho;
            s.contacts.push_back(c);
        }
        s.solver.max_sweeps = 5000;
        System system(s);
        VectorXd u(5);
        for (double& x : u) x = random.uniform(-1.0, 1.0);
        system.set_state(0.0, VectorXd::Zero(5), u);
        const double before = system.kinetic_energy();
        const SystemReport r = system.step(1e-3);
        converged += r.converged;
        const VectorXd du = system.velocity() - u;
        double work = 0.0;
        for (const auto& c : r.contacts) {
            const VectorXd mean = (c.after + rho * c.before) / (1.0 + rho);
            const double term = mean.dot(c.impulse);
            if (r.converged) {
                EXPECT_LT(term, 1e-11);  // each is dissipative by itself, to the tolerance of the solver
            }
            work += term;
        }
        const double delta = (1.0 - rho) / (1.0 + rho);
        EXPECT_NEAR(before - system.kinetic_energy(), 0.5 * delta * du.dot(A * du) - work, 1e-12 * before);
        EXPECT_LT(std::abs(r.energy.residual), 1e-12 * before);
    }
    // The identity holds whatever the impulses; Gauss-Seidel need not find those of strong friction.
    EXPECT_GE(converged, 40);
}

TEST(FewFreedoms, APendulumBetweenStopsLosesESquaredABounce) {
    // A bar on a pin, q = angle from straight down, a stop straight below: it swings back e times as fast, so the
    // heights of the swings go as e^2.
    const double e = 0.8, h = 1e-4, L = 1.0, I = L * L / 3.0;
    SystemSpec s;
    s.freedoms = 1;
    s.inertia = [I](double, const VectorXd&) -> MatrixXd { return MatrixXd::Constant(1, 1, I); };
    s.force = [L](double, const VectorXd& q, const VectorXd&) -> VectorXd { return VectorXd::Constant(1, -g * 0.5 * L * std::sin(q[0])); };
    SystemContact stop;
    stop.gap = [](double, const VectorXd& q) { return q[0]; };
    stop.rows = [](double, const VectorXd&) { return ContactRows{MatrixXd::Ones(1, 1), {}}; };
    stop.restitution = e;
    s.contacts.push_back(stop);
    System pendulum(s);
    pendulum.set_state(0.0, VectorXd::Constant(1, 1.0), VectorXd::Zero(1));
    double height = 1.0 - std::cos(1.0), last_rate = 0.0;
    int bounces = 0, peaks = 0;
    while (peaks < 4) {
        const SystemReport r = pendulum.step(h);
        if (!r.contacts.empty() && r.contacts[0].impulse[0] > 0.0) {
            ++bounces;
            EXPECT_NEAR(r.contacts[0].after[0], -e * r.contacts[0].before[0], 1e-12);
        }
        const double rate = pendulum.velocity()[0];
        if (last_rate > 0.0 && rate <= 0.0) {
            ++peaks;
            const double now = 1.0 - std::cos(pendulum.position()[0]);
            EXPECT_NEAR(now / height, e * e, 1e-3);  // the blow is up to h late: v h over the swing
            height = now;
        }
        last_rate = rate;
    }
    EXPECT_EQ(bounces, 4);
}

TEST(FewFreedoms, HaveThePeriodOfTheEllipticIntegralToSecondOrderWithEquations) {
    // A point on a circle in Cartesian coordinates: the circle is an equation.
    const double L = 1.0, start = 1.2;
    const auto swing = [&](double h, double& length_error) {
        SystemSpec s;
        s.freedoms = 2;
        s.inertia = [](double, const VectorXd&) -> MatrixXd { return MatrixXd::Identity(2, 2); };
        s.force = [](double, const VectorXd&, const VectorXd&) -> VectorXd { return Eigen::Vector2d(0.0, -g); };
        s.equations.push_back({[L](double, const VectorXd& q) -> VectorXd { return VectorXd::Constant(1, 0.5 * (q.squaredNorm() - L * L)); },
                               [](double, const VectorXd& q) -> MatrixXd { return q.transpose(); }, {}});
        System point(s);
        point.set_state(0.0, Eigen::Vector2d(L * std::sin(start), -L * std::cos(start)), VectorXd::Zero(2));
        double before = point.position()[0], speed_before = 0.0;
        length_error = 0.0;
        while (true) {
            const SystemReport r = point.step(h);
            EXPECT_LT(std::abs(r.energy.residual), 1e-13);
            EXPECT_LE(r.energy.back, 1e-15);
            length_error = std::max(length_error, std::abs(point.position().norm() - L));
            const double now = point.position()[0], speed = point.velocity()[0];
            if (before > 0.0 && now <= 0.0) {
                double x = before / (before - now);
                for (int k = 0; k < 20; ++k) {
                    const double y = 1.0 - x;
                    const double value = before * y * y * (1 + 2 * x) + now * x * x * (3 - 2 * x) + h * (speed_before * x * y * y - speed * x * x * y);
                    const double slope = 6 * x * y * (now - before) + h * (speed_before * y * (1 - 3 * x) - speed * x * (2 - 3 * x));
                    x -= value / slope;
                }
                return point.time() - h + x * h;
            }
            before = now;
            speed_before = speed;
        }
    };
    const double quarter = std::comp_ellint_1(std::sin(0.5 * start)) * std::sqrt(L / g);
    double drift = 0.0;
    const double coarse = swing(4e-3, drift) / quarter - 1.0, fine = swing(2e-3, drift) / quarter - 1.0;
    EXPECT_NEAR(coarse / fine, 4.0, 0.2);
    EXPECT_LT(drift, 1e-13);
}

TEST(FewFreedoms, WithEquationsAndContactsAreTheReducedSystem) {
    // A bead on an inclined wire (an equation in the plane) that lands on a frictional floor, against the same bead with
    // one freedom along the wire.
    const double slope = 0.6, mu = 0.3, e = 0.4, h = 1e-3;
    const Eigen::Vector2d along(std::cos(slope), -std::sin(slope)), across(std::sin(slope), std::cos(slope));
    SystemContact floor;
    floor.friction = mu;
    floor.restitution = e;
    SystemSpec full, reduced;
    full.freedoms = 2;
    full.inertia = [](double, const VectorXd&) -> MatrixXd { return 2.0 * MatrixXd::Identity(2, 2); };
    full.force = [](double, const VectorXd&, const VectorXd&) -> VectorXd { return Eigen::Vector2d(0.0, -2.0 * g); };
    full.equations.push_back({[across](double, const VectorXd& q) -> VectorXd { return VectorXd::Constant(1, across.dot(q)); },
                              [across](double, const VectorXd&) -> MatrixXd { return across.transpose(); }, {}});
    floor.gap = [](double, const VectorXd& q) { return q[1] + 0.1; };
    floor.rows = [](double, const VectorXd&) { return ContactRows{(MatrixXd(2, 2) << 0.0, 1.0, 1.0, 0.0).finished(), {}}; };
    full.contacts.push_back(floor);
    reduced.freedoms = 1;
    reduced.inertia = [](double, const VectorXd&) -> MatrixXd { return MatrixXd::Constant(1, 1, 2.0); };
    reduced.force = [along](double, const VectorXd&, const VectorXd&) -> VectorXd { return VectorXd::Constant(1, -2.0 * g * along[1]); };
    floor.gap = [along](double, const VectorXd& q) { return along[1] * q[0] + 0.1; };
    floor.rows = [along](double, const VectorXd&) { return ContactRows{(MatrixXd(2, 1) << along[1], along[0]).finished(), {}}; };
    reduced.contacts.push_back(floor);
    System a(full), b(reduced);
    a.set_state(0.0, VectorXd::Zero(2), VectorXd::Zero(2));
    b.set_state(0.0, VectorXd::Zero(1), VectorXd::Zero(1));
    for (int k = 0; k < 600; ++k) {
        a.step(h);
        b.step(h);
        ASSERT_LT((a.position() - b.position()[0] * along).norm(), 1e-10) << k;
        ASSERT_LT((a.velocity() - b.velocity()[0] * along).norm(), 1e-9) << k;
    }
}

TEST(FewFreedoms, GoTheWayOfAWorld) {
    // A ball that spins, bounces and slides on a table, with two freedoms more than it needs, and in a world.
    const double mu = 0.3, e = 0.6, tau = 0.2, h = 1e-3, r = 0.1;
    auto settings = exact_settings<2>(h);
    Bench<2> bench(settings, {"coulomb", mu, e, tau});
    bench.floor();
    const BodyId ball = bench.ball(Vec<2>(0.0, 0.5), r, Vec<2>(1.0, 0.0), Spin<2>(20.0));
    const double m = bench.mass(ball);
    SystemSpec s;
    s.freedoms = 3;
    s.inertia = [=](double, const VectorXd&) -> MatrixXd { return Eigen::Vector3d(m, m, 0.5 * m * r * r).asDiagonal(); };
    s.force = [=](double, const VectorXd&, const VectorXd&) -> VectorXd { return Eigen::Vector3d(0.0, -m * g, 0.0); };
    SystemContact table;
    table.gap = [=](double, const VectorXd& q) { return q[1] - r; };
    table.rows = [=](double, const VectorXd&) { return ContactRows{(MatrixXd(2, 3) << 0, 1, 0, 1, 0, r).finished(), {}}; };
    table.friction = mu;
    table.restitution = e;
    table.tangential_restitution = tau;
    s.contacts.push_back(table);
    System system(s);
    system.set_state(0.0, Eigen::Vector3d(0.0, 0.5, 0.0), Eigen::Vector3d(1.0, 0.0, 20.0));
    for (int k = 0; k < 1500; ++k) {
        bench.world.step();
        system.step(h);
        ASSERT_NEAR(bench.position(ball)[0], system.position()[0], 1e-10);
        ASSERT_NEAR(bench.position(ball)[1], system.position()[1], 1e-10);
        ASSERT_NEAR(bench.spin(ball)[0], system.velocity()[2], 1e-9);
    }
}

TEST(FewFreedoms, SeeAnObstacleThatMovesThroughW) {
    // A wall that moves with V meets a mass of velocity v: v+ = -e v- + (1 + e) V [validation B17b].
    const double e = 0.7, V = 0.4, v = -1.0;
    SystemSpec s;
    s.freedoms = 1;
    s.inertia = [](double, const VectorXd&) -> MatrixXd { return MatrixXd::Constant(1, 1, 3.0); };
    SystemContact wall;
    wall.gap = [V](double t, const VectorXd& q) { return q[0] - V * t; };
    wall.rows = [V](double, const VectorXd&) { return ContactRows{MatrixXd::Ones(1, 1), VectorXd::Constant(1, -V)}; };
    wall.restitution = e;
    s.contacts.push_back(wall);
    System mass(s);
    mass.set_state(0.0, VectorXd::Zero(1), VectorXd::Constant(1, v));
    const SystemReport r = mass.step(1e-3);
    EXPECT_NEAR(mass.velocity()[0], -e * v + (1.0 + e) * V, 1e-12);
    EXPECT_NEAR(r.energy.drive_work, 3.0 * (mass.velocity()[0] - v) * V, 1e-12);
    EXPECT_LT(std::abs(r.energy.residual), 1e-13);
}

TEST(FewFreedoms, RefuseWhatIsIncomplete) {
    SystemSpec s;
    EXPECT_THROW(System{s}, InputError);
    s.freedoms = 1;
    EXPECT_THROW(System{s}, InputError);
    s.inertia = [](double, const VectorXd&) -> MatrixXd { return -MatrixXd::Identity(1, 1); };
    System broken(s);
    EXPECT_THROW(broken.step(1e-3), InputError);
    EXPECT_THROW(broken.step(0.0), InputError);
    s.solver.name = "magic";
    EXPECT_THROW(System{s}, InputError);
}

}  // namespace
}  // namespace talus::test

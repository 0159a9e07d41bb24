// Without friction a step is a quadratic program [moreau2003, sec. 4.3; validation B20]: the velocity
// after it is the admissible one nearest to the free velocity, in the norm of the kinetic energy. It is
// unique, whatever the impulses; an active-set method finds it on its own.
#include "nnls.h"
#include "testbed.h"

namespace talus::test {
namespace {

constexpr double h = 1e-3;

template <int Dim>
struct Crowd {
    Bench<Dim> bench;
    std::vector<BodyId> balls;

    Crowd(std::uint64_t seed, double rho, SweepOrder order)
        : bench(settings(order), {"frictionless", 0.0, rho, 0.0}) {
        Random random(seed);
        fill_crowded_box(bench, random, 20);
        for (std::size_t i = 0; i < bench.world.size(); ++i)
            if (bench.world.is_ball(i)) balls.push_back(bench.world.ids()[i]);
    }
    static Settings<Dim> settings(SweepOrder order) {
        Settings<Dim> s = exact_settings<Dim>(h);
        s.solver.tolerance = 1e-11;
        s.solver.tolerance_max = 1e-10;
        s.solver.name = "nlgs";
        s.solver.order = order;
        s.solver.seed = 3;
        return s;
    }
    [[nodiscard]] Eigen::VectorXd velocities() const {
        Eigen::VectorXd u(Dim * balls.size());
        for (std::size_t i = 0; i < balls.size(); ++i) u.segment<Dim>(Dim * i) = bench.velocity(balls[i]);
        return u;
    }
};

/// Contacts found anew: G with one row a contact, at q_m.
template <int Dim>
Eigen::MatrixXd contact_rows(const Crowd<Dim>& crowd) {
    const auto at = [&](std::size_t i) -> Vec<Dim> {
        return crowd.bench.position(crowd.balls[i]) + 0.5 * h * crowd.bench.velocity(crowd.balls[i]);
    };
    const double side = std::pow(20, 1.0 / Dim) * 0.95;
    std::vector<Eigen::VectorXd> rows;
    const auto add = [&](std::size_t a, std::ptrdiff_t b, const Vec<Dim>& n) {
        Eigen::VectorXd row = Eigen::VectorXd::Zero(Dim * crowd.balls.size());
        row.segment<Dim>(Dim * a) = n;
        if (b >= 0) row.segment<Dim>(Dim * b) = -n;
        rows.push_back(row);
    };
    for (std::size_t a = 0; a < crowd.balls.size(); ++a) {
        const double ra = crowd.bench.radius(crowd.balls[a]);
        for (std::size_t b = a + 1; b < crowd.balls.size(); ++b) {
            const Vec<Dim> d = at(a) - at(b);
            if (d.norm() <= ra + crowd.bench.radius(crowd.balls[b])) add(a, static_cast<std::ptrdiff_t>(b), d.normalized());
        }
        for (int k = 0; k < Dim; ++k) {
            if (at(a)[k] <= ra) add(a, -1, axis<Dim>(k));
            if (side - at(a)[k] <= ra) add(a, -1, -axis<Dim>(k));
        }
    }
    Eigen::MatrixXd G(rows.size(), Dim * crowd.balls.size());
    for (std::size_t i = 0; i < rows.size(); ++i) G.row(static_cast<Eigen::Index>(i)) = rows[i];
    return G;
}

/// u = v + M^-1 G^T S with G (u + rho u_I) >= 0, S >= 0 complementary: least squares in the variable
/// u + rho u_I.
template <int Dim>
Eigen::VectorXd reference(const Crowd<Dim>& crowd, double rho) {
    const Eigen::MatrixXd G = contact_rows(crowd);
    const Eigen::VectorXd before = crowd.velocities();
    Eigen::VectorXd free = before, root(before.size());
    for (std::size_t i = 0; i < crowd.balls.size(); ++i) {
        free.segment<Dim>(Dim * i) -= h * g * up<Dim>();
        root.segment<Dim>(Dim * i).setConstant(std::sqrt(crowd.bench.mass(crowd.balls[i])));
    }
    const Eigen::MatrixXd A = root.cwiseInverse().asDiagonal() * G.transpose();
    const Eigen::VectorXd formal = free + rho * before;
    const Eigen::VectorXd S = nonnegative_least_squares(A, -(root.asDiagonal() * formal));
    return free + root.cwiseInverse().asDiagonal() * (A * S);
}

template <class D>
class FrictionlessStep : public ::testing::Test {};
TYPED_TEST_SUITE(FrictionlessStep, BothDimensions);

TYPED_TEST(FrictionlessStep, IsTheNearestAdmissibleVelocityForAnySweepOrder) {
    constexpr int Dim = TypeParam::value;
    for (std::uint64_t seed = 1; seed <= 8; ++seed)
        for (const double rho : {0.0, 0.6})
            for (const SweepOrder order : {SweepOrder::forward, SweepOrder::symmetric, SweepOrder::random}) {
                Crowd<Dim> crowd(seed, rho, order);
                const Eigen::VectorXd expected = reference(crowd, rho);
                const StepReport report = crowd.bench.world.step();
                ASSERT_TRUE(report.converged);
                ASSERT_GT(report.contacts, 20);  // the state is a crowd, not a gas
                // The solver stops at 1e-10 of g h; hyperstatic crowds multiply that, by far less than 1e4.
                EXPECT_LT((crowd.velocities() - expected).cwiseAbs().maxCoeff(), 1e-8) << "seed " << seed;
            }
}

}  // namespace
}  // namespace talus::test

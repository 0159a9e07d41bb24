// The exact impulse of one contact. The law is checked by its own words, not by another solver:
//   none      b_N >= 0 and S = 0;
//   sticking  b + H S = 0 and S in the cone;
//   sliding   (b + H S)_N = 0, S on the cone, S_T against the slip;
// chosen in that order [design, sec. 3]. The diagonal closed form agrees with the full solver.
#include "laws/local.h"

#include <Eigen/Dense>

#include "../../physics/testbed.h"

namespace talus::test {
namespace {

template <int Dim>
using Tangent = Eigen::Matrix<double, Dim - 1, 1>;

/// H of a real contact: two rigid bodies of random inertia and arms. Positive definite by construction.
template <int Dim>
Mat<Dim> random_operator(Random& random) {
    Mat<Dim> H = Mat<Dim>::Zero();
    for (int body = 0; body < 2; ++body) {
        const double m = random.uniform(0.1, 2.0);
        H += Mat<Dim>::Identity() / m;
        for (int k = 0; k < spin_size<Dim>; ++k) {
            const Vec<Dim> column = random.vector<Dim>(-2.0, 2.0);
            H += column * column.transpose() / m;
        }
    }
    return H;
}

/// How far (S, b + H S) is from the law, over |b|.
template <int Dim>
double law_defect(const Mat<Dim>& H, const Vec<Dim>& b, double mu, const Vec<Dim>& S) {
    const Vec<Dim> V = b + H * S;
    const Tangent<Dim> Vt = V.template tail<Dim - 1>(), St = S.template tail<Dim - 1>();
    const double scale = b.norm(), weight = scale / H.norm();  // of impulses
    if (S.norm() == 0.0) return std::max(0.0, -b[0]) / scale;
    double defect = std::abs(V[0]) / scale + std::max(0.0, -S[0]) / weight + std::max(0.0, St.norm() - mu * S[0]) / weight;
    // Slip dissipates all it can: S_T = -mu S_N V_T/|V_T|.
    if (Vt.norm() > 1e-10 * scale) defect += (St + mu * S[0] * Vt.normalized()).norm() / weight;
    return defect;
}

template <class D>
class LocalSolution : public ::testing::Test {};
TYPED_TEST_SUITE(LocalSolution, BothDimensions);

TYPED_TEST(LocalSolution, SatisfiesTheLaw) {
    constexpr int Dim = TypeParam::value;
    Random random(81);
    int kinds[3] = {};
    for (int trial = 0; trial < 20000; ++trial) {
        const Mat<Dim> H = random_operator<Dim>(random);
        const Vec<Dim> b = random.vector<Dim>(-1.0, 1.0);
        const double mu = trial % 7 == 0 ? 0.0 : random.uniform(0.0, 1.5);
        const Vec<Dim> S = solve_full_contact(H, b, mu);
        // Conditioning of the slip direction where slip nearly vanishes: 1e-8 of |b|.
        ASSERT_LT(law_defect<Dim>(H, b, mu, S), 1e-8) << "trial " << trial << "\nH\n" << H << "\nb " << b.transpose() << "\nmu " << mu;
        ++kinds[S.norm() == 0.0 ? 0 : (b + H * S).norm() < 1e-10 ? 1 : 2];
    }
    for (const int count : kinds) EXPECT_GT(count, 1000);  // the trials see all three
}

TYPED_TEST(LocalSolution, IsChosenInTheStatedOrder) {
    constexpr int Dim = TypeParam::value;
    Random random(82);
    for (int trial = 0; trial < 20000; ++trial) {
        const Mat<Dim> H = random_operator<Dim>(random);
        const Vec<Dim> b = random.vector<Dim>(-1.0, 1.0);
        const double mu = random.uniform(0.0, 2.0);
        const Vec<Dim> S = solve_full_contact(H, b, mu), stick = -H.ldlt().solve(b);
        if (b[0] >= 0.0) {
            ASSERT_EQ(S.norm(), 0.0);
        } else if (stick[0] > 0.0 && stick.template tail<Dim - 1>().norm() < mu * stick[0] * (1.0 - 1e-9)) {
            ASSERT_LT((S - stick).norm(), 1e-10 * stick.norm());
        } else if (stick[0] <= 0.0 || stick.template tail<Dim - 1>().norm() > mu * stick[0] * (1.0 + 1e-9)) {
            ASSERT_NEAR(S.template tail<Dim - 1>().norm(), mu * S[0], 1e-9 * S[0]);
        }
    }
}

TYPED_TEST(LocalSolution, OfADiagonalOperatorIsTheClosedForm) {
    constexpr int Dim = TypeParam::value;
    Random random(83);
    for (int trial = 0; trial < 5000; ++trial) {
        BallContact<Dim> c;
        c.n = random.direction<Dim>();
        c.inv_wn = random.uniform(0.1, 2.0);
        c.inv_wt = c.inv_wn / random.uniform(1.0, 4.0);
        c.mu = random.uniform(0.0, 1.2);
        const Vec<Dim> b = random.vector<Dim>(-1.0, 1.0);
        const BallImpulse<Dim> ball = solve_ball_contact<Dim>(c, {b.dot(c.n), tangential_of(b, c.n)});
        const Mat<Dim> frame = frame_of<Dim>(c.n);
        Vec<Dim> diagonal = Vec<Dim>::Constant(1.0 / c.inv_wt);
        diagonal[0] = 1.0 / c.inv_wn;
        const Vec<Dim> full = solve_full_contact(Mat<Dim>(diagonal.asDiagonal()), Vec<Dim>(frame * b), c.mu);
        const Vec<Dim> S = ball.pn * c.n + to_world(ball.pt, c.n);
        EXPECT_LT((frame * S - full).norm(), 1e-9 * (1.0 + full.norm()));
        EXPECT_LT(law_defect<Dim>(diagonal.asDiagonal(), frame * b, c.mu, frame * S), 1e-12);
    }
}

TYPED_TEST(LocalSolution, DoesNotDependOnWhatTheContactCarriedBefore) {
    constexpr int Dim = TypeParam::value;
    Random random(84);
    for (int trial = 0; trial < 1000; ++trial) {
        BallContact<Dim> c;
        c.n = random.direction<Dim>();
        c.inv_wn = random.uniform(0.1, 2.0);
        c.inv_wt = c.inv_wn / tangential_factor<Dim>;
        c.mu = random.uniform(0.0, 1.2);
        const Vec<Dim> b = random.vector<Dim>(-1.0, 1.0);
        const BallImpulse<Dim> cold = solve_ball_contact<Dim>(c, {b.dot(c.n), tangential_of(b, c.n)});
        c.pn = random.uniform(0.0, 1.0);
        c.pt = tangential_of(random.vector<Dim>(-1.0, 1.0), c.n);
        const BallImpulse<Dim> warm =
            solve_ball_contact<Dim>(c, {b.dot(c.n) + c.pn / c.inv_wn, tangential_of(b, c.n) + (1.0 / c.inv_wt) * c.pt});
        EXPECT_NEAR(warm.pn, cold.pn, 1e-14);
        EXPECT_LT((to_world(warm.pt, c.n) - to_world(cold.pt, c.n)).norm(), 1e-13);
    }
}

TEST(LocalSolutionInSpace, SlidesAlongATangentOfItsFrame) {
    // Slip exactly along the first tangent is a root at angle zero of the slip polynomial, which a scan from
    // zero to two pi once missed at its seam: a held bead that strikes a slope then never converged.
    Random random(85);
    for (int trial = 0; trial < 2000; ++trial) {
        const double coupling = random.uniform(-0.9, 0.9), a = random.uniform(1.0, 4.0), b1 = random.uniform(-3.0, 3.0);
        Mat<3> H = Mat<3>::Zero();
        H.diagonal() << 1.0, a, random.uniform(1.0, 4.0);
        const int along = 1 + trial % 2;
        H(0, along) = H(along, 0) = coupling;
        Vec<3> b = Vec<3>::Zero();
        b[0] = -1.0;
        b[along] = b1;
        const double mu = random.uniform(0.01, 1.0);
        ASSERT_LT(law_defect<3>(H, b, mu, solve_full_contact(H, b, mu)), 1e-8) << H << "\n" << b.transpose() << "\nmu " << mu;
    }
}

TEST(LocalSolutionOfARod, JamsWhereSlidingIsImpossible) {
    // The rod of Painleve [validation B10]: tan(theta) = 2, m = 1, half length 1; H_NN < mu H_TN for
    // mu > 4/3. A slip of 1 then stops in one step by an impulse P_N = 0.3, P_T = 0.4, for any h; just below,
    // it slides with the normal force m g/(H_NN - mu H_TN).
    const double c = 1.0 / std::sqrt(5.0), s = 2.0 * c, inertia = 1.0 / 3.0;
    Mat<2> H;  // arm of the tip from the centre: (-c, -s) against the slip along +x
    H << 1.0 + c * c / inertia, c * s / inertia, c * s / inertia, 1.0 + s * s / inertia;
    const double h = 1e-6;
    const Vec<2> b(-g * h, 1.0);
    const Vec<2> jam = solve_full_contact(H, b, 1.34);
    EXPECT_LT((b + H * jam).norm(), 1e-12);
    EXPECT_NEAR(jam[0], 0.3, 1e-3);
    EXPECT_NEAR(jam[1], -0.4, 1e-3);
    const Vec<2> slide = solve_full_contact(H, b, 1.0);
    EXPECT_NEAR(slide[0] / h, g / (H(0, 0) - H(0, 1)), 1e-6);
    EXPECT_NEAR(slide[0] / h, 24.525, 1e-3);
    EXPECT_NEAR(slide[1], -slide[0], 1e-12);
}

}  // namespace
}  // namespace talus::test

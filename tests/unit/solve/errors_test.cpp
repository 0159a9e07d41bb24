// The errors of other codes, computed by hand or by brute force: the projection on the cone, Siconos' full error, the
// gap of the bipotential.
#include "matrix_problems.h"
#include "solve/residual.h"

namespace talus::test {
namespace {

template <class D>
class Errors : public ::testing::Test {};
TYPED_TEST_SUITE(Errors, BothDimensions);

TYPED_TEST(Errors, TheProjectionIsTheNearestPointOfTheCone) {
    // Optimality says it all: r - p is orthogonal to p and in the polar cone, p in the cone.
    constexpr int Dim = TypeParam::value;
    constexpr double rounding = 1e-14;  // of sums of a few numbers of size 4
    Random random(1);
    for (int i = 0; i < 100000; ++i) {
        const double mu = random.uniform(0.0, 2.0);
        const Vec<Dim> r = random.vector<Dim>(-1.0, 1.0), p = project_on_cone<Dim>(r, mu), away = r - p;
        ASSERT_LE(p.template tail<Dim - 1>().norm(), mu * p[0] + rounding);
        ASSERT_LE(std::abs(away.dot(p)), rounding);
        ASSERT_LE(mu * away.template tail<Dim - 1>().norm(), -away[0] + rounding);
    }
}

TYPED_TEST(Errors, TheProjectionBeatsEveryPointOfAFineGrid) {
    constexpr int Dim = TypeParam::value;
    Random random(2);
    for (int i = 0; i < 200; ++i) {
        const double mu = random.uniform(0.05, 1.5);
        const Vec<Dim> r = random.vector<Dim>(-1.0, 1.0), p = project_on_cone<Dim>(r, mu);
        for (int k = 0; k < 500; ++k) {
            Vec<Dim> other = random.vector<Dim>(-1.0, 1.0);
            other[0] = random.uniform(0.0, 2.0);
            auto t = other.template tail<Dim - 1>();
            if (t.norm() > mu * other[0]) t *= mu * other[0] / t.norm();
            ASSERT_GE((r - other).norm(), (r - p).norm() - 1e-14);
        }
    }
}

TYPED_TEST(Errors, TheBipotentialIsNeverNegativeInTheCones) {
    // u.r + mu |u_T| r_N >= 0 for u_N >= 0 and r in the cone [sanni2009, eq. 16], zero exactly where the law holds.
    constexpr int Dim = TypeParam::value;
    Random random(3);
    for (int i = 0; i < 100000; ++i) {
        const double mu = random.uniform(0.0, 1.5);
        Vec<Dim> u = random.vector<Dim>(-1.0, 1.0);
        u[0] = std::abs(u[0]);
        const Vec<Dim> r = project_on_cone<Dim>(random.vector<Dim>(-1.0, 1.0), mu);
        ASSERT_GE(u.dot(r) + mu * u.template tail<Dim - 1>().norm() * r[0], -1e-14);
    }
}

/// One contact with W = 1, so that u = q + r.
template <int Dim>
MatrixProblem<Dim> one_contact(const Vec<Dim>& q, const Vec<Dim>& r, double mu) {
    MatrixProblem<Dim> p;
    p.W = make_block_matrix<Dim>(1, {{0, 0, Mat<Dim>::Identity()}});
    p.q = {q};
    p.r = {r};
    p.mu = {mu};
    refresh_velocities(p);
    return p;
}

TYPED_TEST(Errors, AreZeroForTheThreeStatesOfAContact) {
    constexpr int Dim = TypeParam::value;
    const Vec<Dim> n = Vec<Dim>::Unit(0), t = Vec<Dim>::Unit(1);
    const auto open = one_contact<Dim>(n + t, Vec<Dim>::Zero(), 0.5);
    const auto sticking = one_contact<Dim>(-2.0 * n + 0.5 * t, 2.0 * n - 0.5 * t, 0.5);
    const auto sliding = one_contact<Dim>(-2.0 * n + 3.0 * t, 2.0 * n - t, 0.5);
    for (const auto& p : {open, sticking, sliding}) {
        EXPECT_LT(natural_error(p).absolute, 1e-15);
        EXPECT_LT(bipotential_gap(p).relative, 1e-15);
    }
}

TYPED_TEST(Errors, AreThoseOfAPencilForAnImpulseThatIsMissing) {
    // r = 0 where q presses with 2: z = -u^ = 2 n is its own projection; e = 2, over max(|q|, |r|, |u|) = 2.
    constexpr int Dim = TypeParam::value;
    const auto p = one_contact<Dim>(-2.0 * Vec<Dim>::Unit(0), Vec<Dim>::Zero(), 0.5);
    EXPECT_DOUBLE_EQ(natural_error(p).absolute, 2.0);
    EXPECT_DOUBLE_EQ(natural_error(p).relative, 1.0);
    EXPECT_DOUBLE_EQ(bipotential_gap(p).moved_u, 2.0);
    // Sliding the wrong way: u = t (1 - 0.5), friction along it.
    const auto wrong = one_contact<Dim>(-Vec<Dim>::Unit(0) - 0.5 * Vec<Dim>::Unit(1), Vec<Dim>::Unit(0) + 0.25 * Vec<Dim>::Unit(1), 0.25);
    EXPECT_NEAR(bipotential_gap(wrong).relative, 0.0, 1e-15);   // u_T = -0.25 t against r_T = +0.25 t: right
    const auto driven = one_contact<Dim>(-Vec<Dim>::Unit(0) + 0.5 * Vec<Dim>::Unit(1), Vec<Dim>::Unit(0) + 0.25 * Vec<Dim>::Unit(1), 0.25);
    // u = 0.75 t, r = n + 0.25 t: gap 0.75*0.25 + 0.25*0.75*1 = 0.375.
    EXPECT_NEAR(bipotential_gap(driven).absolute, 0.375, 1e-15);
}

}  // namespace
}  // namespace talus::test

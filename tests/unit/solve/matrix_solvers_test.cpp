// Problems in matrix form: every solver ends at the judge's zero, all at the same velocities where these are unique; the
// accurate one goes where sweeps do not.
#include "matrix_problems.h"
#include "solve/residual.h"
#include "solve/solver_registry.h"

namespace talus::test {
namespace {

template <class D>
class MatrixSolvers : public ::testing::Test {};
TYPED_TEST_SUITE(MatrixSolvers, BothDimensions);

SolverSettings to(double tolerance, int most = 2000000) {
    SolverSettings s;
    s.tolerance = tolerance;
    s.error = ErrorKind::full;
    s.max_sweeps = most;
    return s;
}

template <int Dim>
double distance(const MatrixProblem<Dim>& a, const MatrixProblem<Dim>& b) {
    double d = 0.0;
    for (std::size_t k = 0; k < a.contacts(); ++k) d = std::max(d, (a.u[k] - b.u[k]).norm());
    return d;
}

TYPED_TEST(MatrixSolvers, AgreeWithoutFriction) {
    // As many contacts as the bodies of the plane have freedoms: some impulses are barely determined, velocities are.
    constexpr int Dim = TypeParam::value;
    for (std::uint64_t seed = 1; seed <= 5; ++seed) {
        const auto problem = random_problem<Dim>(seed, {20, 60, 0.0});
        MatrixProblem<Dim> reference = problem;
        ASSERT_TRUE(solver_registry().make<Dim>("newton")->solve(reference, to(1e-12)).converged) << seed;
        for (const auto& name : solver_registry().names()) {
            MatrixProblem<Dim> p = problem;
            // The gradient methods end more slowly: what they reach is what the error says.
            EXPECT_TRUE(solver_registry().make<Dim>(name)->solve(p, to(1e-10)).converged) << name << " " << seed;
            EXPECT_LT(distance(p, reference), 1e-8) << name << " " << seed;
        }
    }
}

TYPED_TEST(MatrixSolvers, AgreeWithFrictionWhereItIsWeak) {
    // Fewer contacts than freedoms and little friction: W is regular and the law nearly a convex programme.
    constexpr int Dim = TypeParam::value;
    for (std::uint64_t seed = 1; seed <= 5; ++seed) {
        const auto problem = random_problem<Dim>(seed, {30, 30, 0.1});
        MatrixProblem<Dim> reference = problem;
        ASSERT_TRUE(solver_registry().make<Dim>("newton")->solve(reference, to(1e-12)).converged) << seed;
        for (const auto& name : solver_registry().names()) {
            if (name == "qp") continue;
            MatrixProblem<Dim> p = problem;
            EXPECT_TRUE(solver_registry().make<Dim>(name)->solve(p, to(1e-10)).converged) << name << " " << seed;
            EXPECT_LT(distance(p, reference), 1e-8) << name << " " << seed;
        }
    }
}

TYPED_TEST(MatrixSolvers, SolveHyperstaticProblemsWithFriction) {
    constexpr int Dim = TypeParam::value;
    for (std::uint64_t seed = 1; seed <= 10; ++seed)
        for (const char* name : {"newton", "auto"}) {
            MatrixProblem<Dim> p = random_problem<Dim>(seed, {10, 60, 0.3, 0.3});
            const SolveReport report = solver_registry().make<Dim>(name)->solve(p, to(1e-10));
            EXPECT_TRUE(report.converged) << name << " " << seed << " error " << report.error;
        }
}

TYPED_TEST(MatrixSolvers, MeetTheErrorThatIsAskedFor) {
    constexpr int Dim = TypeParam::value;
    for (const ErrorKind kind : {ErrorKind::law, ErrorKind::full, ErrorKind::gap}) {
        MatrixProblem<Dim> p = random_problem<Dim>(4, {20, 40, 0.2, 0.3});
        SolverSettings s = to(1e-9);
        s.error = kind;
        const SolveReport report = solver_registry().make<Dim>("auto")->solve(p, s);
        EXPECT_TRUE(report.converged);
        EXPECT_LE(report.error, 1e-9);
        EXPECT_EQ(report.error, error_of(p, s));
    }
}

TYPED_TEST(MatrixSolvers, GiveTheSameBitsTwice) {
    constexpr int Dim = TypeParam::value;
    for (const auto& name : solver_registry().names()) {
        const double mu = name == "qp" ? 0.0 : 0.3;
        MatrixProblem<Dim> a = random_problem<Dim>(7, {10, 50, mu, 0.3}), b = a;
        const auto solver = solver_registry().make<Dim>(name);
        (void)solver->solve(a, to(1e-9, 3000));
        (void)solver->solve(b, to(1e-9, 3000));   // the same object: nothing is left over from the first solve
        for (std::size_t k = 0; k < a.contacts(); ++k) ASSERT_EQ(a.r[k], b.r[k]) << name;
    }
}

TYPED_TEST(MatrixSolvers, TakeAnUnsymmetricMatrixAsItIs) {
    // Files of other programs have W that are off by a percent: the answer is for the W given, not for its symmetric part.
    constexpr int Dim = TypeParam::value;
    MatrixProblem<Dim> p = random_problem<Dim>(2, {20, 30, 0.2});
    Random random(11);
    for (auto& block : p.W.block)
        for (int i = 0; i < Dim * Dim; ++i) block(i) *= 1.0 + random.uniform(-0.01, 0.01);
    for (const char* name : {"nlgs", "accelerated", "newton", "auto", "bipotential", "projected_gradient"}) {
        MatrixProblem<Dim> q = p;
        EXPECT_TRUE(solver_registry().make<Dim>(name)->solve(q, to(1e-9)).converged) << name;
    }
}

TYPED_TEST(MatrixSolvers, RelaxAndMultiplyToTheSameAnswer) {
    // moreau2003, sec. 7.2: the answer does not depend on what stands for H.
    constexpr int Dim = TypeParam::value;
    const auto problem = random_problem<Dim>(3, {20, 20, 0.0});
    MatrixProblem<Dim> reference = problem;
    ASSERT_TRUE(solver_registry().make<Dim>("nlgs")->solve(reference, to(1e-11)).converged);
    for (const double relaxation : {0.7, 1.3})
        for (const Multiplier multiplier : {Multiplier::exact, Multiplier::scalar, Multiplier::tuned}) {
            SolverSettings s = to(1e-11);
            s.relaxation = relaxation;
            s.multiplier = multiplier;
            s.multiplier_value = 0.08;   // below 1 over the largest eigenvalue of any H here
            MatrixProblem<Dim> p = problem;
            EXPECT_TRUE(solver_registry().make<Dim>("nlgs")->solve(p, s).converged);
            EXPECT_LT(distance(p, reference), 1e-8);
        }
}

TEST(MatrixSolverSettings, AreRefusedWhereTheyMeanNothing) {
    MatrixProblem<3> p = random_problem<3>(1, {5, 5, 0.2});
    SolverSettings s = to(1e-8);
    s.order = SweepOrder::random;
    for (const char* name : {"accelerated", "newton", "auto", "bipotential", "projected_gradient"})
        EXPECT_THROW((void)solver_registry().make<3>(name)->solve(p, s), InputError) << name;
    s = to(1e-8);
    EXPECT_THROW((void)solver_registry().make<3>("qp")->solve(p, s), InputError);   // friction
    s.relaxation = 2.0;
    EXPECT_THROW((void)solver_registry().make<3>("nlgs")->solve(p, s), InputError);
    s = to(1e-8);
    s.multiplier = Multiplier::tuned;
    EXPECT_THROW((void)solver_registry().make<3>("nlgs")->solve(p, s), InputError);
}

TEST(MatrixSolverSettings, AnErrorBelowRoundingEndsASolveAllTheSame) {
    for (const char* name : {"newton", "auto"}) {
        MatrixProblem<3> p = random_problem<3>(1, {10, 30, 0.3, 0.3});
        const SolveReport report = solver_registry().make<3>(name)->solve(p, to(1e-300, 3000));
        EXPECT_FALSE(report.converged) << name;
        EXPECT_LE(report.sweeps, 3000 + 100) << name;
        EXPECT_LT(report.error, 1e-12) << name;
    }
}

TEST(MatrixSolverSettings, NumbersThatOverflowEndASolve) {
    for (const auto& name : solver_registry().names()) {
        MatrixProblem<3> p = random_problem<3>(1, {5, 8, 0.0});
        for (auto& q : p.q) q *= 1e200;   // squares are infinite
        SolverSettings s = to(1e-8, 1000000000);
        EXPECT_FALSE(solver_registry().make<3>(name)->solve(p, s).converged) << name;
    }
}

TEST(MatrixSolverSettings, ToleranceZeroRunsToTheLastSweep) {
    for (const char* name : {"nlgs", "accelerated", "auto"}) {
        MatrixProblem<2> p = random_problem<2>(1, {10, 20, 0.3, 0.3});
        EXPECT_EQ(solver_registry().make<2>(name)->solve(p, to(0.0, 500)).sweeps, 500) << name;
    }
}

TEST(MatrixSolverSettings, ALimitOfTimeEndsASolveThatCannotConverge) {
    MatrixProblem<3> p = random_problem<3>(1, {10, 60, 0.3, 0.3});
    SolverSettings s = to(1e-300, 2000000000);
    s.max_seconds = 0.05;
    for (const char* name : {"nlgs", "accelerated", "newton", "auto"})
        EXPECT_FALSE(solver_registry().make<3>(name)->solve(p, s).converged) << name;
}

}  // namespace
}  // namespace talus::test

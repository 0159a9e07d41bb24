// Second-order cone programs: closed forms, optimality conditions recomputed here, and certificates that prove themselves.
#include "solve/cone_program.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "talus/error.h"

namespace talus {
namespace {

using Vector = Eigen::VectorXd;
using Matrix = Eigen::MatrixXd;

constexpr double exact = 1e-9;   // what the header promises, relative to data of size 1

Eigen::SparseMatrix<double> sparse(const Matrix& m) { return m.sparseView(); }

double largest(const Vector& v) { return v.size() > 0 ? v.lpNorm<Eigen::Infinity>() : 0.0; }

/// min c'x with A x = b, x >= 0.
ConeProgram linear_program(const Matrix& A, const Vector& b, const Vector& c) {
    ConeProgram p;
    p.A = sparse(A);
    p.b = b;
    p.c = c;
    p.G = sparse(-Matrix::Identity(c.size(), c.size()));
    p.h = Vector::Zero(c.size());
    p.orthant = static_cast<int>(c.size());
    return p;
}

/// How far v is outside the cones of a program.
double outside(const ConeProgram& p, const Vector& v) {
    double worst = 0.0;
    for (int k = 0; k < p.orthant; ++k) worst = std::max(worst, -v[k]);
    Eigen::Index at = p.orthant;
    for (const int n : p.second_order) {
        worst = std::max(worst, v.segment(at + 1, n - 1).norm() - v[at]);
        at += n;
    }
    return worst;
}

/// Primal and dual feasibility and equal values: together they prove optimality.
void expect_optimal(const ConeProgram& p, const ConeSolution& s, double allowed) {
    ASSERT_EQ(s.status, ConeStatus::optimal);
    const double force = std::max({1.0, largest(p.b), largest(p.h)});
    const double cost = std::max(1.0, p.c.lpNorm<Eigen::Infinity>());
    EXPECT_LT(largest(p.A * s.x - p.b), allowed * force);
    EXPECT_LT((p.G * s.x + s.s - p.h).lpNorm<Eigen::Infinity>(), allowed * force);
    EXPECT_LT((p.A.transpose() * s.y + p.G.transpose() * s.z + p.c).lpNorm<Eigen::Infinity>(), allowed * cost);
    EXPECT_LE(outside(p, s.s), allowed * force);
    EXPECT_LE(outside(p, s.z), allowed * cost);
    EXPECT_NEAR(p.c.dot(s.x), -p.b.dot(s.y) - p.h.dot(s.z), allowed * std::max(force * cost, std::abs(p.c.dot(s.x))));
}

/// A'y + G'z = 0, z in K, b'y + h'z < 0: no x can satisfy the conditions.
void expect_proof_of_infeasibility(const ConeProgram& p, const ConeSolution& s) {
    ASSERT_EQ(s.status, ConeStatus::infeasible);
    EXPECT_NEAR(p.b.dot(s.y) + p.h.dot(s.z), -1.0, exact);
    EXPECT_LT((p.A.transpose() * s.y + p.G.transpose() * s.z).lpNorm<Eigen::Infinity>(), exact);
    EXPECT_LE(outside(p, s.z), exact);
}

/// A x = 0, G x + s = 0, s in K, c'x < 0: a way down without end.
void expect_proof_of_unboundedness(const ConeProgram& p, const ConeSolution& s) {
    ASSERT_EQ(s.status, ConeStatus::unbounded);
    EXPECT_NEAR(p.c.dot(s.x), -1.0, exact);
    EXPECT_LT(largest(p.A * s.x), exact);
    EXPECT_LE(outside(p, Vector(-(p.G * s.x))), exact);
}

TEST(ConeProgram, SolvesALinearProgramByItsCorner) {
    Matrix A(2, 4);
    A << 1, 1, 1, 0, 1, 3, 0, 1;   // x + y <= 4, x + 3 y <= 6: the corner (3, 1) is best for 2 x + 3 y
    const auto p = linear_program(A, Eigen::Vector2d(4, 6), Eigen::Vector4d(-2, -3, 0, 0));
    const auto s = solve(p);
    expect_optimal(p, s, exact);
    EXPECT_NEAR(s.value, -9.0, 9.0 * exact);
    EXPECT_NEAR(s.x[0], 3.0, 1e-8);
    EXPECT_NEAR(s.x[1], 1.0, 1e-8);
}

TEST(ConeProgram, ReachesTheRimOfABall) {
    for (const double radius : {1e-6, 1.0, 1e6}) {   // no length is hidden in it
        ConeProgram p;
        const Eigen::Vector3d c(1.0, -2.0, 2.0);
        p.c = c;
        p.A.resize(0, 3);
        p.b.resize(0);
        Matrix G = Matrix::Zero(4, 3);
        G.bottomRows(3) = -Matrix::Identity(3, 3);
        p.G = sparse(G);
        p.h = Vector::Zero(4);
        p.h[0] = radius;
        p.second_order = {4};
        const auto s = solve(p);
        ASSERT_EQ(s.status, ConeStatus::optimal);
        EXPECT_NEAR(s.value, -3.0 * radius, exact * radius);
        EXPECT_LT((s.x + radius / 3.0 * c).norm(), 1e-5 * radius);   // the rim is flat: sqrt of the gap
    }
}

TEST(ConeProgram, FindsTheShortestWayToAPlane) {
    // min t, t >= |x|, a'x = 1: 1/|a|.
    ConeProgram p;
    p.c = Eigen::Vector4d(1, 0, 0, 0);
    Matrix A(1, 4);
    A << 0, 1, 2, -2;
    p.A = sparse(A);
    p.b = Vector::Ones(1);
    p.G = sparse(-Matrix::Identity(4, 4));
    p.h = Vector::Zero(4);
    p.second_order = {4};
    const auto s = solve(p);
    expect_optimal(p, s, exact);
    EXPECT_NEAR(s.value, 1.0 / 3.0, exact);
}

TEST(ConeProgram, ProvesThatNothingSatisfiesTheConditions) {
    Matrix A(1, 2);
    A << 1, 1;
    expect_proof_of_infeasibility(linear_program(A, -Vector::Ones(1), Vector::Ones(2)),
                                  solve(linear_program(A, -Vector::Ones(1), Vector::Ones(2))));
    Matrix twice(2, 2);
    twice << 1, 1, 1, 1;   // x + y = 1 and x + y = 2
    const auto contradiction = linear_program(twice, Eigen::Vector2d(1, 2), Vector::Ones(2));
    expect_proof_of_infeasibility(contradiction, solve(contradiction));
    Matrix empty_row(2, 2);
    empty_row << 1, 1, 0, 0;   // 0 = 1/2
    const auto impossible = linear_program(empty_row, Eigen::Vector2d(1, 0.5), Vector::Ones(2));
    expect_proof_of_infeasibility(impossible, solve(impossible));
}

TEST(ConeProgram, IsNotDisturbedByARowSaidTwice) {
    Matrix A(2, 3);
    A << 1, 1, 1, 2, 2, 2;
    const auto p = linear_program(A, Eigen::Vector2d(1, 2), Eigen::Vector3d(3, 2, 5));
    const auto s = solve(p);
    expect_optimal(p, s, exact);
    EXPECT_NEAR(s.value, 2.0, 1e-8);
}

TEST(ConeProgram, ProvesThatThereIsNoLeastValue) {
    Matrix A(1, 2);
    A << 1, -1;
    const auto p = linear_program(A, Vector::Ones(1), Eigen::Vector2d(-1, 0.5));
    expect_proof_of_unboundedness(p, solve(p));
    // A cone with the cost along an inner direction.
    ConeProgram cone;
    cone.c = Eigen::Vector3d(-1, 0.3, 0.2);
    cone.A.resize(0, 3);
    cone.b.resize(0);
    cone.G = sparse(-Matrix::Identity(3, 3));
    cone.h = Vector::Zero(3);
    cone.second_order = {3};
    expect_proof_of_unboundedness(cone, solve(cone));
}

/// Random programs made backwards from a solution: primal and dual points that are complementary, the data to match.
class RandomProgram {
public:
    explicit RandomProgram(std::uint64_t seed) : engine_(seed) {
        const int n = 6 + below(40), equalities = 1 + below(n - 2), cones = 1 + below(12);
        p.orthant = 2 + below(8);
        int m = p.orthant;
        for (int k = 0; k < cones; ++k) m += p.second_order.emplace_back(2 + below(4));
        const Matrix A = random(equalities, n), G = random(m, n);
        const Vector x = random(n, 1), y = random(equalities, 1);
        Vector s = Vector::Zero(m), z = Vector::Zero(m);
        for (int k = 0; k < p.orthant; ++k) (uniform() > 0.0 ? s : z)[k] = 0.1 + std::abs(uniform());
        Eigen::Index at = p.orthant;
        for (const int size : p.second_order) {
            const Vector d = random(size - 1, 1);
            if (uniform() > 0.0) {          // both on the rim, opposite
                s[at] = z[at] = d.norm();
                s.segment(at + 1, size - 1) = d;
                z.segment(at + 1, size - 1) = -d;
            } else {                        // one inside, the other zero
                Vector& inside = uniform() > 0.0 ? s : z;
                inside[at] = 1.5 * d.norm() + 0.1;
                inside.segment(at + 1, size - 1) = d;
            }
            at += size;
        }
        p.A = sparse(A);
        p.G = sparse(G);
        p.b = A * x;
        p.h = G * x + s;
        p.c = -A.transpose() * y - G.transpose() * z;
        value = p.c.dot(x);
    }
    ConeProgram p;
    double value = 0.0;

private:
    int below(int n) { return static_cast<int>(engine_() % static_cast<std::uint64_t>(n)); }
    double uniform() { return 2.0 * (static_cast<double>(engine_() >> 11) * 0x1p-53) - 1.0; }
    Matrix random(Eigen::Index rows, Eigen::Index columns) {
        Matrix m(rows, columns);
        for (Eigen::Index k = 0; k < m.size(); ++k) m.data()[k] = uniform();
        return m;
    }
    std::mt19937_64 engine_;
};

TEST(ConeProgram, SolvesRandomProgramsToOptimality) {
    for (std::uint64_t seed = 1; seed <= 100; ++seed) {
        const RandomProgram r(seed);
        const auto s = solve(r.p);
        SCOPED_TRACE(seed);
        expect_optimal(r.p, s, exact);
        EXPECT_NEAR(s.value, r.value, 10.0 * exact * std::max(1.0, std::abs(r.value)));
        EXPECT_LT(s.iterations, 60);
    }
}

TEST(ConeProgram, GivesTheSameBitsTwice) {
    const RandomProgram r(3);
    EXPECT_EQ(solve(r.p).x, solve(r.p).x);
}

TEST(ConeProgram, RefusesSizesThatDoNotFit) {
    ConeProgram p = linear_program(Matrix::Ones(1, 2), Vector::Ones(1), Vector::Ones(2));
    p.orthant = 1;
    EXPECT_THROW((void)solve(p), InputError);
    p.orthant = 2;
    p.c[0] = NAN;
    EXPECT_THROW((void)solve(p), InputError);
}

}  // namespace
}  // namespace talus

// Eliminating the bodies gives W = H^T M^-1 H and q = H^T M^-1 f + w, however M is built, and the velocities come back.
#include "solve/condense.h"

#include "../../physics/testbed.h"
#include "talus/error.h"

namespace talus::test {
namespace {

/// How the freedoms of M are coupled.
enum class Inertia { diagonal, blocks, meshed, unsymmetric };

template <int Dim>
GlobalProblem<Dim> random_problem(Inertia kind, int bodies, int contacts, std::uint64_t seed) {
    Random random(seed);
    const int size = kind == Inertia::meshed || kind == Inertia::unsymmetric ? 40 : freedoms<Dim>;  // above and below the dense limit
    const int n = bodies * size;
    Eigen::MatrixXd M = Eigen::MatrixXd::Zero(n, n), H = Eigen::MatrixXd::Zero(n, Dim * contacts);
    for (int b = 0; b < bodies; ++b) {
        Eigen::MatrixXd A(size, size);
        for (int i = 0; i < size; ++i)
            for (int j = 0; j < size; ++j) A(i, j) = random.uniform(-1.0, 1.0);
        Eigen::MatrixXd block = A * A.transpose() + size * Eigen::MatrixXd::Identity(size, size);
        if (kind == Inertia::diagonal) block = Eigen::MatrixXd(block.diagonal().asDiagonal());
        if (kind == Inertia::unsymmetric) block += 0.5 * A;
        M.block(b * size, b * size, size, size) = std::pow(10.0, 3.0 * b) * block;  // masses of very different size
    }
    for (int k = 0; k < contacts; ++k)
        for (int side : {k % bodies, (k + 1) % bodies})
            for (int i = 0; i < size; ++i)
                for (int d = 0; d < Dim; ++d) H(side * size + i, Dim * k + d) = random.uniform(-1.0, 1.0);
    GlobalProblem<Dim> out;
    out.M = M.sparseView();
    out.H = H.sparseView();
    out.f = Eigen::VectorXd(n);
    out.w = Eigen::VectorXd(Dim * contacts);
    for (auto& x : out.f) x = random.uniform(-1.0, 1.0);
    for (auto& x : out.w) x = random.uniform(-1.0, 1.0);
    out.mu.assign(contacts, 0.3);
    return out;
}

template <class D>
class Condense : public ::testing::Test {};
TYPED_TEST_SUITE(Condense, BothDimensions);

TYPED_TEST(Condense, GivesWhatDenseAlgebraGives) {
    constexpr int Dim = TypeParam::value;
    for (const Inertia kind : {Inertia::diagonal, Inertia::blocks, Inertia::meshed, Inertia::unsymmetric}) {
        const auto global = random_problem<Dim>(kind, 3, 5, 7);
        const auto condensed = condense(global);
        const Eigen::MatrixXd M(global.M), H(global.H), X = M.partialPivLu().solve(H);
        const Eigen::MatrixXd W = H.transpose() * X, found(to_sparse<Dim>(condensed.problem.W));
        const Eigen::VectorXd q = X.transpose() * Eigen::VectorXd(global.f);
        // Rounding of two factorisations of well-conditioned matrices.
        EXPECT_LT((found - W).norm(), 1e-12 * W.norm());
        const Eigen::VectorXd free = M.partialPivLu().solve(global.f);
        EXPECT_LT((to_stacked<Dim>(condensed.problem.q) - (H.transpose() * free + global.w)).norm(), 1e-12 * (1.0 + q.norm()));
        if (kind != Inertia::unsymmetric) {
            EXPECT_EQ((found - found.transpose()).norm(), 0.0);
        } else {
            EXPECT_GT((found - found.transpose()).norm(), 1e-3 * found.norm());  // kept as it is
        }
    }
}

TYPED_TEST(Condense, TheVelocitiesOfTheBodiesComeBack) {
    constexpr int Dim = TypeParam::value;
    const auto global = random_problem<Dim>(Inertia::blocks, 4, 6, 3);
    auto condensed = condense(global);
    Random random(5);
    for (auto& r : condensed.problem.r) r = random.vector<Dim>(-1.0, 1.0);
    refresh_velocities(condensed.problem);
    const Eigen::VectorXd v = condensed.velocities(), r = to_stacked<Dim>(condensed.problem.r);
    EXPECT_LT((global.M * v - global.H * r - global.f).norm(), 1e-12 * (global.f.norm() + (global.H * r).norm()));
    const Eigen::VectorXd u = Eigen::SparseMatrix<double>(global.H.transpose()) * v + global.w;
    EXPECT_LT((to_stacked<Dim>(condensed.problem.u) - u).norm(), 1e-12 * (1.0 + u.norm()));
}

TYPED_TEST(Condense, GroupsAreTheBodies) {
    constexpr int Dim = TypeParam::value;
    EXPECT_EQ(condense(random_problem<Dim>(Inertia::blocks, 4, 6, 3)).groups, 4);
    EXPECT_EQ(condense(random_problem<Dim>(Inertia::diagonal, 4, 6, 3)).groups, 4 * freedoms<Dim>);
}

TYPED_TEST(Condense, ASingularInertiaIsNamed) {
    constexpr int Dim = TypeParam::value;
    for (const Inertia kind : {Inertia::diagonal, Inertia::blocks, Inertia::meshed}) {
        auto global = random_problem<Dim>(kind, 3, 5, 7);
        Eigen::MatrixXd M(global.M);
        const auto n = M.rows() - 1;
        // The last freedom of the last body moves with the one before: no inertia of its own.
        if (kind == Inertia::diagonal) M(n, n) = 0.0;
        M.row(n) = kind == Inertia::diagonal ? Eigen::RowVectorXd(M.row(n)) : Eigen::RowVectorXd(M.row(n - 1));
        M.col(n) = kind == Inertia::diagonal ? Eigen::VectorXd(M.col(n)) : Eigen::VectorXd(M.col(n - 1));
        global.M = M.sparseView();
        try {
            (void)condense(global);
            FAIL() << "a singular M went through";
        } catch (const InputError& error) {
            EXPECT_NE(std::string(error.what()).find("M is singular"), std::string::npos) << error.what();
        }
    }
}

TYPED_TEST(Condense, UnitsDoNotMakeItSingular) {
    // Grains of a micrometre: moments of inertia of 1e-27 kg m2 beside masses of 1e-15 kg.
    constexpr int Dim = TypeParam::value;
    auto global = random_problem<Dim>(Inertia::diagonal, 2, 1, 7);
    Eigen::VectorXd D(global.M.rows());
    for (Eigen::Index i = 0; i < D.size(); ++i) D[i] = i % 2 == 0 ? 1e-15 : 1e-27;
    global.M = Eigen::MatrixXd(D.asDiagonal()).sparseView(0.0, 0.0);
    EXPECT_NO_THROW((void)condense(global));
}

TYPED_TEST(Condense, ContactsOfNoBodyThatMovesHaveNoOperator) {
    constexpr int Dim = TypeParam::value;
    GlobalProblem<Dim> global;
    global.M.resize(0, 0);
    global.H.resize(0, Dim);
    global.f.resize(0);
    global.w = Eigen::VectorXd::Ones(Dim);
    global.mu = {0.5};
    const auto condensed = condense(global);
    EXPECT_EQ(condensed.problem.q[0], Vec<Dim>(Vec<Dim>::Ones()));
    EXPECT_TRUE(condensed.problem.W.block[0].isZero(0.0));
}

}  // namespace
}  // namespace talus::test

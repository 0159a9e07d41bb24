// The factorisation of block matrices, against a dense one.
#include "solve/block_lu.h"

#include "matrix_problems.h"

namespace talus::test {
namespace {

template <class D>
class BlockLuOf : public ::testing::Test {};
TYPED_TEST_SUITE(BlockLuOf, BothDimensions);

/// The pattern of a problem with values that are neither symmetric nor positive, but with pivots that carry.
template <int Dim>
BlockMatrix<Dim> unsymmetric(std::uint64_t seed, int contacts) {
    BlockMatrix<Dim> A = random_problem<Dim>(seed, {contacts / 2 + 1, contacts, 0.0}).W;
    Random random(seed + 100);
    for (auto& block : A.block)
        for (int i = 0; i < Dim * Dim; ++i) block(i) = random.uniform(-1.0, 1.0);
    for (std::size_t k = 0; k < A.rows(); ++k) A.block[A.diagonal[k]] += 12.0 * Mat<Dim>::Identity();
    return A;
}

TYPED_TEST(BlockLuOf, SolvesWhatADenseOneSolves) {
    constexpr int Dim = TypeParam::value;
    for (const int n : {1, 2, 7, 40, 90}) {
        const BlockMatrix<Dim> A = unsymmetric<Dim>(static_cast<std::uint64_t>(n), n);
        BlockLu<Dim> lu;
        ASSERT_TRUE(lu.analyse(A, 1e18));
        ASSERT_TRUE(lu.factorise(A));
        Random random(5);
        std::vector<Vec<Dim>> b;
        Eigen::VectorXd right(Dim * n);
        for (int k = 0; k < n; ++k) {
            b.push_back(random.vector<Dim>(-1.0, 1.0));
            right.segment<Dim>(Dim * k) = b.back();
        }
        lu.solve(b);
        const Eigen::VectorXd exact = dense(A).partialPivLu().solve(right);
        for (int k = 0; k < n; ++k) EXPECT_LT((b[k] - exact.segment<Dim>(Dim * k)).norm(), 1e-12);
    }
}

TYPED_TEST(BlockLuOf, RefusesASingularPivotAndADearGraph) {
    constexpr int Dim = TypeParam::value;
    BlockMatrix<Dim> A = unsymmetric<Dim>(3, 20);
    BlockLu<Dim> lu;
    ASSERT_TRUE(lu.analyse(A, 1e18));
    for (auto& block : A.block) block.setZero();
    EXPECT_FALSE(lu.factorise(A));
    EXPECT_FALSE(BlockLu<Dim>().analyse(A, 0.5 * lu.cost()));
}

TYPED_TEST(BlockLuOf, KnowsItsCostForAChain) {
    // Blocks coupled to their neighbours only: no fill, so n - 1 columns of one block each.
    constexpr int Dim = TypeParam::value;
    constexpr int n = 30;
    std::vector<BlockEntry<Dim>> entries;
    for (int k = 0; k + 1 < n; ++k) {
        entries.push_back({k, k + 1, Mat<Dim>::Identity()});
        entries.push_back({k + 1, k, Mat<Dim>::Identity()});
    }
    BlockLu<Dim> lu;
    ASSERT_TRUE(lu.analyse(make_block_matrix<Dim>(n, entries), 1e18));
    EXPECT_EQ(lu.cost(), Dim * Dim * Dim * (4.0 * (n - 1) + 1.0));
}

}  // namespace
}  // namespace talus::test

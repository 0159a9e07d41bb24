// Lengths that cover the difference of ways of any two balls that can meet within a step, and no more than needed where all go the same way.
#include "detect/broad/local_ways.h"

#include "../../physics/testbed.h"

namespace talus::test {
namespace {

template <class D>
class LocalWays : public ::testing::Test {};
TYPED_TEST_SUITE(LocalWays, BothDimensions);

template <int Dim>
using Crowd = std::vector<PackedBall<Dim>>;

template <int Dim>
std::vector<double> widened(const Crowd<Dim>& crowd, const Cell<Dim>& cell) {
    std::vector<double> wide(crowd.size());
    std::vector<std::byte> memory(bytes_for_local_ways<Dim>(crowd.size()));
    add_local_ways<Dim>(crowd, cell, Threads(1), memory, wide);
    return wide;
}

/// Balls of mixed sizes that fall on balls at rest, some of them wildly.
template <int Dim>
Crowd<Dim> falling_on_resting(Random& random) {
    Crowd<Dim> c;
    for (int k = 0; k < 400; ++k) {
        PackedBall<Dim> ball;
        ball.x = random.vector<Dim>(0.0, 6.0);
        ball.r = random.uniform(0.05, 0.3);
        const bool falls = ball.x[Dim - 1] > 3.0;
        ball.way = random.vector<Dim>(-0.02, 0.02) + (k % 50 == 0 ? random.vector<Dim>(-0.5, 0.5) : Vec<Dim>(Vec<Dim>::Zero())) -
                   (falls ? 0.4 : 0.0) * Vec<Dim>::Unit(Dim - 1);
        c.push_back(ball);
    }
    return c;
}

TYPED_TEST(LocalWays, CoverWhatCanMeet) {
    constexpr int Dim = TypeParam::value;
    for (const bool periodic : {false, true}) {
        Settings<Dim> settings;
        if (periodic) {
            settings.periodic.fill(true);
            settings.cell_low = Vec<Dim>::Zero();
            settings.cell_high = Vec<Dim>::Constant(6.0);
        }
        const Cell<Dim> cell = cell_of(settings);
        Random random(5);
        for (int trial = 0; trial < 10; ++trial) {
            const Crowd<Dim> c = falling_on_resting<Dim>(random);
            const std::vector<double> wide = widened<Dim>(c, cell);
            for (std::size_t i = 0; i < c.size(); ++i)
                for (std::size_t j = 0; j < i; ++j) {
                    const double range = c[i].r + c[j].r + (c[i].way - c[j].way).norm();
                    if (cell.nearest(c[i].x - c[j].x).norm() > range) continue;
                    ASSERT_GE(wide[i] + wide[j], range) << i << " and " << j;
                }
        }
    }
}

TYPED_TEST(LocalWays, BallsThatGoTogetherNeedNothing) {
    constexpr int Dim = TypeParam::value;
    Random random(6);
    Crowd<Dim> c = falling_on_resting<Dim>(random);
    // Two crowds, each of its own way, far from each other.
    for (std::size_t k = 0; k < c.size(); ++k) {
        c[k].way = (k % 2 == 0 ? 0.25 : -0.25) * Vec<Dim>::Unit(0);
        if (k % 2 == 0) c[k].x += 100.0 * Vec<Dim>::Unit(0);
    }
    const std::vector<double> wide = widened<Dim>(c, Cell<Dim>{});
    for (std::size_t k = 0; k < wide.size(); ++k) EXPECT_NEAR(wide[k], c[k].r, 1e-12);
}

}  // namespace
}  // namespace talus::test

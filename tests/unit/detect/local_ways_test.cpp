// Lengths that cover the difference of ways of any two balls that can meet within a step, and no more than needed where all go the same way.
#include "detect/broad/local_ways.h"

#include "../../physics/testbed.h"

namespace talus::test {
namespace {

template <class D>
class LocalWays : public ::testing::Test {};
TYPED_TEST_SUITE(LocalWays, BothDimensions);

template <int Dim>
struct Crowd {
    std::vector<Vec<Dim>> x, way;
    std::vector<double> r;
};

/// Balls of mixed sizes that fall on balls at rest, some of them wildly.
template <int Dim>
Crowd<Dim> falling_on_resting(Random& random) {
    Crowd<Dim> c;
    for (int k = 0; k < 400; ++k) {
        c.x.push_back(random.vector<Dim>(0.0, 6.0));
        c.r.push_back(random.uniform(0.05, 0.3));
        const bool falls = c.x.back()[Dim - 1] > 3.0;
        c.way.push_back(random.vector<Dim>(-0.02, 0.02) + (k % 50 == 0 ? random.vector<Dim>(-0.5, 0.5) : Vec<Dim>(Vec<Dim>::Zero())) -
                        (falls ? 0.4 : 0.0) * Vec<Dim>::Unit(Dim - 1));
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
            std::vector<double> wide = c.r;
            add_local_ways(c.x, c.way, cell, Threads(1), wide);
            for (std::size_t i = 0; i < c.x.size(); ++i)
                for (std::size_t j = 0; j < i; ++j) {
                    const double range = c.r[i] + c.r[j] + (c.way[i] - c.way[j]).norm();
                    if (cell.nearest(c.x[i] - c.x[j]).norm() > range) continue;
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
    for (std::size_t k = 0; k < c.x.size(); ++k) {
        c.way[k] = (k % 2 == 0 ? 0.25 : -0.25) * Vec<Dim>::Unit(0);
        if (k % 2 == 0) c.x[k] += 100.0 * Vec<Dim>::Unit(0);
    }
    std::vector<double> wide = c.r;
    add_local_ways(c.x, c.way, Cell<Dim>{}, Threads(1), wide);
    for (std::size_t k = 0; k < wide.size(); ++k) EXPECT_NEAR(wide[k], c.r[k], 1e-12);
}

}  // namespace
}  // namespace talus::test

// Every two balls that overlap are met, each pair once: for balls of one size and of sizes that differ by a hundred, crowded or strewn over
// a space that must be folded, near the origin and far from it, periodic or not, small and large.
#include "detect/broad/cell_grid.h"

#include <map>

#include "../../physics/testbed.h"

namespace talus::test {
namespace {

template <class D>
class Grid : public ::testing::Test {};
TYPED_TEST_SUITE(Grid, BothDimensions);

struct Recipe {
    int count = 300;
    double ratio = 1.0;          // of the largest radius to the smallest
    double side = 10.0;          // of the box that most lie in, in units of the largest diameter
    bool astray = false;         // some lie far away
    int periodic_axes = 0;
    double scale = 1.0;          // largest diameter
    double offset = 0.0;         // of the box, in diameters
};

template <int Dim>
std::vector<PackedBall<Dim>> strew(const Recipe& recipe, Random& random) {
    std::vector<PackedBall<Dim>> balls;
    for (int k = 0; k < recipe.count; ++k) {
        PackedBall<Dim> ball;
        ball.x = recipe.scale * (random.vector<Dim>(-0.1, recipe.side + 0.1) + Vec<Dim>::Constant(recipe.offset));
        if (recipe.astray && k % 7 == 0) ball.x += recipe.scale * std::pow(10.0, 1 + k % 9) * random.vector<Dim>(-1.0, 1.0);
        ball.r = 0.5 * recipe.scale * std::pow(recipe.ratio, -random.uniform(0.0, 1.0));
        balls.push_back(ball);
        // A companion for those who are alone out there.
        if (recipe.astray) {
            ball.x += 1.5 * ball.r * random.vector<Dim>(-1.0, 1.0);
            balls.push_back(ball);
        }
    }
    return balls;
}

template <int Dim>
Cell<Dim> cell_for(const Recipe& recipe) {
    Settings<Dim> settings;
    for (int k = 0; k < std::min(recipe.periodic_axes, Dim); ++k) {
        settings.periodic[k] = true;
        settings.cell_low[k] = recipe.scale * recipe.offset;
        settings.cell_high[k] = recipe.scale * (recipe.offset + recipe.side);
    }
    return cell_of(settings);
}

/// Just enough memory for a grid.
template <int Dim>
struct Room {
    explicit Room(std::size_t n) : begin(CellGrid<Dim>::most_cells(n) + 1), entries(n), cell_of(n) {}
    CellRoom<Dim> lent() { return {begin, entries, cell_of}; }
    std::vector<std::int32_t> begin;
    std::vector<CellEntry<Dim>> entries;
    std::vector<std::uint32_t> cell_of;
};

template <int Dim>
void expect_all_met(const Recipe& recipe, std::uint64_t seed) {
    Random random(seed);
    const auto balls = strew<Dim>(recipe, random);
    std::vector<double> radius;
    for (const auto& ball : balls) radius.push_back(ball.r);
    const Cell<Dim> cell = cell_for<Dim>(recipe);
    Room<Dim> room(balls.size());
    CellGrid<Dim> grid;
    grid.make(balls, radius, cell, Threads(1), room.lent());
    std::map<std::pair<std::int32_t, std::int32_t>, int> met;
    Surroundings<Dim> around;
    const std::size_t part = 1 + grid.cells() / 3;
    std::vector<std::size_t> home(balls.size(), grid.cells());   // a ball lies in one part
    const auto lies_in = [&](std::int32_t i, std::size_t begin) {
        if (home[i] == grid.cells()) home[i] = begin;
        EXPECT_EQ(home[i], begin);
    };
    for (std::size_t begin = 0; begin < grid.cells(); begin += part)
        grid.for_each_near(begin, std::min(grid.cells(), begin + part), around, [&](std::int32_t i, std::int32_t j, bool together) {
            ++met[std::minmax(i, j)];
            lies_in(i, begin);
            if (together) lies_in(j, begin);
        });
    std::size_t overlaps = 0;
    for (std::size_t j = 0; j < balls.size(); ++j)
        for (std::size_t i = 0; i < j; ++i) {
            const double range = radius[i] + radius[j];
            if (cell.nearest(balls[i].x - balls[j].x).squaredNorm() > range * range) continue;
            ++overlaps;
            ASSERT_EQ(met.count({static_cast<std::int32_t>(i), static_cast<std::int32_t>(j)}), 1u) << i << " and " << j;
        }
    for (const auto& [pair, times] : met) ASSERT_EQ(times, 1) << pair.first << " and " << pair.second;
    EXPECT_GT(overlaps, 5u);
}

TYPED_TEST(Grid, MeetsAllThatOverlapOnce) {
    for (const double ratio : {1.0, 1.3, 100.0})
        for (const double side : {3.0, 8.0})
            for (int axes = 0; axes <= TypeParam::value; ++axes) expect_all_met<TypeParam::value>({300, ratio, side, false, axes, 1.0, 0.0}, 1);
}
TYPED_TEST(Grid, MeetsAllInAPeriodicCellOfFewBalls) {
    for (const double side : {1.1, 2.2, 3.3, 4.4})
        for (int axes = 1; axes <= TypeParam::value; ++axes) expect_all_met<TypeParam::value>({40, 2.0, side, false, axes, 1.0, 0.0}, 2);
}
TYPED_TEST(Grid, MeetsAllThatHaveGoneAstray) {
    for (const double ratio : {1.0, 30.0})
        for (int axes = 0; axes < TypeParam::value; ++axes) expect_all_met<TypeParam::value>({300, ratio, 8.0, true, axes, 1.0, 0.0}, 3);
}
TYPED_TEST(Grid, KnowsNoLengthAndNoOrigin) {
    for (const double scale : {1e-3, 1e3, 1e-12, 1e12})
        for (const double offset : {0.0, 1e4, -1e4})
            for (const int axes : {0, 1}) expect_all_met<TypeParam::value>({300, 3.0, 6.0, false, axes, scale, offset}, 4);
}
TYPED_TEST(Grid, HasNoPairsOfNothing) {
    constexpr int Dim = TypeParam::value;
    CellGrid<Dim> grid;
    grid.make({}, {}, Cell<Dim>{}, Threads(1), {});
    EXPECT_EQ(grid.cells(), 0u);
}

}  // namespace
}  // namespace talus::test

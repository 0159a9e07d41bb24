// The contacts of a step are those that a search over all pairs finds at q_m: none is missed and none
// invented, for sizes that differ by a hundred, crowded or sparse, periodic or not, for hundreds of steps
// with one candidate list and its skin.
#include <map>
#include <set>

#include "../../physics/testbed.h"

namespace talus::test {
namespace {

using Pair = std::pair<BodyId, BodyId>;

template <int Dim>
struct Oracle {
    std::set<Pair> closed;   // surely in contact
    std::set<Pair> unsure;   // within rounding of touching: either answer is right
};

/// All pairs of balls and box faces at q_m.
template <int Dim>
Oracle<Dim> search_all_pairs(const World<Dim>& w, double h, BodyId box, double side) {
    Oracle<Dim> out;
    const Settings<Dim>& s = w.settings();
    std::vector<Vec<Dim>> middle;
    for (std::size_t i = 0; i < w.size(); ++i) middle.push_back(w.positions()[i] + 0.5 * h * w.velocities()[i]);
    const auto note = [&](BodyId a, BodyId b, double gap) {
        if (std::abs(gap) < 1e-11 * side)
            out.unsure.insert({a, b});
        else if (gap < 0.0)
            out.closed.insert({a, b});
    };
    for (std::size_t i = 0; i < w.size(); ++i) {
        if (!w.is_ball(i)) continue;
        for (std::size_t j = i + 1; j < w.size(); ++j) {
            if (!w.is_ball(j) || (w.is_wall(i) && w.is_wall(j))) continue;
            Vec<Dim> d = middle[i] - middle[j];
            for (int k = 0; k < Dim; ++k)
                if (s.periodic[k]) {
                    const double length = s.cell_high[k] - s.cell_low[k];
                    d[k] -= length * std::round(d[k] / length);
                }
            note(w.ids()[i], w.ids()[j], d.norm() - w.radii()[i] - w.radii()[j]);
        }
        if (box >= 0 && !w.is_wall(i))
            for (int k = 0; k < Dim; ++k)
                if (!s.periodic[k]) {
                    note(w.ids()[i], box, middle[i][k] - w.radii()[i]);
                    note(w.ids()[i], box, side - middle[i][k] - w.radii()[i]);
                }
    }
    return out;
}

/// A ball that is glued or given twice appears as (a, b) with a the ball against a wall, else lower id.
template <int Dim>
std::set<Pair> found_pairs(const World<Dim>& w, BodyId box) {
    std::set<Pair> out;
    for (const Contact<Dim>& c : w.contacts()) out.insert(c.b == box || c.a < c.b ? Pair{c.a, c.b} : Pair{c.b, c.a});
    return out;
}

struct Recipe {
    int count;
    double smallest, largest;  // radii, over a box of side 10
    double speed;
    bool clustered;
    int periodic_axes;
};

template <int Dim>
void expect_no_pair_missed(const Recipe& recipe, std::uint64_t seed, int steps) {
    const double side = 10.0, h = 1e-3;
    Random random(seed);
    Settings<Dim> settings = exact_settings<Dim>(h, 1.0);
    settings.solver = {};
    settings.solver.max_sweeps = 20;  // detection is judged, not convergence
    for (int k = 0; k < recipe.periodic_axes; ++k) {
        settings.periodic[k] = true;
        settings.cell_high[k] = side;
    }
    Bench<Dim> bench(settings, {"coulomb", 0.3, 0.9, 0.0});
    const BodyId box = bench.boundary({"box_inside", std::vector<double>(Dim, side)}, Vec<Dim>::Constant(0.5 * side));
    if (recipe.periodic_axes > 0) {  // faces across a periodic direction would cut the space
        bench.world.remove(std::span(&box, 1));
    }
    const BodyId wall = recipe.periodic_axes > 0 ? -1 : box;
    const double ratio = recipe.largest / recipe.smallest;
    for (int i = 0; i < recipe.count; ++i) {
        // Sizes spread evenly over decades; few large ones, else nothing else fits.
        const double r = recipe.smallest * std::pow(ratio, std::pow(random.uniform(0.0, 1.0), 3.0));
        Vec<Dim> c = random.vector<Dim>(0.05 * side, 0.95 * side);
        if (recipe.clustered && i % 3 != 0) c = Vec<Dim>::Constant(0.3 * side) + random.vector<Dim>(-0.03, 0.03) * side;
        if (i % 10 == 9)
            bench.fixed_ball(c, r);
        else
            bench.ball(c, r, recipe.speed * random.vector<Dim>(-1.0, 1.0));
    }
    std::size_t seen = 0;
    for (int step = 0; step < steps; ++step) {
        const Oracle<Dim> expected = search_all_pairs(bench.world, h, wall, side);
        bench.world.step();
        const std::set<Pair> found = found_pairs(bench.world, wall);
        for (const Pair& p : expected.closed)
            ASSERT_TRUE(found.count(p)) << "missed " << p.first << "-" << p.second << " at step " << step;
        for (const Pair& p : found)
            ASSERT_TRUE(expected.closed.count(p) || expected.unsure.count(p))
                << "invented " << p.first << "-" << p.second << " at step " << step;
        seen += found.size();
    }
    EXPECT_GT(seen, static_cast<std::size_t>(steps) / 2);  // the recipe does make contacts
}

template <class D>
class Detection : public ::testing::Test {};
TYPED_TEST_SUITE(Detection, BothDimensions);

TYPED_TEST(Detection, NeverMissesAPairOfEqualGrains) {
    constexpr int Dim = TypeParam::value;
    for (std::uint64_t seed = 1; seed <= 3; ++seed)
        expect_no_pair_missed<Dim>({150, 0.3, 0.5, 3.0, false, 0}, seed, 300);
}
TYPED_TEST(Detection, NeverMissesAPairAtASizeRatioOfAHundred) {
    constexpr int Dim = TypeParam::value;
    for (std::uint64_t seed = 1; seed <= 3; ++seed)
        expect_no_pair_missed<Dim>({250, 0.02, 2.0, 3.0, false, 0}, seed, 200);
}
TYPED_TEST(Detection, NeverMissesAPairInAPeriodicCell) {
    constexpr int Dim = TypeParam::value;
    for (int axes = 1; axes <= Dim; ++axes)
        expect_no_pair_missed<Dim>({200, 0.05, 1.0, 5.0, false, axes}, 10 + axes, 200);
}
TYPED_TEST(Detection, NeverMissesAPairInACluster) {
    constexpr int Dim = TypeParam::value;
    for (std::uint64_t seed = 1; seed <= 2; ++seed)
        expect_no_pair_missed<Dim>({200, 0.02, 0.4, 2.0, true, 0}, seed, 200);
}
TYPED_TEST(Detection, NeverMissesAFastGrain) {
    // Half a diameter of the smallest in a step: far too coarse for physics, not for detection.
    constexpr int Dim = TypeParam::value;
    for (std::uint64_t seed = 1; seed <= 2; ++seed)
        expect_no_pair_missed<Dim>({200, 0.05, 0.5, 50.0, false, 0}, seed, 200);
    expect_no_pair_missed<Dim>({200, 0.05, 0.5, 200.0, false, Dim}, 5, 200);
}

}  // namespace
}  // namespace talus::test

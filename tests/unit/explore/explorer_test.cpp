// What an exploration finds by itself, and that it would notice samples outside the bounds.
#include "explore/exploration.h"

#include "physics/masonry.h"

namespace talus::test {
namespace {

using explore::BoundKind;

/// Two touching disks on a floor and one on top, diameter 1.
template <class Rule>
Bench<2> three_disks(double mu, Rule&& change) {
    auto settings = masonry_settings<2>(1e-3, 1e-9);
    change(settings);
    Bench<2> bench(settings, {"coulomb", mu, 0.0, 0.0});
    bench.floor();
    bench.ball({-0.5, 0.5}, 0.5);
    bench.ball({0.5, 0.5}, 0.5);
    bench.ball({0.0, 0.5 + std::sqrt(0.75)}, 0.5);
    return bench;
}
Bench<2> three_disks(double mu) { return three_disks(mu, [](auto&) {}); }

TEST(Explorer, ChoosesWallsAndTheLeastDeterminedContact) {
    Bench<2> bench = three_disks(0.5);
    explore::Explorer<2> explorer(bench.world, {});
    explorer.add_default_quantities({{0, "floor"}});
    const auto found = explorer.finish();
    ASSERT_EQ(found.quantities.size(), 4u);
    EXPECT_EQ(found.quantities[0].name, "wall floor: x");
    EXPECT_EQ(found.quantities[1].name, "wall floor: y");
    const double W = bench.mass(1) * g;
    EXPECT_NEAR(found.quantities[1].least.value, -3.0 * W, 1e-9 * W);
    // The two lower disks may press each other or not; no other normal force has more to choose from.
    EXPECT_EQ(found.quantities[2].name, "contact 1,2: normal");
    EXPECT_EQ(found.existence, "some");
    ASSERT_TRUE(found.plane.has_value());
    EXPECT_EQ(found.plane->x, 2u);   // totals do not vary
}

TEST(Explorer, TellsOfSamplesOutsideTheBounds) {
    explore::Exploration e;
    e.existence = "some";
    e.quantities.resize(1);
    EXPECT_TRUE(e.is_consistent());
    e.quantities[0].outside = 1;
    EXPECT_FALSE(e.is_consistent());
    e.quantities[0].outside = 0;
    e.existence = "none";
    e.samples.stay = 1;
    EXPECT_FALSE(e.is_consistent());
}

TEST(Explorer, CountsSamplesBeyondABoundThatIsNotTheirs) {
    // Samples of one friction against the bounds of a smaller one: some must be outside.
    Bench<2> rough = three_disks(0.6);
    explore::SampleSettings settings;
    explore::Explorer<2> explorer(rough.world, settings);
    for (int k = 0; k < 50; ++k) explorer.add_sample();
    const auto pressing = explore::contacts_between(explorer.set(), 1, 2);
    explorer.add_quantity(explore::normal_force(explorer.set(), pressing, "N"));
    const auto found = explorer.finish();
    EXPECT_TRUE(found.is_consistent());
    EXPECT_EQ(found.samples.stay, 50);
    EXPECT_EQ(found.samples.fixed_points, 50);
    Bench<2> smooth = three_disks(0.3);
    const auto set = explore::force_set(smooth.world, settings.solver);
    const auto range = explore::bounds(set, explore::normal_force(set, explore::contacts_between(set, 1, 2), "N"));
    EXPECT_GT(found.quantities[0].sample_greatest, range.greatest.value);
    EXPECT_LE(found.quantities[0].sample_greatest, found.quantities[0].greatest.value * (1.0 + 1e-9));
}

TEST(Explorer, SeesTheSameSetUnderBothContactRules) {
    const auto greatest = [](Bench<2> bench) {
        const auto set = explore::force_set(bench.world, explore::SampleSettings::tight_solver());
        EXPECT_EQ(set.contacts.size(), 5u);
        return explore::bounds(set, explore::normal_force(set, explore::contacts_between(set, 1, 2), "N")).greatest.value;
    };
    const double by_touch = greatest(three_disks(0.5));
    const double by_gap = greatest(three_disks(0.5, [](Settings<2>& s) { s.rule = ContactRule::gap; s.touch = 0.0; }));
    EXPECT_NEAR(by_touch, by_gap, 1e-9 * by_touch);
}

TEST(Explorer, KnowsWhatIsGluedAndWhatIsLoaded) {
    // A disk on two disks glued to a carrier, pressed down by a force of twice its weight: the carrier bears three.
    Bench<2> bench(masonry_settings<2>(1e-3, 1e-9), {"coulomb", 0.5, 0.0, 0.0});
    const double far = std::numeric_limits<double>::infinity();
    const BodyId carrier = bench.boundary({"box_inside", {far, far}});
    for (const double x : {-0.5, 0.5}) {
        BallSpec<2> spec;
        spec.position = {x, 0.0};
        spec.radius = 0.5;
        spec.material = bench.material;
        spec.glued_to = carrier;
        bench.world.add_ball(spec);
    }
    const BodyId disk = bench.ball({0.0, std::sqrt(0.75)}, 0.5);
    const double W = bench.mass(disk) * g;
    bench.world.set_loads(disk, {Load{1, force(constant(-2.0 * W)), {}}});
    const auto set = explore::force_set(bench.world, explore::SampleSettings::tight_solver());
    const auto range = explore::bounds(set, explore::total_force(set, bench.world.index_of(carrier), 1, "y"));
    ASSERT_TRUE(range.is_bounded());
    EXPECT_NEAR(range.least.value, -3.0 * W, 1e-9 * W);
    EXPECT_NEAR(range.greatest.value, -3.0 * W, 1e-9 * W);
}

TEST(Explorer, LeavesTheWorldAsItWas) {
    Bench<2> bench = three_disks(0.5);
    bench.steps(3);
    const auto before = bench.world.hash();
    (void)explore::force_set(bench.world, explore::SampleSettings::tight_solver());
    EXPECT_EQ(bench.world.hash(), before);
    EXPECT_EQ(bench.world.settings().solver.tolerance, 1e-9);
}

TEST(Explorer, BoundsTheBaseOfAPyramidAroundEqualShares) {
    // A square pyramid of cannonballs on a fixed lowest layer [validation B13]: what base balls bear of those above.
    constexpr int n = 3;
    Bench<3> bench(masonry_settings<3>(1e-3, 1e-9), {"coulomb", 0.4, 0.0, 0.0});
    std::vector<BodyId> base;
    int above = 0;
    for (int layer = 0; layer < n; ++layer)
        for (int i = 0; i < n - layer; ++i)
            for (int j = 0; j < n - layer; ++j) {
                const Vec<3> at(i + 0.5 * layer, j + 0.5 * layer, layer * std::sqrt(0.5));
                if (layer == 0) base.push_back(bench.fixed_ball(at, 0.5));
                else bench.ball(at, 0.5), ++above;
            }
    SolverSettings hasty;
    hasty.max_sweeps = 1;
    const auto set = explore::force_set(bench.world, hasty);
    const double W = set.unit;
    explore::Quantity all{"all", Eigen::VectorXd::Zero(set.columns())};
    for (const BodyId id : base) all.weights += explore::total_force(set, bench.world.index_of(id), 2, "").weights;
    const auto total = explore::bounds(set, all);
    EXPECT_NEAR(total.least.value, -above * W, 1e-8 * W);
    EXPECT_NEAR(total.greatest.value, -above * W, 1e-8 * W);
    // Equal shares, own weight taken off: corner 0.3125, side 0.625, centre 1.25. The set holds them, and much more.
    const struct { std::size_t ball; double share; } cases[] = {{0, 0.3125}, {1, 0.625}, {4, 1.25}};
    for (const auto& c : cases) {
        const auto range = explore::bounds(set, explore::total_force(set, bench.world.index_of(base[c.ball]), 2, ""));
        ASSERT_TRUE(range.is_bounded());
        EXPECT_LT(-range.greatest.value, c.share * W);
        EXPECT_GT(-range.least.value, c.share * W);
    }
}

}  // namespace
}  // namespace talus::test

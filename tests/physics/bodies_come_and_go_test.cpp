// Grains are added, removed and frozen between steps: the ledger books their energy and the rest of the
// world does not notice.
#include "testbed.h"

namespace talus::test {
namespace {

constexpr double h = 1e-3;

/// Kinetic and potential energy of a solid ball.
template <int Dim>
double energy(const Bench<Dim>& bench, BodyId id) {
    const double m = bench.mass(id), r = bench.radius(id);
    return 0.5 * m * (bench.velocity(id).squaredNorm() + solid<Dim> * r * r * bench.spin(id).squaredNorm()) +
           m * g * bench.position(id)[Dim - 1];
}

template <class D>
class ComeAndGo : public ::testing::Test {};
TYPED_TEST_SUITE(ComeAndGo, BothDimensions);

TYPED_TEST(ComeAndGo, TheLedgerBooksWhatIsCreatedRemovedAndFrozen) {
    constexpr int Dim = TypeParam::value;
    Bench<Dim> bench(exact_settings<Dim>(h), {"coulomb", 0.4, 0.3, 0.0});
    bench.floor();
    const BodyId stays = bench.ball(2.0 * up<Dim>(), 0.5, axis<Dim>(0));
    const BodyId goes = bench.ball(2.0 * up<Dim>() + 3.0 * axis<Dim>(0), 0.4, axis<Dim>(0), spin_at_bottom<Dim>(1.0, 0.4));
    const BodyId freezes = bench.ball(2.0 * up<Dim>() + 6.0 * axis<Dim>(0), 0.3, -axis<Dim>(0));
    bench.steps(10);
    const auto total = [&](const EnergyLedger& l) { return l.kinetic + l.potential; };
    const double before = total(bench.world.step().energy);
    const double scale = before;

    const BodyId born = bench.ball(3.0 * up<Dim>() - 3.0 * axis<Dim>(0), 0.45, 2.0 * up<Dim>());
    const double created = energy(bench, born), removed = energy(bench, goes), frozen = energy(bench, freezes);
    bench.world.remove(std::span(&goes, 1));
    bench.world.freeze(freezes);
    const EnergyLedger ledger = bench.world.step().energy;
    EXPECT_NEAR(ledger.created, created, 1e-12 * scale);
    EXPECT_NEAR(ledger.removed, removed, 1e-12 * scale);
    EXPECT_NEAR(ledger.frozen, frozen, 1e-12 * scale);
    EXPECT_LT(std::abs(ledger.residual), 1e-12 * scale);
    EXPECT_NEAR(total(ledger), before + created - removed - frozen, 1e-11 * scale);  // all fly freely
    const EnergyLedger next = bench.world.step().energy;
    EXPECT_EQ(next.created, 0.0);
    EXPECT_EQ(next.removed, 0.0);
    EXPECT_EQ(next.frozen, 0.0);
    EXPECT_TRUE(bench.world.contains(stays));
    EXPECT_FALSE(bench.world.contains(goes));
    EXPECT_THROW((void)bench.world.index_of(goes), InputError);
    EXPECT_DOUBLE_EQ(bench.world.births()[bench.world.index_of(born)], 11 * h);
}

TYPED_TEST(ComeAndGo, AFrozenGrainIsAPartOfTheWalls) {
    constexpr int Dim = TypeParam::value;
    Bench<Dim> bench(exact_settings<Dim>(h), {"coulomb", 0.4, 0.0, 0.0});
    const BodyId lower = bench.ball(Vec<Dim>::Zero(), 0.5, axis<Dim>(0));
    bench.steps(10);
    bench.world.freeze(lower);
    const Vec<Dim> where = bench.position(lower);
    const BodyId upper = bench.ball(where + 1.01 * up<Dim>(), 0.5);
    bench.steps(300);
    EXPECT_TRUE(bench.world.is_wall(bench.world.index_of(lower)));
    EXPECT_EQ(bench.position(lower), where);
    EXPECT_EQ(bench.velocity(lower), Vec<Dim>(Vec<Dim>::Zero()));
    EXPECT_NEAR(bench.position(upper)[Dim - 1] - where[Dim - 1], 1.0, 1e-3);  // it rests on the frozen one
    EXPECT_NEAR(-bench.world.contact_impulse(lower)[Dim - 1] / h, bench.mass(upper) * g, 1e-8 * bench.mass(upper) * g);
}

TYPED_TEST(ComeAndGo, RemovingAGrainLetsTheOneAboveFall) {
    constexpr int Dim = TypeParam::value;
    Bench<Dim> bench(exact_settings<Dim>(h), {"coulomb", 0.4, 0.0, 0.0});
    bench.floor();
    const BodyId lower = bench.ball(0.5 * (1 - touching) * up<Dim>(), 0.5);
    const BodyId upper = bench.ball(1.5 * (1 - touching) * up<Dim>(), 0.5);
    bench.steps(20);
    EXPECT_LT(bench.velocity(upper).norm(), 1e-9);
    bench.world.remove(std::span(&lower, 1));
    EXPECT_EQ(bench.world.step().contacts, 0);
    EXPECT_NEAR(bench.velocity(upper)[Dim - 1], -g * h, 1e-12);
}

TYPED_TEST(ComeAndGo, IdsIncreaseAndAreNeverUsedTwice) {
    constexpr int Dim = TypeParam::value;
    Bench<Dim> bench(exact_settings<Dim>(h), {"coulomb", 0.4, 0.0, 0.0});
    std::vector<BodyId> seen;
    for (int round = 0; round < 20; ++round) {
        for (int i = 0; i < 5; ++i) seen.push_back(bench.ball(3.0 * seen.size() * axis<Dim>(0), 0.5));
        const BodyId gone[] = {seen[seen.size() - 2], seen[seen.size() / 2 - 1]};
        std::vector<BodyId> present;
        for (const BodyId id : gone)
            if (bench.world.contains(id) && (present.empty() || present[0] != id)) present.push_back(id);
        bench.world.remove(present);
        bench.world.step();
        const auto ids = bench.world.ids();
        EXPECT_TRUE(std::is_sorted(ids.begin(), ids.end()));
    }
    std::sort(seen.begin(), seen.end());
    EXPECT_EQ(std::adjacent_find(seen.begin(), seen.end()), seen.end());
}

TYPED_TEST(ComeAndGo, AGrainAddedToAContactIsSeenAtOnce) {
    constexpr int Dim = TypeParam::value;
    Bench<Dim> bench(exact_settings<Dim>(h), {"coulomb", 0.4, 0.0, 0.0});
    bench.floor();
    bench.ball(0.5 * (1 - touching) * up<Dim>(), 0.5);
    bench.steps(5);
    bench.ball(1.5 * (1 - touching) * up<Dim>(), 0.5);
    EXPECT_EQ(bench.world.step().contacts, 2);
}

}  // namespace
}  // namespace talus::test

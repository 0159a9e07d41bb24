// The impulses of the last step stay where the solver left them; whoever asks for them in between changes nothing.
#include "../../physics/testbed.h"
#include "step/next_problem.h"

namespace talus::test {
namespace {

template <class D>
class History : public ::testing::Test {};
TYPED_TEST_SUITE(History, BothDimensions);

/// Balls that fall on each other and slide.
template <int Dim>
Bench<Dim> heap(ContactRule rule = ContactRule::moreau) {
    Settings<Dim> settings = exact_settings<Dim>(2e-3);
    settings.rule = rule;
    settings.solver = {};
    Bench<Dim> bench(settings, {"coulomb", 0.4, 0.0, 0.0});
    bench.floor();
    for (int i = 0; i < 24; ++i) bench.ball(in_xz<Dim>(0.37 * (i % 5) + 0.05 * i / 5, 0.21 + 0.41 * (i / 5)), 0.2 + 0.002 * (i % 3));
    return bench;
}

TYPED_TEST(History, WhoAsksForItChangesNothing) {
    constexpr int Dim = TypeParam::value;
    for (const ContactRule rule : {ContactRule::moreau, ContactRule::gap}) {
        Bench<Dim> left_alone = heap<Dim>(rule), asked = heap<Dim>(rule);
        for (int k = 0; k < 120; ++k) {
            left_alone.world.step();
            asked.world.step();
            if (k % 7 == 1) (void)asked.world.checkpoint();
            if (k % 7 == 2) (void)next_problem(asked.world);
            if (k % 7 == 3) (void)asked.world.contacts();
            if (k % 7 == 4) asked.world.accumulate_contacts(true);
            if (k % 7 == 5) asked.world.accumulate_contacts(false);
            if (k % 7 != 4) ASSERT_EQ(left_alone.world.hash(), asked.world.hash()) << "step " << k;
        }
        EXPECT_GT(asked.world.contacts().size(), 20u);
    }
}

TYPED_TEST(History, GoesOnFromACheckpoint) {
    constexpr int Dim = TypeParam::value;
    Bench<Dim> one = heap<Dim>(), other = heap<Dim>();
    one.steps(80);
    other.world.restore(one.world.checkpoint());
    EXPECT_EQ(one.world.hash(), other.world.hash());
    EXPECT_EQ(one.world.checkpoint(), other.world.checkpoint());   // spelled out or not
    one.steps(20);
    other.steps(20);
    EXPECT_EQ(one.world.hash(), other.world.hash());
}

TYPED_TEST(History, OutlivesBodiesThatGo) {
    constexpr int Dim = TypeParam::value;
    Bench<Dim> bench = heap<Dim>();
    bench.steps(300);
    const BodyId gone = bench.world.ids()[3];
    double before = 0.0, after = 0.0;
    for (const auto& c : bench.world.contacts())
        if (c.a != gone && c.b != gone) before += c.normal_impulse();
    bench.world.remove(std::vector<BodyId>{gone});
    // What the next solve starts from is what is left of the last.
    for (const Vec<Dim>& r : next_problem(bench.world).local.r) after += r[0];
    EXPECT_GT(before, 0.0);
    EXPECT_NEAR(after, before, 0.05 * before);
    for (const auto& c : bench.world.contacts()) EXPECT_NE(c.b, gone);
}

TYPED_TEST(History, AStepThatFailsLeavesAWorldThatCanGoOn) {
    constexpr int Dim = TypeParam::value;
    Bench<Dim> bench = heap<Dim>();
    bench.steps(100);
    const MaterialId other = bench.world.add_material("other");
    BallSpec<Dim> spec;
    spec.position = in_xz<Dim>(0.4, 2.3);
    spec.radius = 0.2;
    spec.density = 1000.0;
    spec.material = other;
    spec.velocity = -2.0 * up<Dim>();
    bench.world.add_ball(spec);
    int failed = 0;
    for (int k = 0; k < 400; ++k) {
        try {
            bench.world.step();
        } catch (const InputError&) {   // materials without a law met
            if (++failed == 3) bench.world.set_law(bench.material, other, {"coulomb", 0.4, 0.0, 0.0});
        }
    }
    EXPECT_EQ(failed, 3);
    const StepReport report = bench.world.step();
    EXPECT_TRUE(report.converged);
    EXPECT_GT(report.contacts, 20);
    EXPECT_LT(report.max_overlap, 7.0 * 2e-3 / 0.4);   // no more than the fastest comes in a step
}

}  // namespace
}  // namespace talus::test

// A box on the floor, fixed by a joint to a driven one: floor and joint both hold it, and how they share its weight is not
// determined. A step with static friction is solved twice, and the second solve started from what the first had built up:
// the share of the floor grew from step to step, to 10^9 N. The second solve now starts where the step did.
#include "../physics/testbed.h"

namespace talus::test {
namespace {

TEST(StaticFriction, DoesNotFeedASelfStress) {
    Settings<3> settings = exact_settings<3>(1e-3);
    settings.solver.tolerance = 1e-6;
    settings.solver.tolerance_max = 0.0;
    settings.solver.max_sweeps = 3000;
    LawSpec law{"coulomb", 0.3, 0.0, 0.0};
    law.static_friction = 0.5;
    Bench<3> bench(settings, law);
    bench.floor();
    const auto box = [&](double y) {
        BodySpec<3> spec;
        spec.shape = {"box", {0.1, 0.1, 0.1}};
        spec.position = {0.0, y, 0.05};
        spec.density = 1000.0;
        spec.material = bench.material;
        return bench.world.add_body(spec);
    };
    const BodyId held = box(0.0), carried = box(0.2);
    for (int k = 0; k < 6; ++k) bench.world.fix(held, k);
    bench.world.drive(held, 0, sine(0.05, 3.0, 0.0));
    JointSpec<3> joint;
    joint.kind = JointKind::fixed;
    joint.a = held;
    joint.b = carried;
    joint.at = {0.0, 0.1, 0.05};
    bench.world.add_joint(joint);
    ASSERT_EQ(bench.world.step().contacts, 4);
    const double weight = bench.mass(carried) * g, inertia = bench.mass(carried) * 0.05 * std::pow(2.0 * pi * 3.0, 2);
    for (int i = 0; i < 200; ++i) {
        const StepReport report = bench.world.step();
        ASSERT_TRUE(report.converged) << i;
        if (i < 5) continue;   // the drive starts with a blow
        // What the drive must give: inertia, and friction of a share of the weight that no solver may exceed by much.
        ASSERT_LT(bench.world.joints()[0].impulse.norm() / settings.step, 3.0 * (inertia + weight)) << i;
    }
}

}  // namespace
}  // namespace talus::test

// Friction has no preferred direction: the cone is round [validation, pitfall C7]. A basis that clamps
// each axis, or a pyramid, fails here by up to 41 %.
#include "testbed.h"

namespace talus::test {
namespace {

constexpr double mu = 0.3, h = 1e-3;

/// Friction over normal impulse of a block that slides along `slip` on a plane of normal `n`.
Vec<3> friction_of(const Vec<3>& n, const Vec<3>& slip, double speed) {
    Settings<3> settings = exact_settings<3>(h);
    settings.gravity = -g * n;
    Bench<3> bench(settings, {"coulomb", mu, 0.0, 0.0});
    bench.plane(n, Vec<3>::Zero());
    const BodyId block = bench.ball(0.5 * (1.0 - touching) * n, 0.5, speed * slip);
    bench.lock_rotation(block);
    bench.world.step();
    const auto contacts = bench.world.contacts();
    EXPECT_EQ(contacts.size(), 1u);
    if (contacts.empty()) return Vec<3>::Zero();
    const double normal = contacts[0].normal_impulse();
    return (contacts[0].impulse - normal * contacts[0].normal) / normal;
}

TEST(Friction, HasTheSameSizeInEveryDirectionOfTheFloor) {
    for (int degrees = 0; degrees <= 90; degrees += 3) {
        const double a = degrees * pi / 180.0;
        const Vec<3> slip(std::cos(a), std::sin(a), 0.0);
        EXPECT_LT((friction_of({0, 0, 1}, slip, 1.0) + mu * slip).norm(), 1e-12) << degrees;
    }
}

TEST(Friction, OpposesSlipOnAPlaneOfAnyOrientation) {
    Random random(21);
    for (int trial = 0; trial < 50; ++trial) {
        const Vec<3> n = random.direction<3>();
        const Vec<3> slip = n.cross(random.direction<3>()).normalized();
        EXPECT_LT((friction_of(n, slip, random.uniform(0.1, 10.0)) + mu * slip).norm(), 1e-12);
    }
}

TEST(Friction, LetsABlockSlideStraightAndStopWhereCoulombSays) {
    // Over many steps, so that any rotation of the friction would bend the path.
    for (const double degrees : {0.0, 10.0, 22.5, 45.0, 71.0, 90.0}) {
        const double a = degrees * pi / 180.0;
        const Vec<3> slip(std::cos(a), std::sin(a), 0.0);
        Bench<3> bench(exact_settings<3>(h), {"coulomb", mu, 0.0, 0.0});
        bench.floor();
        const BodyId block = bench.ball({0, 0, 0.5 * (1.0 - touching)}, 0.5, slip);
        bench.lock_rotation(block);
        bench.steps(400);
        const Vec<3> path = bench.position(block) - 0.5 * (1.0 - touching) * Vec<3>(0, 0, 1);
        EXPECT_LT(path.cross(slip).norm(), 1e-12);
        EXPECT_NEAR(path.dot(slip), 1.0 / (2.0 * mu * g), h);  // the last step stops it short by less than v h
        EXPECT_LT(bench.velocity(block).norm(), 1e-12);
    }
}

}  // namespace
}  // namespace talus::test

// The same scene gives the same bits: run twice, and resumed from a checkpoint at any step.
#include <map>

#include "scenes.h"

namespace talus::test {
namespace {

constexpr int length = 240;

template <class D>
class SameBits : public ::testing::Test {};
TYPED_TEST_SUITE(SameBits, BothDimensions);

TYPED_TEST(SameBits, InTwoRuns) {
    constexpr int Dim = TypeParam::value;
    for (const auto& [name, make] : all_scenes<Dim>()) {
        Scene<Dim> first = make(), second = make();
        for (int i = 0; i < length; ++i) {
            first.advance();
            second.advance();
            ASSERT_EQ(first.bench.world.hash(), second.bench.world.hash()) << name << ", step " << i;
        }
    }
}

TYPED_TEST(SameBits, AfterAResumeAtAnyStep) {
    constexpr int Dim = TypeParam::value;
    for (const auto& [name, make] : all_scenes<Dim>()) {
        Scene<Dim> whole = make();
        std::vector<std::uint64_t> hashes;
        std::map<int, std::vector<std::byte>> checkpoints;
        for (int i = 0; i < length; ++i) {
            if (i % 29 == 3 || i == 0) checkpoints[i] = whole.bench.world.checkpoint();
            whole.advance();
            hashes.push_back(whole.bench.world.hash());
        }
        for (const auto& [step, bytes] : checkpoints) {
            Scene<Dim> resumed = make();
            resumed.bench.world.restore(bytes);
            ASSERT_EQ(resumed.bench.world.steps(), step);
            if (step > 0) {
                ASSERT_EQ(resumed.bench.world.hash(), hashes[step - 1]) << name << ", right after the resume at " << step;
            }
            for (int i = step; i < length; ++i) {
                resumed.advance();
                ASSERT_EQ(resumed.bench.world.hash(), hashes[i]) << name << ", resumed at " << step << ", step " << i;
            }
            // What is not in the hash but in a recorder's hands.
            const auto a = whole.bench.world.contact_sums(), b = resumed.bench.world.contact_sums();
            ASSERT_EQ(a.size(), b.size()) << name;
            for (std::size_t i = 0; i < a.size(); ++i) ASSERT_EQ(a[i].impulse, b[i].impulse) << name;
        }
    }
}

TYPED_TEST(SameBits, AfterAResumeInALaterStage) {
    // A drive and a shorter step that come in the middle: the resumed world is brought to the same stage,
    // then restored; where the drive began is part of the checkpoint.
    constexpr int Dim = TypeParam::value;
    const auto enter_second_stage = [](Bench<Dim>& bench) {
        Settings<Dim> shorter = bench.world.settings();
        shorter.step = 0.5 * shorter.step;
        bench.world.set_settings(shorter);
        bench.world.drive(bench.world.ids()[0], Dim - 1, delayed(sine(0.1, 4.0, 0.0), 0.3));
        bench.world.drive(bench.world.ids()[0], 0, linear(0.2));
    };
    Scene<Dim> whole = settling<Dim>(40);
    whole.advance(60);
    enter_second_stage(whole.bench);
    whole.advance(50);
    const std::vector<std::byte> bytes = whole.bench.world.checkpoint();
    Scene<Dim> resumed = settling<Dim>(40);
    enter_second_stage(resumed.bench);
    resumed.bench.world.restore(bytes);
    EXPECT_EQ(resumed.bench.world.time(), whole.bench.world.time());
    for (int i = 0; i < 100; ++i) {
        whole.advance();
        resumed.advance();
        ASSERT_EQ(resumed.bench.world.hash(), whole.bench.world.hash()) << "step " << i;
    }
}

TYPED_TEST(SameBits, AfterACheckpointIsTaken) {
    // Writing a checkpoint does not disturb the run.
    constexpr int Dim = TypeParam::value;
    Scene<Dim> quiet = settling<Dim>(40), disturbed = settling<Dim>(40);
    for (int i = 0; i < 100; ++i) {
        quiet.advance();
        disturbed.advance();
        (void)disturbed.bench.world.checkpoint();
        (void)disturbed.bench.world.contacts();
    }
    EXPECT_EQ(quiet.bench.world.hash(), disturbed.bench.world.hash());
}

TYPED_TEST(SameBits, AHashSeesEveryChange) {
    constexpr int Dim = TypeParam::value;
    Scene<Dim> scene = settling<Dim>(10);
    scene.advance(10);
    const std::uint64_t before = scene.bench.world.hash();
    const BodyId last = scene.bench.world.ids().back();
    Vec<Dim> v = scene.bench.velocity(last);
    v[0] = std::nextafter(v[0], 10.0);
    scene.bench.world.set_velocity(last, v, scene.bench.spin(last));
    EXPECT_NE(scene.bench.world.hash(), before);
}

TYPED_TEST(SameBits, DamagedCheckpointsAreRefused) {
    constexpr int Dim = TypeParam::value;
    Scene<Dim> scene = settling<Dim>(10);
    scene.advance(10);
    std::vector<std::byte> bytes = scene.bench.world.checkpoint();
    Scene<Dim> other = settling<Dim>(10);
    EXPECT_THROW(other.bench.world.restore(std::span(bytes).first(bytes.size() / 2)), IoError);
    EXPECT_THROW(other.bench.world.restore({}), IoError);
    bytes[0] = static_cast<std::byte>(~std::to_integer<unsigned>(bytes[0]));
    EXPECT_THROW(other.bench.world.restore(bytes), IoError);
}

}  // namespace
}  // namespace talus::test

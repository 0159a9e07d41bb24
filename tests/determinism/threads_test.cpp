// The same bits for any number of threads. The scenes are large enough to be cut into many chunks, and hold every
// way through a step: balls and solids, both rules, drives, sums, position correction, bodies that come and go.
#include "scenes.h"

namespace talus::test {
namespace {

template <class D>
class AnyThreads : public ::testing::Test {};
TYPED_TEST_SUITE(AnyThreads, BothDimensions);

/// Grains in a drum that turns, with balls glued to it.
template <int Dim>
[[nodiscard]] Scene<Dim> drum(int count) {
    Scene<Dim> scene{Bench<Dim>(everyday<Dim>(5e-3), {"coulomb", 0.5, 0.1, 0.0})};
    std::vector<double> sizes = {40.0};
    if (Dim == 3) sizes.push_back(12.0);
    const BodyId wall = scene.bench.boundary({Dim == 3 ? "cylinder_inside" : "ball_inside", sizes}, Vec<Dim>::Zero());
    scene.bench.world.drive(wall, freedoms<Dim> - 1, linear(0.5));
    for (int i = 0; i < 100; ++i) {
        BallSpec<Dim> tooth;
        tooth.radius = 0.4;
        tooth.density = 1000.0;
        tooth.glued_to = wall;
        tooth.material = scene.bench.material;
        tooth.position = Vec<Dim>::Zero();
        tooth.position[0] = 40.0 * std::cos(0.06 * i);
        tooth.position[1] = 40.0 * std::sin(0.06 * i);
        scene.bench.world.add_ball(tooth);
    }
    Random random(3);
    for (int i = 0; i < count; ++i) {
        Vec<Dim> c = Vec<Dim>::Zero();
        c[0] = -20.0 + i % 41;
        c[1] = -20.0 + i / 41 % 41;
        if (Dim == 3) c[Dim - 1] = -4.0 + i / (41 * 41);
        scene.bench.ball(c, random.uniform(0.3, 0.5), random.vector<Dim>(-1.0, 1.0), random.spin<Dim>(1.0));
    }
    return scene;
}

template <int Dim>
[[nodiscard]] std::vector<std::pair<std::string, SceneMaker<Dim>>> large_scenes() {
    const int count = Dim == 3 ? 5000 : 2500;
    return {{"settling", [=] { return settling<Dim>(count); }},
            {"coming and going", [=] { return coming_and_going<Dim>(count); }},
            {"press", [=] { return press<Dim>(count); }},
            {"solids", [=] { return solids<Dim>(900); }},
            {"drum", [=] { return drum<Dim>(Dim == 3 ? 4000 : 1600); }}};
}

TYPED_TEST(AnyThreads, GiveTheSameBits) {
    constexpr int Dim = TypeParam::value;
    for (const auto& [name, make] : large_scenes<Dim>()) {
        Scene<Dim> alone = make();
        std::vector<Scene<Dim>> others;
        for (const int threads : {2, 3, 8}) {
            others.push_back(make());
            others.back().bench.world.set_threads(threads);
        }
        std::int64_t contacts = 0;
        for (int i = 0; i < 24; ++i) {
            const StepReport report = alone.advance();
            contacts += report.contacts;
            for (Scene<Dim>& other : others) {
                const StepReport o = other.advance();
                const int threads = other.bench.world.threads();
                ASSERT_EQ(other.bench.world.hash(), alone.bench.world.hash()) << name << ", step " << i << ", threads " << threads;
                // What goes into records besides the state.
                ASSERT_EQ(o.rebuilt, report.rebuilt) << name << ", step " << i << ", threads " << threads;
                ASSERT_EQ(o.energy.residual, report.energy.residual) << name << ", step " << i << ", threads " << threads;
                ASSERT_EQ(o.energy.friction, report.energy.friction) << name << ", step " << i << ", threads " << threads;
                ASSERT_EQ(o.momentum_residual, report.momentum_residual) << name << ", step " << i << ", threads " << threads;
                ASSERT_EQ(o.mean_overlap, report.mean_overlap) << name << ", step " << i << ", threads " << threads;
                ASSERT_EQ(o.law.mean, report.law.mean) << name << ", step " << i << ", threads " << threads;
                ASSERT_EQ(o.sweeps, report.sweeps) << name << ", step " << i << ", threads " << threads;
            }
        }
        EXPECT_GT(contacts, 0) << name;
    }
}

}  // namespace
}  // namespace talus::test

// A warmed-up step asks for no memory: whatever a step needs is kept from the one before, also what it takes to make the candidate list anew or to
// patch it.
#include <cstdlib>
#include <new>

#include "../../physics/testbed.h"

namespace {
bool counting = false;
std::size_t allocations = 0;
}  // namespace

// A count of every allocation of this program, also of Eigen's and the library's.
void* operator new(std::size_t size) {
    if (counting) ++allocations;
    if (void* p = std::malloc(size > 0 ? size : 1)) return p;
    throw std::bad_alloc();
}
void* operator new(std::size_t size, std::align_val_t alignment) {
    if (counting) ++allocations;
    const auto a = static_cast<std::size_t>(alignment);
    if (void* p = std::aligned_alloc(a, (size + a - 1) / a * a)) return p;
    throw std::bad_alloc();
}
void operator delete(void* p) noexcept { std::free(p); }
void operator delete(void* p, std::size_t) noexcept { std::free(p); }
void operator delete(void* p, std::align_val_t) noexcept { std::free(p); }
void operator delete(void* p, std::size_t, std::align_val_t) noexcept { std::free(p); }

namespace talus::test {
namespace {

template <class D>
class Allocation : public ::testing::Test {};
TYPED_TEST_SUITE(Allocation, BothDimensions);

/// Balls on each other in a box, kept there by their weight.
template <int Dim>
Bench<Dim> packing(bool correction, bool sums, ContactRule rule = ContactRule::moreau) {
    Settings<Dim> settings = exact_settings<Dim>(2e-3, 9.81);
    settings.solver = {};
    settings.solver.max_sweeps = 30;
    settings.position_correction = correction;
    settings.rule = rule;
    Bench<Dim> bench(settings, {"coulomb", 0.5, 0.0, 0.0});
    bench.boundary({"box_inside", std::vector<double>(Dim, 6.0)}, Vec<Dim>::Constant(3.0));
    for (int i = 0; i < 60; ++i) {
        Vec<Dim> c;
        int index = i;
        for (int k = 0; k + 1 < Dim; ++k, index /= 4) c[k] = 0.7 + 1.1 * (index % 4) + 0.01 * (i % 3);
        c[Dim - 1] = 0.5 + 1.0 * index;
        if (c[Dim - 1] < 5.4) bench.ball(c, 0.5);
    }
    bench.world.accumulate_contacts(sums);
    return bench;
}

TYPED_TEST(Allocation, AWarmStepMakesNone) {
    constexpr int Dim = TypeParam::value;
    for (const bool correction : {false, true})
        for (const bool sums : {false, true}) {
            Bench<Dim> bench = packing<Dim>(correction, sums);
            for (int i = 0; i < 1500; ++i) bench.world.step();  // until arrays have met their largest sizes
            std::int64_t counted = 0, most = 0;
            for (int i = 0; i < 50; ++i) {
                allocations = 0;
                counting = true;
                const StepReport report = bench.world.step();
                counting = false;
                // A step with more contacts than any before it may grow its arrays.
                const bool grew = report.contacts > most;
                most = std::max(most, report.contacts);
                if (grew) continue;
                ++counted;
                EXPECT_EQ(allocations, 0u) << "step " << i << (correction ? ", position correction" : "") << (sums ? ", sums" : "");
            }
            EXPECT_GT(counted, 25) << "too few steps were looked at";
        }
}

/// A sway of the weight keeps the balls moving. \returns the report of the step after it.
template <int Dim>
StepReport sway(Bench<Dim>& bench, int i, std::size_t& made) {
    Settings<Dim> settings = bench.world.settings();
    settings.gravity = 9.81 * ((i / 300 % 2 == 0 ? 1.0 : -1.0) * axis<Dim>(0) - up<Dim>());
    if (i % 300 == 0) bench.world.set_settings(settings);
    allocations = 0;
    counting = true;
    const StepReport report = bench.world.step();
    counting = false;
    made = allocations;
    return report;
}

TYPED_TEST(Allocation, AWarmStepThatMakesTheListAnewMakesNone) {
    constexpr int Dim = TypeParam::value;
    for (const ContactRule rule : {ContactRule::moreau, ContactRule::gap})
        for (const bool correction : {false, true}) {
            Bench<Dim> bench = packing<Dim>(correction, false, rule);
            std::size_t made = 0;
            std::int64_t most = 0, anew = 0;
            int i = 0;
            for (; i < 6000; ++i) most = std::max(most, sway(bench, i, made).contacts);   // until arrays have met their largest sizes
            for (; i < 7200; ++i) {
                const StepReport report = sway(bench, i, made);
                const bool grew = report.contacts > most;
                most = std::max(most, report.contacts);
                if (!report.rebuilt || grew) continue;
                ++anew;
                EXPECT_EQ(made, 0u) << "step " << i << (rule == ContactRule::gap ? ", rule gap" : "") << (correction ? ", position correction" : "");
            }
            EXPECT_GT(anew, 5) << "too few lists were made";
        }
}

/// Balls that fall, each as fast as its place says, have a new list in nearly every step.
TYPED_TEST(Allocation, BallsThatFallMakeNone) {
    constexpr int Dim = TypeParam::value;
    for (const ContactRule rule : {ContactRule::moreau, ContactRule::gap}) {
        Settings<Dim> settings = exact_settings<Dim>(2e-3, 9.81);
        settings.rule = rule;
        Bench<Dim> bench(settings, {"coulomb", 0.5, 0.0, 0.0});
        bench.floor();
        Random random(7);
        for (int k = 0; k < 2000; ++k) {
            Vec<Dim> c = 1.2 * Vec<Dim>::Constant(k % 10);
            c[0] = 1.2 * (k / 10 % 10);
            c[Dim - 1] = 500.0 + 1.2 * (k / 100) + (Dim == 2 ? 24.0 * (k % 10) : 0.0);
            bench.ball(c, 0.5, random.vector<Dim>(-1.0, 1.0) * 0.01 - 20.0 * up<Dim>());
        }
        std::int64_t anew = 0;
        for (int i = 0; i < 200; ++i) {
            allocations = 0;
            counting = i >= 50;
            const StepReport report = bench.world.step();
            counting = false;
            anew += report.rebuilt && i >= 50;
            EXPECT_EQ(allocations, 0u) << "step " << i << (rule == ContactRule::gap ? ", rule gap" : "");
        }
        EXPECT_GT(anew, 3) << "too few lists were made";
    }
}

}  // namespace
}  // namespace talus::test

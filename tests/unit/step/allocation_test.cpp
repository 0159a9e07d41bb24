// A warmed-up step asks for no memory: whatever a step needs is kept from the one before. Steps that make the candidate
// list anew are not counted; they come once in many.
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

/// Balls at rest on each other in a box, kept there by their weight.
template <int Dim>
Bench<Dim> packing(bool correction, bool sums) {
    Settings<Dim> settings = exact_settings<Dim>(2e-3, 9.81);
    settings.solver = {};
    settings.solver.max_sweeps = 30;
    settings.position_correction = correction;
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
                if (report.rebuilt || grew) continue;
                ++counted;
                EXPECT_EQ(allocations, 0u) << "step " << i << (correction ? ", position correction" : "") << (sums ? ", sums" : "");
            }
            EXPECT_GT(counted, 25) << "too few steps were looked at";
        }
}

}  // namespace
}  // namespace talus::test

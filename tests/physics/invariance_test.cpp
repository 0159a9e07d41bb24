// talus has no hidden length, time or origin [design, sec. 2]: a scene a thousand times larger or
// smaller, or ten thousand diameters away, gives the same answer. By powers of two, it gives the same
// bits, because such a change rounds nothing.
#include "testbed.h"

namespace talus::test {
namespace {

template <int Dim>
struct Scaled {
    Bench<Dim> bench;
    double length, time;
    Vec<Dim> offset;

    /// Balls that fall in a box, lengths times `scale` and times times `scale`^(1/2).
    Scaled(double scale, double root, const Vec<Dim>& shift, ContactRule rule = ContactRule::moreau)
        : bench(settings(root, rule), {"coulomb", 0.5, rule == ContactRule::gap ? 0.0 : 0.3, 0.0}), length(scale), time(root), offset(shift) {
        Random random(31);
        const int across = 4, count = Dim == 3 ? 48 : 24;
        const double side = across;
        for (int k = 0; k < Dim; ++k) bench.plane(axis<Dim>(k), shift);
        for (int k = 0; k + 1 < Dim; ++k) bench.plane(-axis<Dim>(k), shift + scale * side * axis<Dim>(k));
        for (int i = 0; i < count; ++i) {
            Vec<Dim> c;
            int index = i;
            for (int k = 0; k + 1 < Dim; ++k, index /= across) c[k] = 0.5 + index % across;
            c[Dim - 1] = 0.5 + index;
            const double r = random.uniform(0.3, 0.49);
            bench.ball(shift + scale * c, scale * r, scale / root * random.vector<Dim>(-1.0, 1.0));
        }
    }
    static Settings<Dim> settings(double root, ContactRule rule) {
        Settings<Dim> s = exact_settings<Dim>(0.01 * root);
        s.rule = rule;
        s.solver = {};
        s.solver.tolerance = 1e-6;
        return s;
    }
    /// Positions of the balls in units of the scale.
    [[nodiscard]] std::vector<Vec<Dim>> positions() const {
        std::vector<Vec<Dim>> out;
        for (std::size_t i = 0; i < bench.world.size(); ++i)
            if (bench.world.is_ball(i)) out.push_back((bench.world.positions()[i] - offset) / length);
        return out;
    }
};

template <int Dim>
double largest_difference(const std::vector<Vec<Dim>>& a, const std::vector<Vec<Dim>>& b) {
    double d = 0.0;
    for (std::size_t i = 0; i < a.size(); ++i) d = std::max(d, (a[i] - b[i]).norm());
    return d;
}

template <class D>
class Invariance : public ::testing::Test {};
TYPED_TEST_SUITE(Invariance, BothDimensions);

TYPED_TEST(Invariance, ScalingByAPowerOfTwoGivesTheSameBits) {
    constexpr int Dim = TypeParam::value;
    for (const ContactRule rule : {ContactRule::moreau, ContactRule::gap})
        for (const double root : {0x1p-5, 0x1p5}) {  // lengths by 2^-10 and 2^10
            Scaled<Dim> reference(1.0, 1.0, Vec<Dim>::Zero(), rule), scaled(root * root, root, Vec<Dim>::Zero(), rule);
            for (int i = 0; i < 150; ++i) {
                const StepReport a = reference.bench.world.step(), b = scaled.bench.world.step();
                ASSERT_EQ(a.contacts, b.contacts) << "step " << i;
                ASSERT_EQ(a.sweeps, b.sweeps) << "step " << i;
            }
            EXPECT_EQ(largest_difference<Dim>(reference.positions(), scaled.positions()), 0.0);
        }
}

TYPED_TEST(Invariance, ScalingByAThousandGivesTheSameAnswer) {
    constexpr int Dim = TypeParam::value;
    for (const double scale : {1e-3, 1e3}) {
        Scaled<Dim> reference(1.0, 1.0, Vec<Dim>::Zero()), scaled(scale, std::sqrt(scale), Vec<Dim>::Zero());
        reference.bench.steps(100);
        scaled.bench.steps(100);
        // Rounding differs, and collisions of many balls multiply it; after a hundred steps of this
        // scene by less than 10^6.
        EXPECT_LT(largest_difference<Dim>(reference.positions(), scaled.positions()), 1e-8);
        EXPECT_NEAR(kinetic_energy(scaled.bench.world) / std::pow(scale, Dim + 1), kinetic_energy(reference.bench.world),
                    1e-7 * kinetic_energy(reference.bench.world));
    }
}

TYPED_TEST(Invariance, MovingTheSceneTenThousandDiametersGivesTheSameAnswer) {
    constexpr int Dim = TypeParam::value;
    Scaled<Dim> reference(1.0, 1.0, Vec<Dim>::Zero()), moved(1.0, 1.0, Vec<Dim>::Constant(1e4));
    reference.bench.steps(100);
    moved.bench.steps(100);
    // Positions are rounded 10^4 times more coarsely (1e-12 diameters): the same growth gives 1e-5.
    EXPECT_LT(largest_difference<Dim>(reference.positions(), moved.positions()), 1e-5);
}

}  // namespace
}  // namespace talus::test

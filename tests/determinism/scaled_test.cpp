// No hidden length: a scene whose lengths are multiplied by 2^20 and times by 2^10 (gravity stays) gives the same bits,
// multiplied. Powers of two round nothing, so any absolute length, time or mass in the engine would show.
#include "scenes.h"

namespace talus::test {
namespace {

/// Solids of every kind and balls that fall into a box, in units of `L` metres and `T` seconds.
template <int Dim>
Bench<Dim> tumble(double L, double T, ContactRule rule) {
    Settings<Dim> settings = everyday<Dim>(2e-3 * T);
    settings.gravity = -8.0 * up<Dim>();
    settings.rule = rule;
    Bench<Dim> bench(settings, {"coulomb", 0.5, 0.0, 0.0});
    std::vector<double> sides(Dim, 3.0 * L);
    sides.back() = 128.0 * L;
    bench.boundary({"box_inside", sides}, L * (Vec<Dim>::Constant(1.5) + 62.5 * up<Dim>()));
    Random random(17);
    for (int i = 0; i < (Dim == 3 ? 27 : 18); ++i) {
        Vec<Dim> c;
        int index = i;
        for (int k = 0; k + 1 < Dim; ++k, index /= 3) c[k] = 0.5 + index % 3;
        c[Dim - 1] = 0.6 + index;
        const Vec<Dim> v = random.vector<Dim>(-1.0, 1.0);
        const Spin<Dim> w = random.spin<Dim>(3.0);
        if (i % 4 == 3) {
            bench.ball(L * c, 0.3 * L, L / T * v, Spin<Dim>(w / T));
            continue;
        }
        BodySpec<Dim> spec;
        spec.shape = nth_solid(i, std::integral_constant<int, Dim>{});
        for (double& size : spec.shape.sizes) size *= L;
        spec.position = L * c;
        spec.density = 1024.0;
        spec.material = bench.material;
        spec.velocity = L / T * v;
        spec.spin = w / T;
        bench.world.add_body(spec);
    }
    return bench;
}

template <class D>
class Scaled : public ::testing::Test {};
TYPED_TEST_SUITE(Scaled, BothDimensions);

TYPED_TEST(Scaled, ScenesHaveTheSameBits) {
    constexpr int Dim = TypeParam::value;
    for (const ContactRule rule : {ContactRule::moreau, ContactRule::gap}) {
        Bench<Dim> one = tumble<Dim>(1.0, 1.0, rule);
        one.steps(400);
        for (const int power : {-10, 10}) {
            const double T = std::ldexp(1.0, power), L = T * T;
            Bench<Dim> other = tumble<Dim>(L, T, rule);
            other.steps(400);
            for (std::size_t i = 0; i < one.world.size(); ++i) {
                ASSERT_EQ(Vec<Dim>(L * one.world.positions()[i]), other.world.positions()[i]) << "body " << i << ", 2^" << power;
                ASSERT_EQ(Spin<Dim>(one.world.spins()[i] / T), other.world.spins()[i]) << "body " << i << ", 2^" << power;
            }
        }
    }
}

}  // namespace
}  // namespace talus::test

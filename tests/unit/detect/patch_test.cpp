// A candidate list is patched for grains that are new or have moved far while the others rest: no pair is missed, and a
// run that goes on from a checkpoint has the same list.
#include <set>

#include "../../physics/testbed.h"

namespace talus::test {
namespace {

using Pair = std::pair<BodyId, BodyId>;

/// Grains set down one by one above a bed of held ones, as in a pile under construction.
template <int Dim>
class Pouring {
public:
    explicit Pouring(std::uint64_t seed) : random_(seed), bench_(settings(), {"coulomb", 0.4, 0.0, 0.0}) {
        const int along = Dim == 2 ? 1 : 9;
        for (int i = 0; i < 9; ++i)
            for (int j = 0; j < along; ++j) {
                Vec<Dim> x = Vec<Dim>::Zero();
                x[0] = 0.9 * (i - 4);
                if (Dim == 3) x[1] = 0.9 * (j - 4);
                bench_.fixed_ball(x, 0.5);
            }
        bench_.boundary({"box_inside", std::vector<double>(Dim, 20.0)});
    }
    World<Dim>& world() { return bench_.world; }

    /// A step, after a new grain every tenth time.
    StepReport step() {
        if (count_++ % 10 == 0) bench_.ball(Vec<Dim>(random_.vector<Dim>(-0.4, 0.4) + 6.0 * up<Dim>()), random_.uniform(0.3, 0.5), Vec<Dim>(-8.0 * up<Dim>()));
        return world().step();
    }

private:
    static Settings<Dim> settings() {
        Settings<Dim> s = exact_settings<Dim>(2e-3);
        s.solver = {};
        s.solver.max_sweeps = 50;  // detection is judged, not convergence
        return s;
    }
    Random random_;
    Bench<Dim> bench_;
    int count_ = 0;
};

/// Pairs of balls that overlap clearly at q_m.
template <int Dim>
std::set<Pair> closed_pairs(const World<Dim>& w, double h) {
    std::set<Pair> out;
    const auto middle = [&](std::size_t i) { return Vec<Dim>(w.positions()[i] + 0.5 * h * w.velocities()[i]); };
    for (std::size_t i = 0; i < w.size(); ++i)
        for (std::size_t j = i + 1; j < w.size(); ++j)
            if (w.is_ball(i) && w.is_ball(j) && !(w.is_wall(i) && w.is_wall(j)) &&
                (middle(i) - middle(j)).norm() < w.radii()[i] + w.radii()[j] - 1e-10)
                out.insert({w.ids()[i], w.ids()[j]});
    return out;
}

template <class D>
class PatchedList : public ::testing::Test {};
TYPED_TEST_SUITE(PatchedList, BothDimensions);

TYPED_TEST(PatchedList, MissesNoPairWhileGrainsArrive) {
    constexpr int Dim = TypeParam::value;
    Pouring<Dim> pouring(3);
    std::size_t seen = 0;
    int renewed = 0;
    for (int step = 0; step < 700; ++step) {
        const std::size_t before = pouring.world().size();
        const std::set<Pair> expected = closed_pairs(pouring.world(), 2e-3);
        renewed += pouring.step().rebuilt;
        std::set<Pair> found;
        for (const Contact<Dim>& c : pouring.world().contacts()) found.insert(std::minmax({c.a, c.b}));
        if (before == pouring.world().size()) {   // the new grain was not there to be looked at
            for (const Pair& p : expected) ASSERT_TRUE(found.count(p)) << "missed " << p.first << "-" << p.second << " at step " << step;
        }
        seen += expected.size();
    }
    EXPECT_GT(seen, 10000u);
    EXPECT_GE(renewed, 70);   // every new grain at least
}

TYPED_TEST(PatchedList, IsTheSameAfterACheckpoint) {
    constexpr int Dim = TypeParam::value;
    Pouring<Dim> straight(5), resumed(5);
    for (int step = 0; step < 333; ++step) {
        straight.step();
        resumed.step();
    }
    const std::vector<std::byte> checkpoint = resumed.world().checkpoint();
    resumed.world().restore(checkpoint);
    for (int step = 0; step < 200; ++step) {
        const StepReport a = straight.step(), b = resumed.step();
        ASSERT_EQ(a.rebuilt, b.rebuilt) << "step " << step;
        ASSERT_EQ(straight.world().hash(), resumed.world().hash()) << "step " << step;
    }
}

}  // namespace
}  // namespace talus::test

// A dry wall, a column of drums and an arch stand still: at a solver tolerance of 1e-9 they drift by less
// than a millionth of a block, at the default tolerance by no more than the law error explains, and
// their kinetic energy never grows.
#include <array>
#include <numeric>

#include "masonry.h"

namespace talus::test {
namespace {

/// Kinetic energy of all free bodies, blocks included [J].
template <int Dim>
double kinetic_energy_of_blocks(const World<Dim>& w) {
    double e = 0.0;
    for (std::size_t i = 0; i < w.size(); ++i) {
        if (w.is_wall(i)) continue;
        e += 0.5 * w.masses()[i] * w.velocities()[i].squaredNorm() +
             0.5 * w.inertias()[i].maxCoeff() * w.spins()[i].squaredNorm();
    }
    return e;
}

struct Stand {
    double drift = 0.0;         ///< over the size of a block, once settled
    double bound = 0.0;         ///< what the law errors let a block move, over its size
    std::array<double, 12> energy{};  ///< mean kinetic energy in as many parts of the time [J]

    /// The last quarter has more than half as much again as the time before: a rate that grows shows, noise does not.
    [[nodiscard]] bool grows() const {
        const double before = std::accumulate(energy.begin(), energy.begin() + 9, 0.0) / 9.0;
        return std::accumulate(energy.begin() + 9, energy.end(), 0.0) / 3.0 > 1.5 * before + 1e-20;
    }
};

/// Lets the structure settle for a second (laid blocks sink until every contact is closed), then watches. A block is off the ground by at
/// most `joints` joints; in each of them the velocity is off by law_error_max v_ref at most, in every step. (An estimate: joints also let
/// blocks turn, which moves those above by their distance.)
template <int Dim>
Stand watch(Bench<Dim>& bench, const std::vector<BodyId>& blocks, double size, int joints, double seconds) {
    Stand s;
    while (bench.world.time() < 1.0) bench.world.step();
    const auto start = positions_of(bench, blocks);
    const double h = bench.world.settings().step;
    while (bench.world.time() < 1.0 + seconds) {
        const StepReport report = bench.world.step();
        EXPECT_TRUE(report.converged);
        s.bound += joints * report.law.max * report.law.v_ref * h / size;
        const auto part = static_cast<std::size_t>((bench.world.time() - 1.0 - 0.5 * h) / seconds * 12.0);
        s.energy[std::min<std::size_t>(part, 11)] += kinetic_energy_of_blocks(bench.world) * h * 12.0 / seconds;
    }
    s.drift = largest_move(bench, blocks, start) / size;
    return s;
}

struct Structure2 {
    Bench<2> bench;
    std::vector<BodyId> blocks;
    double size;
    int joints;   ///< from the ground to the farthest block
};

Structure2 wall(double tolerance) {
    Structure2 s{Bench<2>(masonry_settings<2>(5e-3, tolerance), {"coulomb", 0.6, 0.0, 0.0}), {}, 0.2, 8};
    s.bench.floor();
    s.blocks = add_wall(s.bench, 10, 8, 0.2, 0.1);
    return s;
}
Structure2 arch(double tolerance) {
    Structure2 s{Bench<2>(masonry_settings<2>(5e-3, tolerance), {"coulomb", 0.7, 0.0, 0.0}), {}, 0.15, 11};
    s.bench.floor();
    s.blocks = add_arch(s.bench, 21, 0.15);
    return s;
}

struct Structure3 {
    Bench<3> bench;
    std::vector<BodyId> blocks;
    double size;
    int joints;   ///< from the ground to the farthest block
};
Structure3 column(double tolerance) {
    Structure3 s{Bench<3>(masonry_settings<3>(5e-3, tolerance), {"coulomb", 0.7, 0.0, 0.0}), {}, 0.5, 11};
    s.bench.floor();
    for (int k = 0; k < 10; ++k)
        s.blocks.push_back(add_block<3>(s.bench, {"cylinder", {0.5, 0.5}}, {0.0, 0.0, 0.25 + 0.5 * k}));
    s.blocks.push_back(add_block<3>(s.bench, {"cylinder", {0.65, 0.4}}, {0.0, 0.0, 5.2}));
    return s;
}

template <class Make>
void expect_still(const Make& make, double seconds) {
    {
        auto s = make(1e-9);
        const Stand stand = watch(s.bench, s.blocks, s.size, s.joints, seconds);
        EXPECT_LT(stand.drift, 1e-6);
        EXPECT_FALSE(stand.grows());
    }
    auto s = make(SolverSettings{}.tolerance);
    const Stand stand = watch(s.bench, s.blocks, s.size, s.joints, seconds);
    EXPECT_LE(stand.drift, stand.bound + 1e-12);
    EXPECT_FALSE(stand.grows());
    ::testing::Test::RecordProperty("drift", std::to_string(stand.drift));
    ::testing::Test::RecordProperty("bound", std::to_string(stand.bound));
}

TEST(Standing, AWallForThreeSeconds) { expect_still(wall, 3.0); }
TEST(Standing, AnArchForThreeSeconds) { expect_still(arch, 3.0); }
TEST(Standing, AColumnOfDrumsForThreeSeconds) { expect_still(column, 3.0); }
TEST(StandingFull, AWallForAMinute) { expect_still(wall, 60.0); }
TEST(StandingFull, AnArchForAMinute) { expect_still(arch, 60.0); }
TEST(StandingFull, AColumnOfDrumsForAMinute) { expect_still(column, 60.0); }

}  // namespace
}  // namespace talus::test

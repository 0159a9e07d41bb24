// The order in which independent bodies are given does not matter: groups that never meet move with the
// same bits whichever comes first.
#include <array>

#include "scenes.h"

namespace talus::test {
namespace {

/// A group of grains that falls on its own patch of a common floor, far from the others.
template <int Dim>
struct Group {
    Vec<Dim> origin;
    std::uint64_t seed;
    int count;
};

template <int Dim>
std::vector<BodyId> add_group(Bench<Dim>& bench, const Group<Dim>& group) {
    Random random(group.seed);
    std::vector<BodyId> ids;
    for (int i = 0; i < group.count; ++i) {
        const Vec<Dim> c = group.origin + (0.6 + 1.05 * i) * up<Dim>() + random.uniform(-0.2, 0.2) * axis<Dim>(0);
        ids.push_back(bench.ball(c, random.uniform(0.3, 0.5)));
    }
    return ids;
}

template <int Dim>
std::vector<Vec<Dim>> positions(const Bench<Dim>& bench, const std::vector<BodyId>& ids) {
    std::vector<Vec<Dim>> out;
    for (const BodyId id : ids) out.push_back(bench.position(id));
    return out;
}

template <class D>
class InputOrder : public ::testing::Test {};
TYPED_TEST_SUITE(InputOrder, BothDimensions);

TYPED_TEST(InputOrder, OfIndependentGroupsDoesNotMatter) {
    constexpr int Dim = TypeParam::value;
    // A fixed number of sweeps: a common stop test would couple groups through their number of sweeps.
    Settings<Dim> settings = everyday<Dim>(5e-3);
    settings.solver.tolerance = 0.0;
    settings.solver.max_sweeps = 30;
    const LawSpec law{"coulomb", 0.4, 0.2, 0.0};
    const std::vector<Group<Dim>> groups = {{-40.0 * axis<Dim>(0), 1, 6}, {Vec<Dim>::Zero(), 2, 4}, {60.0 * axis<Dim>(0), 3, 5}};
    const auto run = [&](const std::array<int, 3>& order) {
        Bench<Dim> bench(settings, law);
        bench.floor();
        std::array<std::vector<BodyId>, 3> ids;
        for (const int k : order) ids[k] = add_group(bench, groups[k]);
        bench.steps(300);
        std::vector<std::vector<Vec<Dim>>> out;
        for (int k = 0; k < 3; ++k) out.push_back(positions(bench, ids[k]));
        return out;
    };
    const auto reference = run({0, 1, 2});
    for (const std::array<int, 3>& order : {std::array{2, 1, 0}, {1, 2, 0}, {1, 0, 2}}) EXPECT_EQ(run(order), reference);
}

TYPED_TEST(InputOrder, OfLoneGrainsDoesNotMatter) {
    // Grains that each meet the floor only: any shuffle gives every one of them the same bits.
    constexpr int Dim = TypeParam::value;
    const int count = 50;
    const auto run = [&](int stride) {
        Bench<Dim> bench(everyday<Dim>(5e-3), {"coulomb", 0.4, 0.8, 0.2});
        bench.floor();
        std::vector<BodyId> ids(count);
        for (int j = 0; j < count; ++j) {
            const int i = j * stride % count;
            Random random(500 + i);
            ids[i] = bench.ball(3.0 * i * axis<Dim>(0) + random.uniform(1.0, 2.0) * up<Dim>(), random.uniform(0.3, 0.5),
                                random.uniform(-0.5, 0.5) * axis<Dim>(0), random.spin<Dim>(3.0));
        }
        bench.steps(200);
        return positions(bench, ids);
    };
    const auto reference = run(1);
    for (const int stride : {7, 21, 49}) EXPECT_EQ(run(stride), reference) << stride;
}

}  // namespace
}  // namespace talus::test

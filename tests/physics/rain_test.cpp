// Irregular polygons and polyhedra rain into a box and come to rest (rule `gap`): hardly any overlap, no
// contact missed, every law held to the tolerance, no energy created.
#include <Eigen/Geometry>
#include <set>

#include "masonry.h"

namespace talus::test {
namespace {

/// Corners at random angles on a circle of radius `size`, no two nearer than a third of the mean distance.
std::vector<double> corners(Random& random, double size, InPlane) {
    const int n = 5 + static_cast<int>(random.uniform(0.0, 2.999));
    std::vector<double> sizes;
    const double start = random.uniform(0.0, 2.0 * pi);
    for (int k = 0; k < n; ++k) {
        const double angle = start + 2.0 * pi * (k + random.uniform(-0.33, 0.33)) / n;
        sizes.push_back(size * std::cos(angle));
        sizes.push_back(size * std::sin(angle));
    }
    return sizes;
}
/// Points scattered over a flattened ball.
std::vector<double> corners(Random& random, double size, InSpace) {
    const int n = 10 + static_cast<int>(random.uniform(0.0, 8.999));
    const Vec<3> stretch(1.0, random.uniform(0.7, 1.0), random.uniform(0.6, 0.9));
    std::vector<double> sizes;
    for (int k = 0; k < n; ++k) {
        const Vec<3> x = size * random.vector<3>(-1.0, 1.0).normalized().cwiseProduct(stretch);
        sizes.insert(sizes.end(), {x[0], x[1], x[2]});
    }
    return sizes;
}
const char* name_of(InPlane) { return "polygon"; }
const char* name_of(InSpace) { return "polyhedron"; }

template <int Dim>
struct Rain {
    using D = std::integral_constant<int, Dim>;
    static constexpr double size = 0.01;
    Bench<Dim> bench;
    double worst_law = 0.0;
    int over = 0, gained = 0;

    Rain(int across, int count, std::uint64_t seed) : bench(settings(), {"coulomb", 0.4, 0.0, 0.0}) {
        Random random(seed);
        const double spacing = 2.05 * size, width = across * spacing;
        std::vector<double> sides(Dim, width);
        sides.back() = 1e3;
        const Vec<Dim> middle = 0.5 * width * (Vec<Dim>::Ones() - up<Dim>()) + 500.0 * up<Dim>();
        bench.boundary({"box_inside", sides}, middle);
        for (int i = 0; i < count; ++i) {
            Vec<Dim> x;
            int rest = i;
            for (int k = 0; k < Dim; ++k) {
                const int cell = k + 1 < Dim ? rest % across : rest;
                rest /= across;
                x[k] = (cell + 0.5) * spacing;
            }
            add_block<Dim>(bench, {name_of(D{}), corners(random, size * random.uniform(0.6, 1.0), D{})}, x);
        }
    }
    static Settings<Dim> settings() {
        Settings<Dim> s;
        s.gravity = -g * up<Dim>();
        s.step = 2e-4;
        s.rule = ContactRule::gap;
        s.solver.tolerance = 1e-2;
        s.solver.max_sweeps = 20000;
        return s;
    }
    StepReport run(double seconds) {
        StepReport report;
        while (bench.world.time() < seconds) {
            report = bench.world.step();
            worst_law = std::max(worst_law, report.law.mean);
            over += !report.converged;
            gained += report.energy_gained;
        }
        return report;
    }
    /// Pairs that overlap by more than rounding and are not among the contacts of the last step.
    int missed() const {
        const auto& w = bench.world;
        std::set<std::pair<BodyId, BodyId>> known;
        for (const auto& c : w.contacts()) known.insert(std::minmax(c.a, c.b));
        int missing = 0;
        for (std::size_t i = 0; i < w.size(); ++i)
            for (std::size_t j = i + 1; j < w.size(); ++j) {
                const double near = w.radii()[i] + w.radii()[j];
                if (w.radii()[i] > 0.0 && (w.positions()[i] - w.positions()[j]).norm() > near) continue;
                if (w.gap(w.ids()[i], w.ids()[j]) > -1e-9 * size) continue;
                missing += !known.contains(std::minmax(w.ids()[i], w.ids()[j]));
            }
        return missing;
    }
    double fastest() const {
        double v = 0.0;
        for (const auto& u : bench.world.velocities()) v = std::max(v, u.norm());
        return v;
    }
};

template <int Dim>
void expect_a_sound_deposit(int across, int count, double seconds) {
    Rain<Dim> rain(across, count, 7);
    const StepReport last = rain.run(seconds);
    EXPECT_EQ(rain.over, 0);
    EXPECT_LE(rain.worst_law, 1e-2);
    EXPECT_EQ(rain.gained, 0);
    EXPECT_LT(last.mean_overlap, 1e-4);
    EXPECT_EQ(rain.missed(), 0);
    EXPECT_LT(rain.fastest(), 0.05);  // at rest but for a last one that may still rock
    ::testing::Test::RecordProperty("mean_overlap", std::to_string(last.mean_overlap * 1e6) + "e-6");
    ::testing::Test::RecordProperty("max_overlap", std::to_string(last.max_overlap * 1e6) + "e-6");
    ::testing::Test::RecordProperty("fastest", std::to_string(rain.fastest()));
}

TEST(Rain, OfPolygonsComesToRest) { expect_a_sound_deposit<2>(12, 120, 0.6); }
TEST(Rain, OfPolyhedraComesToRest) { expect_a_sound_deposit<3>(4, 64, 0.6); }
TEST(RainFull, Of2000PolygonsComesToRest) { expect_a_sound_deposit<2>(50, 2000, 1.5); }
TEST(RainFull, Of1000PolyhedraComesToRest) { expect_a_sound_deposit<3>(10, 1000, 1.5); }

}  // namespace
}  // namespace talus::test

// A ball that slides inside a round wall without friction or gravity [validation B19b].
// The velocity-level law lets it sink by (vh)^2/(2R) a step and never brings it back; r v is kept, so it
// slows down. Position correction holds it on the wall and gives it no energy.
#include "testbed.h"

namespace talus::test {
namespace {

struct Turn {
    double overlap, speed, worst;
};

/// One turn of a ball whose centre starts on the unit circle with unit speed.
template <int Dim>
Turn one_turn(const ShapeSpec& wall, double h, bool correct) {
    Settings<Dim> settings = exact_settings<Dim>(h, 0.0);
    settings.position_correction = correct;
    Bench<Dim> bench(settings, {"frictionless", 0.0, 0.0, 0.0});
    bench.boundary(wall);
    const double r = 0.1;
    const BodyId ball = bench.ball((1.0 + touching) * axis<Dim>(0), r, axis<Dim>(1));
    double worst = 0.0;
    for (int i = 0; i < static_cast<int>(2.0 * pi / h); ++i) {
        bench.world.step();
        worst = std::max(worst, bench.position(ball).norm() - 1.0);
    }
    return {bench.position(ball).norm() - 1.0, bench.velocity(ball).norm(), worst};
}

template <int Dim>
void expect_drift(const ShapeSpec& wall) {
    struct Published {
        double h, overlap, speed;
    };
    for (const Published& p : {Published{0.01, 0.0300, 0.9709}, {0.005, 0.01535, 0.9849}}) {
        const Turn t = one_turn<Dim>(wall, p.h, false);
        EXPECT_NEAR(t.overlap, p.overlap, 0.05 * p.overlap);
        EXPECT_NEAR(1.0 - t.speed, 1.0 - p.speed, 0.05 * (1.0 - p.speed));
        EXPECT_NEAR(t.speed * (1.0 + t.overlap), 1.0, 2.0 * p.h * p.h);  // r v is kept, up to the midpoint's h^2
    }
}

template <int Dim>
void expect_no_drift(const ShapeSpec& wall) {
    const Turn t = one_turn<Dim>(wall, 0.01, true);
    EXPECT_LT(t.worst, 1e-4);
    EXPECT_LE(t.speed, 1.0 + 1e-12);  // correction never adds kinetic energy
}

TEST(Bowl, DriftsByTheSagOfEachChord) {
    expect_drift<2>({"ball_inside", {1.1}});
    expect_drift<3>({"ball_inside", {1.1}});
    expect_drift<3>({"cylinder_inside", {1.1, std::numeric_limits<double>::infinity()}});
}

TEST(Bowl, DoesNotDriftWithPositionCorrection) {
    expect_no_drift<2>({"ball_inside", {1.1}});
    expect_no_drift<3>({"ball_inside", {1.1}});
    expect_no_drift<3>({"cylinder_inside", {1.1, std::numeric_limits<double>::infinity()}});
}

template <class D>
class PositionCorrection : public ::testing::Test {};
TYPED_TEST_SUITE(PositionCorrection, BothDimensions);

TYPED_TEST(PositionCorrection, RemovesOverlapAndBooksThePotentialEnergyItGives) {
    constexpr int Dim = TypeParam::value;
    Settings<Dim> settings = exact_settings<Dim>(1e-3);
    settings.position_correction = true;
    Bench<Dim> bench(settings, {"coulomb", 0.5, 0.0, 0.0});
    bench.floor();
    const double r = 0.5, sunk = 1e-2;
    const BodyId ball = bench.ball((r - sunk) * up<Dim>(), r);
    const double weight = bench.mass(ball) * g;
    double booked = 0.0;
    for (int i = 0; i < 200; ++i) {
        const StepReport report = bench.world.step();
        booked += report.energy.correction;
        EXPECT_LT(std::abs(report.energy.residual), 1e-12 * weight * r);
        EXPECT_LT(bench.velocity(ball).norm(), 1e-12);  // it is moved, not thrown
    }
    EXPECT_NEAR(bench.position(ball)[Dim - 1], r, 1e-4 * r);
    EXPECT_LE(bench.position(ball)[Dim - 1], r + 1e-12);  // never beyond contact
    EXPECT_NEAR(booked, weight * (bench.position(ball)[Dim - 1] - (r - sunk)), 1e-9 * weight * r);
}

TYPED_TEST(PositionCorrection, KeepsAShakenStackFreeOfOverlapAndOfAddedEnergy) {
    constexpr int Dim = TypeParam::value;
    Settings<Dim> settings = exact_settings<Dim>(1e-3);
    settings.position_correction = true;
    settings.solver.tolerance = 1e-6;
    settings.solver.tolerance_max = 0.0;
    settings.solver.max_sweeps = 2000;
    Bench<Dim> bench(settings, {"coulomb", 0.5, 0.0, 0.0});
    bench.floor();
    const double r = 0.05;
    std::vector<BodyId> column;
    for (int i = 0; i < 4; ++i) column.push_back(bench.ball((r + 2.0 * r * i * 0.98) * up<Dim>(), r));
    for (int i = 0; i < 500; ++i)
        ASSERT_LT(std::abs(bench.world.step().energy.residual), 1e-12 * bench.mass(column[0]) * g) << "step " << i;
    for (int i = 0; i < 4; ++i) EXPECT_NEAR(bench.position(column[i])[Dim - 1], r + 2.0 * r * i, 2e-3 * r);
    EXPECT_LT(kinetic_energy(bench.world), 1e-12 * bench.mass(column[0]) * g * r);
}

}  // namespace
}  // namespace talus::test

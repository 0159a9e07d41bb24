// The set of equilibrium forces: its exact bounds against statics by hand, what is sampled lies inside, and static limit
// analysis against known collapse loads [moreau2003, sec. 8; validation B11, B12, B14; experiments A2, rows h, m, n].
#include "explore/bounds.h"
#include "explore/sample.h"
#include "physics/masonry.h"

namespace talus::test {
namespace {

using explore::BoundKind;
using explore::Outcome;

/// Accuracy that the cone programs promise, on values of the size of a weight.
constexpr double exact = 1e-9;

template <int Dim>
explore::ForceSet<Dim> set_of(World<Dim>& world) {
    return explore::force_set(world, explore::SampleSettings::tight_solver());
}

template <int Dim>
bool stands(World<Dim>& world) {
    const auto found = explore::find_equilibrium(set_of(world), world.size());
    using Kind = typename explore::Existence<Dim>::Kind;
    EXPECT_NE(found.kind, Kind::unsure);
    EXPECT_LT(found.certificate.residual, exact);
    return found.kind == Kind::some;
}

/// Forces that attain a bound are of the set: balance on every row, every contact in its cone.
template <int Dim>
void expect_in_set(const explore::ForceSet<Dim>& set, const Eigen::VectorXd& f, double allowed) {
    const Eigen::VectorXd rest = set.balance * f + set.load;
    EXPECT_LT(rest.template lpNorm<Eigen::Infinity>(), allowed * set.unit);
    for (std::size_t k = 0; k < set.contacts.size(); ++k) {
        const Vec<Dim> c = f.segment<Dim>(static_cast<Eigen::Index>(k) * Dim);
        EXPECT_GE(c[0], -allowed * set.unit);
        EXPECT_LE(c.template tail<Dim - 1>().norm(), set.contacts[k].contact.friction * c[0] + allowed * set.unit);
    }
}

// --- the wedged bar, B11 --------------------------------------------------------------------------------------------

/// A horizontal bar of mass 1 between walls that converge upward by `beta` from the vertical, tips just touching.
struct Bar {
    static constexpr double h = 1e-3, beta = pi / 18.0;
    Bench<2> bench;
    BodyId bar_id, left, right;
    explicit Bar(double mu = 0.4) : bench(exact_settings<2>(h), {"coulomb", mu, 0.0, 0.0}) {
        left = bench.plane({std::cos(beta), -std::sin(beta)}, {-1.0 + 1e-12, 0.0});
        right = bench.plane({-std::cos(beta), -std::sin(beta)}, {1.0 - 1e-12, 0.0});
        BodySpec<2> spec;
        spec.shape = bar();
        spec.mass = 1.0;
        spec.inertia = Spin<2>(1.0 / 3.0);
        spec.material = bench.material;
        bar_id = bench.world.add_body(spec);
    }
    [[nodiscard]] std::size_t index(BodyId id) const { return bench.world.index_of(id); }
};

TEST(EquilibriumForces, OfTheWedgedBarHaveALeastThrustAndNoGreatest) {
    for (const double mu : {0.2, 0.4, 1.0}) {
        Bar b(mu);
        const auto set = set_of(b.bench.world);
        ASSERT_EQ(set.contacts.size(), 2u);
        const auto thrust = explore::bounds(set, explore::total_force(set, b.index(b.right), 0, "thrust"));
        const double closed_form = g / (2.0 * std::tan(std::atan(mu) - Bar::beta));
        ASSERT_EQ(thrust.least.kind, BoundKind::attained);
        EXPECT_NEAR(thrust.least.value, closed_form, exact * closed_form);
        expect_in_set(set, thrust.least.forces, exact);
        EXPECT_EQ(thrust.greatest.kind, BoundKind::unbounded);
        // The certificate: forces in the cones that balance each other without any load and push the wall.
        const Eigen::VectorXd& stress = thrust.greatest.forces;
        EXPECT_LT((set.balance * stress).lpNorm<Eigen::Infinity>(), exact);
        EXPECT_NEAR(explore::total_force(set, b.index(b.right), 0, "").weights.dot(stress), 1.0, exact);
        for (const BodyId wall : {b.left, b.right}) {
            const auto lift = explore::bounds(set, explore::total_force(set, b.index(wall), 1, "lift"));
            ASSERT_TRUE(lift.is_bounded());
            EXPECT_NEAR(lift.least.value, -0.5 * g, exact * g);
            EXPECT_NEAR(lift.greatest.value, -0.5 * g, exact * g);
        }
    }
}

TEST(EquilibriumForces, OfTheBarDoNotExistWhereTheWallsAreSteeperThanFriction) {
    Bar below(0.99 * std::tan(Bar::beta)), above(1.01 * std::tan(Bar::beta));
    EXPECT_FALSE(stands(below.bench.world));
    EXPECT_TRUE(stands(above.bench.world));
    const auto found = explore::find_equilibrium(set_of(below.bench.world), below.bench.world.size());
    EXPECT_NEAR(found.mechanism.velocity[below.index(below.bar_id)][1], -1.0, 1e-6);  // it falls
}

TEST(EquilibriumForces, OfTheBarAreSampledWithBothOutcomes) {
    Bar b;
    const auto set = set_of(b.bench.world);
    const auto thrust = explore::total_force(set, b.index(b.right), 0, "thrust");
    const double least = explore::bounds(set, thrust).least.value;
    explore::SampleSettings settings;
    int stay = 0, move = 0;
    for (int k = 0; k < 400; ++k) {
        const auto sample = explore::draw_sample(set, b.bench.world, settings, k);
        ASSERT_NE(sample.outcome, Outcome::unsolved);
        EXPECT_EQ(sample.sweeps_again, 1) << "a solution is where its own solve starts and ends";
        sample.outcome == Outcome::stays ? ++stay : ++move;
        if (sample.outcome == Outcome::stays) {
            EXPECT_GE(thrust.weights.dot(sample.forces), least - 1e-6);
        } else {
            EXPECT_GT(sample.velocity, 1e-3);
        }
    }
    // About 88 in 100 stay [validation B11]; four standard deviations of 400 draws are 26.
    EXPECT_NEAR(stay, 352, 26);
    EXPECT_GT(move, 0);
    settings.start = explore::Start::zero;
    EXPECT_EQ(explore::draw_sample(set, b.bench.world, settings, 0).outcome, Outcome::moves);
}

TEST(EquilibriumForces, AreSampledTheSameFromTheSameSeed) {
    Bar b;
    const auto set = set_of(b.bench.world);
    explore::SampleSettings settings;
    settings.random_order = true;
    const auto first = explore::draw_sample(set, b.bench.world, settings, 7);
    const auto again = explore::draw_sample(set, b.bench.world, settings, 7);
    EXPECT_EQ(first.forces, again.forces);
    settings.seed = 2;
    EXPECT_NE(explore::draw_sample(set, b.bench.world, settings, 7).start, first.start);
}

TEST(EquilibriumForces, AreThoseOfTheStepThatTheWorldMakes) {
    // A sample from the forces that a step found is that step.
    Bar b;
    auto set = set_of(b.bench.world);
    explore::SampleSettings settings;
    Eigen::VectorXd forces;
    for (int k = 0; forces.size() == 0; ++k) {
        const auto sample = explore::draw_sample(set, b.bench.world, settings, k);
        if (sample.outcome == Outcome::stays) forces = sample.forces;
    }
    std::vector<Contact<2>> history;
    for (std::size_t k = 0; k < set.contacts.size(); ++k) {
        history.push_back(set.contacts[k].contact);
        history.back().impulse = Bar::h * set.force(forces, k);
    }
    b.bench.world.set_history(history);
    set = set_of(b.bench.world);
    EXPECT_TRUE(set.check.holds);
    EXPECT_LT((set.found - forces).lpNorm<Eigen::Infinity>(), 1e-9 * set.unit);
}

// --- stacks of balls, B12 -------------------------------------------------------------------------------------------

/// n lower balls a hair apart and one on top, all of radius 1/2; the contacts between lower balls are open.
template <int Dim>
struct BallStack {
    World<Dim> world;
    BodyId floor = -1, top = -1;
    std::vector<BodyId> lower;
    double ball_weight = 0.0, psi = 0.0;    ///< angle of the centre lines from the vertical

    BallStack(int n, double mu_balls, double mu_floor) : world(exact_settings<Dim>(1e-3)) {
        const MaterialId ball = world.add_material("ball"), ground = world.add_material("ground");
        world.set_law(ball, ball, {"coulomb", mu_balls, 0.0, 0.0});
        world.set_law(ball, ground, {"coulomb", mu_floor, 0.0, 0.0});
        BoundarySpec<Dim> plane;
        plane.shape = {"plane", std::vector<double>(Dim, 0.0)};
        plane.shape.sizes.back() = 1.0;
        plane.material = ground;
        floor = world.add_boundary(plane);
        constexpr double r = 0.5, hair = 1e-12;
        const double ring = (n == 2 ? r : r / std::sin(pi / n)) * (1.0 + 1e-9);
        psi = std::asin(ring / (2.0 * r));
        for (int i = 0; i < n; ++i) {
            Vec<Dim> c = ring * std::cos(2.0 * pi * i / n) * axis<Dim>(0) + r * (1.0 - hair) * up<Dim>();
            if (Dim == 3) c[1] = ring * std::sin(2.0 * pi * i / n);
            lower.push_back(add(c, ball));
        }
        top = add((r + 2.0 * r * std::cos(psi) - hair) * up<Dim>(), ball);
        ball_weight = world.masses()[world.index_of(top)] * g;
    }
    BodyId add(const Vec<Dim>& centre, MaterialId material) {
        BallSpec<Dim> spec;
        spec.position = centre;
        spec.radius = 0.5;
        spec.density = 1000.0;
        spec.material = material;
        return world.add_ball(spec);
    }
    /// A force on the lower ball number 0 from the top one.
    explore::Range range_of(const explore::ForceSet<Dim>& set, bool normal) {
        const auto k = explore::contacts_between(set, world.index_of(lower[0]), world.index_of(top));
        return explore::bounds(set, normal ? explore::normal_force(set, k, "") : explore::tangential_force(set, k, ""));
    }
};

TEST(EquilibriumForces, OfThreeDisksAreDetermined) {
    // Four contacts, eight unknowns, nine equations. Each lower disk is held by three forces that meet on its axis, so the
    // force between two disks makes half the angle psi with their centre line.
    BallStack<2> stack(2, 0.5, 0.5);
    const auto set = set_of(stack.world);
    ASSERT_EQ(set.contacts.size(), 4u);
    const double W = stack.ball_weight, half = 0.5 * stack.psi;
    // The upper disk: two forces F inclined by psi/2 from the vertical carry W.
    const double F = 0.5 * W / std::cos(half);
    const auto normal = stack.range_of(set, true), tangential = stack.range_of(set, false);
    ASSERT_TRUE(normal.is_bounded());
    // The hair between the lower disks and rounding of the overlaps are 1e-9 of a radius.
    EXPECT_NEAR(normal.least.value, F * std::cos(half), 2e-9 * W);
    EXPECT_NEAR(normal.greatest.value, F * std::cos(half), 2e-9 * W);
    EXPECT_NEAR(std::abs(tangential.least.value), F * std::sin(half), 2e-9 * W);
    EXPECT_NEAR(std::abs(tangential.greatest.value), F * std::sin(half), 2e-9 * W);
    const auto floor = explore::bounds(set, explore::total_force(set, stack.world.index_of(stack.floor), 1, ""));
    EXPECT_NEAR(floor.least.value, -3.0 * W, exact * W);
    EXPECT_NEAR(floor.greatest.value, -3.0 * W, exact * W);
}

TEST(EquilibriumForces, OfDisksThatAlsoPressEachOtherFillAnInterval) {
    // The same with the lower disks in touch, pressing each other by N. By convexity and mirror symmetry the greatest N is
    // that of symmetric forces. With (X, W/2) the force of a lower disk on the upper one, s and c sine and cosine of
    // psi = 30 deg: moments of a lower disk give its friction on the floor, R = s W/2 - c X, its horizontal forces N = R - X.
    // So N falls with X, and X >= (W/2) tan(psi - phi) where the upper contact slides; N >= 0 is where X is as without touch.
    for (const double mu : {0.3, 0.5, 0.6}) {
        Bench<2> bench(exact_settings<2>(1e-3), {"coulomb", mu, 0.0, 0.0});
        bench.floor();
        constexpr double hair = 1e-12;
        const BodyId left = bench.ball({-0.5 + hair, 0.5 - hair}, 0.5), right = bench.ball({0.5 - hair, 0.5 - hair}, 0.5);
        bench.ball({0.0, 0.5 + std::sqrt(0.75) - 10.0 * hair}, 0.5);
        const auto set = set_of(bench.world);
        ASSERT_EQ(set.contacts.size(), 5u);
        const double W = bench.mass(left) * g, psi = pi / 6.0;
        const auto touch = explore::contacts_between(set, bench.world.index_of(left), bench.world.index_of(right));
        const auto range = explore::bounds(set, explore::normal_force(set, touch, ""));
        ASSERT_TRUE(range.is_bounded());
        EXPECT_NEAR(range.least.value, 0.0, exact * W);
        const double X = 0.5 * W * std::tan(psi - std::atan(mu));
        EXPECT_NEAR(range.greatest.value, 0.5 * W * std::sin(psi) - (1.0 + std::cos(psi)) * X, 1e-9 * W);
    }
}

template <int Dim>
void expect_thresholds(int n) {
    const double balls = std::tan(0.5 * BallStack<Dim>(n, 1.0, 1.0).psi), ground = balls / (n + 1);
    const auto stand = [&](double a, double b) { BallStack<Dim> s(n, a, b); return stands(s.world); };
    EXPECT_TRUE(stand(1.01 * balls, 1.0));
    EXPECT_FALSE(stand(0.99 * balls, 1.0));
    EXPECT_TRUE(stand(1.0, 1.01 * ground));
    EXPECT_FALSE(stand(1.0, 0.99 * ground));
    EXPECT_TRUE(stand(1.001 * balls, 1.001 * ground));  // the two do not interact
}

TEST(EquilibriumForces, ExistAboveTheThresholdsOfSmallStacksOnly) {
    expect_thresholds<2>(2);
    expect_thresholds<3>(3);
    expect_thresholds<3>(4);
}

// --- a wall of twenty blocks ----------------------------------------------------------------------------------------

TEST(EquilibriumForces, OfATwentyBlockWallHoldWhatIsSampled) {
    Bench<2> bench(masonry_settings<2>(1e-3, 1e-11), {"coulomb", 0.6, 0.0, 0.0});
    const BodyId floor = bench.floor();
    const auto blocks = add_wall(bench, 4, 5, 0.2, 0.1);
    ASSERT_EQ(blocks.size(), 22u);
    auto set = set_of(bench.world);
    double weight = 0.0;
    for (const BodyId id : blocks) weight += bench.mass(id) * g;
    const std::size_t ground = bench.world.index_of(floor);
    std::vector<explore::Quantity> quantities;
    for (const std::size_t k : {0, 1, 2, 3}) quantities.push_back(explore::total_force(set, bench.world.index_of(blocks[k]), 1, "block"));
    for (std::size_t k = 0; k < 4; ++k)
        quantities.push_back(explore::normal_force(set, explore::contacts_between(set, bench.world.index_of(blocks[k]), ground), "base"));
    quantities.push_back(explore::total_force(set, ground, 1, "all"));
    std::vector<explore::Range> ranges;
    for (const auto& q : quantities) ranges.push_back(explore::bounds(set, q));
    for (const auto& r : ranges) {
        ASSERT_TRUE(r.is_bounded());
        expect_in_set(set, r.least.forces, 1e-8);
    }
    EXPECT_NEAR(ranges.back().least.value, -weight, exact * weight);
    EXPECT_NEAR(ranges.back().greatest.value, -weight, exact * weight);
    EXPECT_GT(ranges[4].greatest.value - ranges[4].least.value, 0.1 * set.unit) << "a wall is hyperstatic";
    explore::SampleSettings settings;
    settings.range = 5.0;
    int stay = 0;
    for (int k = 0; k < 20; ++k) {
        settings.random_order = k % 2 == 1;
        const auto sample = explore::draw_sample(set, bench.world, settings, k);
        if (sample.outcome != Outcome::stays) continue;
        ++stay;
        for (std::size_t m = 0; m < quantities.size(); ++m) {
            const double value = quantities[m].weights.dot(sample.forces);
            EXPECT_GE(value, ranges[m].least.value - 1e-6 * weight);
            EXPECT_LE(value, ranges[m].greatest.value + 1e-6 * weight);
        }
    }
    EXPECT_EQ(stay, 20) << "a wall on flat ground stays whatever the start";
}

// --- arches, B14 ----------------------------------------------------------------------------------------------------

struct Arch {
    Bench<2> bench;
    BodyId floor;
    std::vector<BodyId> blocks;
    Arch(int voussoirs, double thickness, double mu = 0.8) : bench(masonry_settings<2>(1e-3, 1e-3), {"coulomb", mu, 0.0, 0.0}) {
        floor = bench.floor();
        blocks = add_arch(bench, voussoirs, thickness);
    }
};

SolverSettings hasty() {
    SolverSettings s;  // only the geometry is wanted
    s.max_sweeps = 1;
    return s;
}

/// The table of B14 is for voussoirs with round faces, the blocks here have plane ones between the same joints. This puts the
/// weight of the round ones, along `direction`, where their centres are.
Eigen::VectorXd sector_weights(const explore::ForceSet<2>& set, const Arch& arch, double thickness, const Vec<2>& direction) {
    const auto n = static_cast<double>(arch.blocks.size());
    const double low = 1.0 - 0.5 * thickness, high = 1.0 + 0.5 * thickness, angle = pi / n;
    const double area = 0.5 * angle * (high * high - low * low), density = 2000.0;
    const double radius = 2.0 / 3.0 * (std::pow(high, 3) - std::pow(low, 3)) / (high * high - low * low) * std::sin(angle / 2) / (angle / 2);
    Eigen::VectorXd load = Eigen::VectorXd::Zero(set.load.size());
    for (std::size_t r = 0; r < set.rows.size(); ++r) {
        const auto& row = set.rows[r];
        const double k = static_cast<double>(std::find(arch.blocks.begin(), arch.blocks.end(), arch.bench.world.ids()[row.body]) - arch.blocks.begin());
        const Vec<2> centre = radius * Vec<2>(std::cos((k + 0.5) * angle), std::sin((k + 0.5) * angle));
        const Vec<2> arm = centre - arch.bench.world.positions()[row.body], force = density * area * g * direction;
        const double torque = arm[0] * force[1] - arm[1] * force[0];
        load[static_cast<Eigen::Index>(r)] = row.freedom < 2 ? force[row.freedom] : torque / row.arm;
    }
    return load;
}

explore::ForceSet<2> set_of(Arch& arch, double thickness) {
    auto set = explore::force_set(arch.bench.world, hasty());
    set.load = sector_weights(set, arch, thickness, {0.0, -1.0});
    return set;
}

TEST(Arch, StandsFromItsLeastThicknessOn) {
    struct Case { int n; double least; };
    for (const Case c : {Case{9, 0.10213}, Case{15, 0.10627}, Case{21, 0.10679}, Case{51, 0.10737}})
        for (const double part : {0.999, 1.001}) {
            Arch arch(c.n, part * c.least);
            const auto found = explore::find_equilibrium(set_of(arch, part * c.least), arch.bench.world.size());
            EXPECT_EQ(found.kind, part > 1.0 ? explore::Existence<2>::Kind::some : explore::Existence<2>::Kind::none)
                << c.n << " voussoirs, " << part << " of the least thickness";
        }
}

TEST(Arch, NeedsFrictionToStand) {
    // Below 0.309 no thickness stands (N = 21); at 0.35 it takes 0.1495; from 0.395 on friction does not matter.
    const auto stand = [](double thickness, double mu) {
        Arch arch(21, thickness, mu);
        return explore::find_equilibrium(set_of(arch, thickness), arch.bench.world.size()).kind ==
               explore::Existence<2>::Kind::some;
    };
    EXPECT_FALSE(stand(0.4, 0.300));
    EXPECT_TRUE(stand(1.005 * 0.1495, 0.35));
    EXPECT_FALSE(stand(0.995 * 0.1495, 0.35));
    EXPECT_TRUE(stand(1.005 * 0.10679, 0.40));
}

TEST(Arch, CollapsesAtItsCriticalAcceleration) {
    struct Case { int n; double thickness, critical; };
    for (const Case c : {Case{15, 0.15, 0.1498}, Case{15, 0.20, 0.2856}, Case{21, 0.12, 0.0486}}) {
        Arch arch(c.n, c.thickness);
        const auto round = set_of(arch, c.thickness);
        const auto critical = explore::collapse(round, {"x", sector_weights(round, arch, c.thickness, {1.0, 0.0}), "g"}, arch.bench.world.size());
        ASSERT_EQ(critical.greatest.kind, BoundKind::attained);
        EXPECT_NEAR(critical.greatest.multiplier, c.critical, 1e-3 * c.critical) << c.n << " voussoirs, " << c.thickness;
        const auto set = explore::force_set(arch.bench.world, hasty());
        const auto limits = explore::collapse(set, explore::body_force<2>(set, arch.bench.world, {1.0, 0.0}, "x"), arch.bench.world.size());
        ASSERT_EQ(limits.greatest.kind, BoundKind::attained);
        EXPECT_NEAR(limits.greatest.multiplier, c.critical, 0.01 * c.critical) << "plane faces weigh a little less outside";
        EXPECT_NEAR(limits.least.multiplier, -limits.greatest.multiplier, 1e-8);   // mirror symmetry
        // The mechanism: work of the weights and of the load cancel, no contact resists.
        double work = 0.0, resisted = 0.0;
        for (const BodyId id : arch.blocks) {
            const std::size_t i = arch.bench.world.index_of(id);
            const Vec<2>& v = limits.greatest.mechanism.velocity[i];
            work += arch.bench.mass(id) * g * (limits.greatest.multiplier * v[0] - v[1]);
            resisted += arch.bench.mass(id) * g * std::abs(v[1]);
        }
        EXPECT_LT(std::abs(work), 1e-7 * resisted);
    }
}

TEST(Arch, ThrustIsBoundedOnBothSides) {
    Arch arch(15, 0.15);
    const auto set = explore::force_set(arch.bench.world, hasty());
    explore::Cut<2> crown;
    crown.normal = {1.0, 0.0};
    crown.point = {0.02, 0.0};   // between the keystone and its neighbour
    const auto thrust = explore::bounds(set, explore::cut_force<2>(set, arch.bench.world, crown, {1.0, 0.0}, "thrust"));
    ASSERT_TRUE(thrust.is_bounded());
    EXPECT_GT(thrust.least.value, 0.0);
    EXPECT_GT(thrust.greatest.value, 1.05 * thrust.least.value);
    // A thin arch has next to no choice left.
    Arch thin(15, 1.002 * 0.10627);
    const auto thin_set = explore::force_set(thin.bench.world, hasty());
    const auto narrow = explore::bounds(thin_set, explore::cut_force<2>(thin_set, thin.bench.world, crown, {1.0, 0.0}, "thrust"));
    ASSERT_TRUE(narrow.is_bounded());
    EXPECT_LT(narrow.greatest.value - narrow.least.value, 0.02 * narrow.least.value);
}

// --- limit loads ----------------------------------------------------------------------------------------------------

TEST(Collapse, OfABlockIsSlidingOrTipping) {
    for (const double mu : {0.2, 0.4}) {   // 0.5 wide, 2 high: tips at a/g = 0.25, slides at mu
        Bench<2> bench(masonry_settings<2>(1e-3, 1e-6), {"coulomb", mu, 0.0, 0.0});
        bench.floor();
        const BodyId block = add_block<2>(bench, rectangle(0.5, 2.0), {0.0, 1.0});
        const auto set = explore::force_set(bench.world, hasty());
        const auto limits = explore::collapse(set, explore::body_force<2>(set, bench.world, {1.0, 0.0}, "x"), bench.world.size());
        EXPECT_NEAR(limits.greatest.multiplier, std::min(mu, 0.25), exact);
        const auto push = explore::collapse(set, explore::point_force(set, bench.world.index_of(block), 0, 1.0, "push"), bench.world.size());
        EXPECT_NEAR(push.greatest.multiplier, std::min(mu, 0.25) * bench.mass(block) * g, exact * bench.mass(block) * g);
        const auto lift = explore::collapse(set, explore::point_force(set, bench.world.index_of(block), 1, 1.0, "lift"), bench.world.size());
        EXPECT_NEAR(lift.greatest.multiplier, bench.mass(block) * g, exact * bench.mass(block) * g);
        EXPECT_EQ(lift.least.kind, BoundKind::unbounded);  // pressed down it stands under any force
    }
}

TEST(Collapse, OfACubeIsTheSameInAllDirections) {
    // A cube on a plane, pushed at its centre in any horizontal direction: slides at mu, the cone is round.
    Bench<3> bench(masonry_settings<3>(1e-3, 1e-6), {"coulomb", 0.3, 0.0, 0.0});
    bench.floor();
    add_block<3>(bench, {"box", {1.0, 1.0, 1.0}}, {0.0, 0.0, 0.5});
    const auto set = explore::force_set(bench.world, hasty());
    for (const double angle : {0.0, 0.3, 1.0, 2.2}) {
        const Vec<3> d(std::cos(angle), std::sin(angle), 0.0);
        const auto limits = explore::collapse(set, explore::body_force<3>(set, bench.world, d, "push"), bench.world.size());
        EXPECT_NEAR(limits.greatest.multiplier, 0.3, exact);
    }
}

// --- the picture of the set -----------------------------------------------------------------------------------------

TEST(Projection, OfABlockOnTwoCornersIsASegment) {
    // Each corner carries W/2; their frictions are opposite and at most mu W/2.
    Bench<2> bench(masonry_settings<2>(1e-3, 1e-6), {"coulomb", 0.5, 0.0, 0.0});
    bench.floor();
    const BodyId block = add_block<2>(bench, rectangle(1.0, 1.0), {0.0, 0.5});
    const auto set = explore::force_set(bench.world, hasty());
    ASSERT_EQ(set.contacts.size(), 2u);
    const double W = bench.mass(block) * g;
    const auto t1 = explore::tangential_force(set, {0}, "t1"), t2 = explore::tangential_force(set, {1}, "t2");
    const auto seen = explore::project(set, t1, t2, {-W, W, -W, W});
    ASSERT_EQ(seen.x.size(), 2u);
    for (std::size_t k = 0; k < 2; ++k) {
        EXPECT_NEAR(std::abs(seen.x[k]), 0.25 * W, 1e-8 * W);
        EXPECT_NEAR(seen.y[k], -seen.x[k], 1e-8 * W);
    }
}

TEST(Projection, IsCutOffAtTheWindow) {
    Bar b;
    const auto set = set_of(b.bench.world);
    const auto x = explore::total_force(set, b.index(b.right), 0, "x"), y = explore::total_force(set, b.index(b.left), 0, "y");
    const auto seen = explore::project(set, x, y, {0.0, 100.0, -100.0, 0.0});
    const double least = explore::bounds(set, x).least.value;
    ASSERT_EQ(seen.x.size(), 2u);
    EXPECT_NEAR(std::min(seen.x[0], seen.x[1]), least, 1e-7);
    EXPECT_NEAR(std::max(seen.x[0], seen.x[1]), 100.0, 1e-7);
}

TEST(Projection, OfACubeOnFourCornersIsRound) {
    // Total friction of a cube under its weight is zero; one corner's friction seen along both tangents lies in a disk.
    Bench<3> bench(masonry_settings<3>(1e-3, 1e-6), {"coulomb", 0.3, 0.0, 0.0});
    bench.floor();
    add_block<3>(bench, {"box", {1.0, 1.0, 1.0}}, {0.0, 0.0, 0.5});
    const auto set = explore::force_set(bench.world, hasty());
    ASSERT_EQ(set.contacts.size(), 4u);
    explore::Quantity tx = explore::tangential_force(set, {0}, "t1"), ty = tx;
    ty.weights.setZero();
    ty.weights[2] = 1.0;
    const auto seen = explore::project(set, tx, ty, {-set.unit, set.unit, -set.unit, set.unit}, 64, 1e-4);
    ASSERT_GT(seen.x.size(), 12u);
    double widest = 0.0, narrowest = 1e300;
    for (std::size_t k = 0; k < seen.x.size(); ++k) {
        widest = std::max(widest, std::hypot(seen.x[k], seen.y[k]));
        narrowest = std::min(narrowest, std::hypot(seen.x[k], seen.y[k]));
    }
    // The corner opposite must balance it with as much normal force at most W/2 between them: radius mu W/2 at most.
    EXPECT_LE(widest, 0.3 * 0.5 * set.unit + 1e-8 * set.unit);
    EXPECT_GT(narrowest, 0.1 * widest);
}

}  // namespace
}  // namespace talus::test

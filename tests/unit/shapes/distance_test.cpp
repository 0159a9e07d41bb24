// The gap between a ball and each boundary shape is the distance of its centre to the nearest point of the
// shape's surface, minus its radius; the normal points from that point to the centre. Nearest points are
// found by searching the surface itself, patch by patch, with a grid that shrinks around the best point.
#include <functional>

#include "../../physics/testbed.h"

namespace talus::test {
namespace {

/// A piece of surface over the unit square (the unit interval in 2D: v is not used).
template <int Dim>
using Patch = std::function<Vec<Dim>(double u, double v)>;

template <int Dim>
double distance_to_patch(const Patch<Dim>& patch, const Vec<Dim>& p) {
    double best = std::numeric_limits<double>::infinity(), bu = 0.5, bv = 0.5, reach = 0.5;
    const int n = 24, rows = Dim == 3 ? n : 0;
    for (int round = 0; round < 30; ++round) {
        double nu = bu, nv = bv;
        for (int i = 0; i <= n; ++i)
            for (int j = 0; j <= rows; ++j) {
                const double u = std::clamp(bu + reach * (2.0 * i / n - 1.0), 0.0, 1.0);
                const double v = rows == 0 ? 0.5 : std::clamp(bv + reach * (2.0 * j / n - 1.0), 0.0, 1.0);
                const double d = (patch(u, v) - p).norm();
                if (d < best) best = d, nu = u, nv = v;
            }
        bu = nu;
        bv = nv;
        reach *= 0.4;
    }
    return best;
}

template <int Dim>
struct ShapeCase {
    ShapeSpec spec;
    std::vector<Patch<Dim>> patches;
    std::function<bool(const Vec<Dim>&)> is_free;  // the centre lies outside the solid
    double reach;                                  // centres are drawn in a cube of this half side
};

template <int Dim>
Vec<Dim> at(double x, double y, double z) {
    Vec<Dim> p;
    p[0] = x;
    p[1] = y;
    if constexpr (Dim == 3) p[2] = z;
    return p;
}

/// The faces of a box of given sides.
template <int Dim>
std::vector<Patch<Dim>> faces(const std::vector<double>& sides) {
    std::vector<Patch<Dim>> out;
    for (int k = 0; k < Dim; ++k)
        for (const double sign : {-1.0, 1.0})
            out.push_back([=](double u, double v) {
                Vec<Dim> p;
                p[k] = 0.5 * sign * sides[k];
                p[(k + 1) % Dim] = (u - 0.5) * sides[(k + 1) % Dim];
                if (Dim == 3) p[(k + 2) % Dim] = (v - 0.5) * sides[(k + 2) % Dim];
                return p;
            });
    return out;
}

template <int Dim>
Patch<Dim> round_patch(double radius) {
    return [=](double u, double v) {
        const double a = 2.0 * pi * u, c = Dim == 3 ? std::sin(pi * v) : 1.0;
        return at<Dim>(radius * c * std::cos(a), radius * c * std::sin(a), radius * std::cos(pi * v));
    };
}

/// Side of a cone frustum (a cylinder when the radii are equal) about z.
Patch<3> side_patch(double lower, double upper, double height) {
    return [=](double u, double v) {
        const double r = lower + v * (upper - lower), a = 2.0 * pi * u;
        return Vec<3>(r * std::cos(a), r * std::sin(a), (v - 0.5) * height);
    };
}
Patch<3> disk_patch(double radius, double z) {
    return [=](double u, double v) {
        const double a = 2.0 * pi * u;
        return Vec<3>(radius * v * std::cos(a), radius * v * std::sin(a), z);
    };
}

template <int Dim>
bool inside_box(const Vec<Dim>& p, const std::vector<double>& sides) {
    for (int k = 0; k < Dim; ++k)
        if (std::abs(p[k]) > 0.5 * sides[k]) return false;
    return true;
}

template <int Dim>
std::vector<ShapeCase<Dim>> cases() {
    const std::vector<double> sides = Dim == 3 ? std::vector<double>{2.0, 3.0, 1.5} : std::vector<double>{2.0, 3.0};
    std::vector<ShapeCase<Dim>> out;
    out.push_back({{"box", sides}, faces<Dim>(sides), [=](const Vec<Dim>& p) { return !inside_box<Dim>(p, sides); }, 3.0});
    out.push_back({{"box_inside", sides}, faces<Dim>(sides), [=](const Vec<Dim>& p) { return inside_box<Dim>(p, sides); }, 1.5});
    out.push_back({{"ball_inside", {1.3}}, {round_patch<Dim>(1.3)}, [](const Vec<Dim>& p) { return p.norm() < 1.3; }, 1.3});
    if constexpr (Dim == 2) {
        out.push_back({{"segment", {2.4}}, {[](double u, double) { return Vec<2>((u - 0.5) * 2.4, 0.0); }},
                       [](const Vec<2>&) { return true; }, 2.5});
    } else {
        out.push_back({{"plate", {2.4, 1.0}},
                       {[](double u, double v) { return Vec<3>((u - 0.5) * 2.4, (v - 0.5) * 1.0, 0.0); }},
                       [](const Vec<3>&) { return true; }, 2.5});
        out.push_back({{"cylinder_inside", {1.2, 2.0}},
                       {side_patch(1.2, 1.2, 2.0), disk_patch(1.2, -1.0), disk_patch(1.2, 1.0)},
                       [](const Vec<3>& p) { return std::hypot(p[0], p[1]) < 1.2 && std::abs(p[2]) < 1.0; }, 1.2});
    }
    return out;
}

template <int Dim>
World<Dim> world_with(const ShapeSpec& shape, const Vec<Dim>& position, const Rotation<Dim>& rotation) {
    World<Dim> world(exact_settings<Dim>(1e-9, 0.0));
    const MaterialId m = world.add_material("m");
    world.set_law(m, m, {"coulomb", 0.3, 0.0, 0.0});
    BoundarySpec<Dim> spec;
    spec.shape = shape;
    spec.position = position;
    spec.rotation = rotation;
    spec.material = m;
    world.add_boundary(spec);
    return world;
}

Rotation<2> turned(double a, InPlane) { return {a}; }
Rotation<3> turned(double a, InSpace) {
    Rotation<3> r;
    r.q = Eigen::AngleAxisd(a, Vec<3>(1.0, -2.0, 0.5).normalized());
    return r;
}
Vec<2> apply(const Rotation<2>& r, const Vec<2>& p) { return Eigen::Rotation2Dd(r.angle) * p; }
Vec<3> apply(const Rotation<3>& r, const Vec<3>& p) { return r.q * p; }

template <class D>
class Distance : public ::testing::Test {};
TYPED_TEST_SUITE(Distance, BothDimensions);

TYPED_TEST(Distance, IsThatOfTheNearestPointOfTheSurface) {
    constexpr int Dim = TypeParam::value;
    Random random(91);
    for (const ShapeCase<Dim>& shape : cases<Dim>())
        for (int trial = 0; trial < 25; ++trial) {
            const Vec<Dim> local = random.vector<Dim>(-shape.reach, shape.reach), where = random.vector<Dim>(-5, 5);
            if (!shape.is_free(local)) continue;
            const Rotation<Dim> rotation = turned(random.uniform(-3, 3), TypeParam{});
            double expected = std::numeric_limits<double>::infinity();
            for (const Patch<Dim>& patch : shape.patches) expected = std::min(expected, distance_to_patch<Dim>(patch, local));
            const World<Dim> world = world_with<Dim>(shape.spec, where, rotation);
            const double r = random.uniform(0.01, 0.2);
            // The search ends on a grid of 1e-12; a minimum on an edge of the patch is found exactly.
            EXPECT_NEAR(world.clearance(where + apply(rotation, local), r), expected - r, 1e-7)
                << shape.spec.name << " at " << local.transpose();
        }
}

TYPED_TEST(Distance, OfAPlaneIsTheHeightAboveIt) {
    constexpr int Dim = TypeParam::value;
    Random random(92);
    for (int trial = 0; trial < 20; ++trial) {
        const Vec<Dim> n = random.direction<Dim>(), where = random.vector<Dim>(-5, 5), p = random.vector<Dim>(-5, 5);
        const World<Dim> world = world_with<Dim>({"plane", {n.data(), n.data() + Dim}}, where, {});
        EXPECT_NEAR(world.clearance(p, 0.3), n.dot(p - where) - 0.3, 1e-12);
    }
}

TYPED_TEST(Distance, AndNormalOfContactsAgree) {
    // The contact that a step finds has the gap of the closest point and a normal along which it opens.
    constexpr int Dim = TypeParam::value;
    Random random(93);
    for (const ShapeCase<Dim>& shape : cases<Dim>()) {
        int seen = 0;
        for (int trial = 0; trial < 400 && seen < 25; ++trial) {
            const Vec<Dim> local = random.vector<Dim>(-shape.reach, shape.reach);
            if (!shape.is_free(local)) continue;
            const Rotation<Dim> rotation = turned(random.uniform(-3, 3), TypeParam{});
            World<Dim> world = world_with<Dim>(shape.spec, Vec<Dim>::Zero(), rotation);
            const Vec<Dim> centre = apply(rotation, local);
            const double r = world.clearance(centre, 0.0) + 1e-3;  // overlaps by a millimetre
            BallSpec<Dim> ball;
            ball.position = centre;
            ball.radius = r;
            ball.mass = 1.0;
            world.add_ball(ball);
            world.step();
            const auto contacts = world.contacts();
            ASSERT_GE(contacts.size(), 1u) << shape.spec.name;
            if (contacts.size() > 1) continue;  // in a corner: each face has its own
            ++seen;
            const Contact<Dim>& c = contacts[0];
            EXPECT_NEAR(c.gap, -1e-3, 1e-12) << shape.spec.name;
            EXPECT_NEAR(c.normal.norm(), 1.0, 1e-12);
            EXPECT_LT((c.point - (centre - r * c.normal)).norm(), 1e-9) << shape.spec.name;  // on the surface of a
            const World<Dim> empty = world_with<Dim>(shape.spec, Vec<Dim>::Zero(), rotation);
            for (int k = 0; k < Dim; ++k) {  // the normal is the gradient of the gap
                const double d = 1e-5;
                const double slope = (empty.clearance(centre + d * axis<Dim>(k), 0.0) - empty.clearance(centre - d * axis<Dim>(k), 0.0)) / (2 * d);
                EXPECT_NEAR(c.normal[k], slope, 1e-4) << shape.spec.name;
            }
        }
        EXPECT_GE(seen, 10) << shape.spec.name;
    }
}

TEST(DistanceToACone, IsThatOfItsSideForABallWithin) {
    // Lower radius 0.5 at z = 0, upper 1.5 at z = 1: sides at 45 degrees.
    Random random(94);
    const Patch<3> centred = side_patch(0.5, 1.5, 1.0);
    const Patch<3> side = [&](double u, double v) -> Vec<3> { return centred(u, v) + Vec<3>(0, 0, 0.5); };
    for (int trial = 0; trial < 40; ++trial) {
        const double z = random.uniform(0.3, 0.8), a = random.uniform(0, 2 * pi);
        const double rho = random.uniform(0.2, 0.95) * (0.5 + z);
        const Vec<3> p(rho * std::cos(a), rho * std::sin(a), z);
        const World<3> world = world_with<3>({"cone_inside", {0.5, 1.5, 1.0}}, Vec<3>::Zero(), {});
        EXPECT_NEAR(world.clearance(p, 0.01), distance_to_patch<3>(side, p) - 0.01, 1e-7) << p.transpose();
    }
}

TYPED_TEST(Distance, OfABoxWithoutEndHasNoFacesThere) {
    constexpr int Dim = TypeParam::value;
    std::vector<double> sides(Dim, 2.0);
    sides[0] = std::numeric_limits<double>::infinity();
    const World<Dim> world = world_with<Dim>({"box_inside", sides}, Vec<Dim>::Zero(), {});
    EXPECT_NEAR(world.clearance(1e6 * axis<Dim>(0) + 0.4 * axis<Dim>(1), 0.1), 0.5, 1e-9);
}

TYPED_TEST(Distance, InACornerEveryFaceHasItsContactAndKeepsItsKey) {
    constexpr int Dim = TypeParam::value;
    World<Dim> world = world_with<Dim>({"box_inside", std::vector<double>(Dim, 2.0)}, Vec<Dim>::Zero(), {});
    BallSpec<Dim> ball;
    ball.radius = 0.3;
    ball.mass = 1.0;
    ball.position = Vec<Dim>::Constant(-0.701);
    const BodyId id = world.add_ball(ball);
    std::vector<std::uint32_t> keys;
    for (int i = 0; i < 20; ++i) {
        world.set_velocity(id, 1e5 * (i % 2 ? -1.0 : 1.0) * axis<Dim>(0), Spin<Dim>::Zero());  // to and fro by a tenth of a millimetre
        world.step();
        std::vector<std::uint32_t> now;
        for (const Contact<Dim>& c : world.contacts()) now.push_back(c.feature);
        std::sort(now.begin(), now.end());
        ASSERT_EQ(now.size(), static_cast<std::size_t>(Dim)) << i;
        EXPECT_EQ(std::adjacent_find(now.begin(), now.end()), now.end());
        if (i > 0) {
            EXPECT_EQ(now, keys);
        }
        keys = now;
    }
}

}  // namespace
}  // namespace talus::test

// Rigid kinematics: the same statements in the plane and in space.
#include "math/rotation.h"

#include "../../physics/testbed.h"
#include "math/frame.h"
#include "math/tangent.h"

namespace talus::test {
namespace {

template <class D>
class Kinematics : public ::testing::Test {};
TYPED_TEST_SUITE(Kinematics, BothDimensions);

TYPED_TEST(Kinematics, FramesAreOrthonormalForEveryNormal) {
    constexpr int Dim = TypeParam::value;
    Random random(111);
    std::vector<Vec<Dim>> normals;
    for (int k = 0; k < Dim; ++k) normals.insert(normals.end(), {axis<Dim>(k), -axis<Dim>(k)});
    for (int i = 0; i < 500; ++i) normals.push_back(random.direction<Dim>());
    for (const Vec<Dim>& n : normals) {
        const Mat<Dim> e = frame_of<Dim>(n);
        EXPECT_EQ(Vec<Dim>(e.row(0).transpose()), n);
        EXPECT_LT((e * e.transpose() - Mat<Dim>::Identity()).norm(), 1e-14);
        EXPECT_NEAR(e.determinant(), 1.0, 1e-14);
    }
}

TYPED_TEST(Kinematics, ACarriedTangentKeepsItsLengthAndItsPlace) {
    constexpr int Dim = TypeParam::value;
    Random random(112);
    for (int i = 0; i < 200; ++i) {
        const Vec<Dim> from = random.direction<Dim>(), to = (from + random.vector<Dim>(-0.5, 0.5)).normalized();
        Vec<Dim> t = random.vector<Dim>(-1, 1);
        t -= t.dot(from) * from;
        const Vec<Dim> carried = carry_tangent<Dim>(t, from, to);
        EXPECT_NEAR(carried.norm(), t.norm(), 1e-14);
        EXPECT_NEAR(carried.dot(to), 0.0, 1e-14);
    }
}

TYPED_TEST(Kinematics, PowerOfAForceIsThatOfItsMoment) {
    constexpr int Dim = TypeParam::value;
    Random random(113);
    for (int i = 0; i < 100; ++i) {
        const Vec<Dim> r = random.vector<Dim>(-1, 1), f = random.vector<Dim>(-1, 1);
        const Spin<Dim> w = random.spin<Dim>(2.0);
        const double power = spin_cross<Dim>(w, r).dot(f), turning = w.dot(moment<Dim>(r, f));
        EXPECT_NEAR(power, turning, 1e-14);
    }
}

TYPED_TEST(Kinematics, TurningInSmallStepsAddsUp) {
    constexpr int Dim = TypeParam::value;
    Spin<Dim> w = Spin<Dim>::Zero();
    w[spin_size<Dim> - 1] = 1.3;  // about z
    Rotation<Dim> r;
    for (int i = 0; i < 1000; ++i) r = advance<Dim>(r, w, 1e-3);
    const Vec<Dim> x = matrix_of<Dim>(r) * axis<Dim>(0);
    EXPECT_NEAR(x[0], std::cos(1.3), 1e-13);
    EXPECT_NEAR(x[1], std::sin(1.3), 1e-13);
}

TYPED_TEST(Kinematics, TheSlipOfTwoBallsIsThatOfTheirSurfaces) {
    constexpr int Dim = TypeParam::value;
    Random random(114);
    for (int i = 0; i < 100; ++i) {
        const Vec<Dim> n = random.direction<Dim>(), va = random.vector<Dim>(-1, 1), vb = random.vector<Dim>(-1, 1);
        const Spin<Dim> wa = random.spin<Dim>(2.0), wb = random.spin<Dim>(2.0);
        const double ra = 0.3, rb = 0.7;
        const Vec<Dim> u = va + cross(wa, Vec<Dim>(-ra * n)) - vb - cross(wb, Vec<Dim>(rb * n));
        const Vec<Dim> w = va - vb;
        const Vec<Dim> t = to_world(slip(w, w.dot(n), Spin<Dim>(ra * wa + rb * wb), n), n);
        EXPECT_LT((t - (u - u.dot(n) * n)).norm(), 1e-14);
    }
}

TEST(RotationInSpace, IsAccurateForSmallAndLargeTurns) {
    for (const double angle : {1e-12, 1e-6, 1e-3, 0.019, 0.021, 1.0, 3.0}) {
        const Vec<3> direction = Vec<3>(1.0, 2.0, -2.0) / 3.0;
        const Mat<3> expected = Eigen::AngleAxisd(angle, direction).toRotationMatrix();
        EXPECT_LT((matrix_of<3>(rotation_by<3>(angle * direction)) - expected).norm(), 1e-14) << angle;
    }
}

}  // namespace
}  // namespace talus::test

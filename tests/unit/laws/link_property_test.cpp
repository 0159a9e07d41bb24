// The wrench of one contact with couples, elliptic cones and static friction, over random states: operators of real
// bodies (one or two, lumpy ones too), any symmetric positive ones of condition up to 1e8, freedoms held, friction and
// couples from nothing to strong enough that they press the bodies together.
//
// The answer is judged by the words of the law alone. What it misses is a velocity, against |b| + |H| |S|.
#include "laws/link.h"

#include <sstream>

#include "../../physics/testbed.h"
#include "laws/local.h"
#include "math/frame.h"

namespace talus::test {
namespace {

constexpr double backward_error = 1e-13;

template <int Dim>
using Rows = typename LinkContact<Dim>::Rows;

/// How far a block (rows `first` to `end`) is from normality in the ellipse of semi-axes `bound` S_N, as a velocity.
template <int Dim>
double block_missed(const LinkContact<Dim>& c, const Rows<Dim>& U, const Rows<Dim>& S, int first, int end,
                    const std::array<double, 2>& bound) {
    const double weight = c.H.norm();
    double share = 0.0, out = 0.0, gradient = 0.0, along = 0.0, slip = 0.0;
    std::array<double, 2> normal{};
    for (int i = first; i < end; ++i) {
        const double limit = bound[i - first] * S[0];
        if (limit <= 0.0) {
            out += weight * std::abs(S[i]);  // no impulse without a bound; nothing is asked of the velocity
            continue;
        }
        share += (S[i] / limit) * (S[i] / limit);
        normal[i - first] = S[i] / (limit * bound[i - first]);  // of the ellipse, times S_N
        gradient += normal[i - first] * normal[i - first];
        slip += U[i] * U[i];
    }
    share = std::sqrt(share);
    slip = std::sqrt(slip);
    const double largest = std::max(bound[0], end - first > 1 ? bound[1] : 0.0) * S[0];
    out += weight * largest * std::max(0.0, share - 1.0);
    if (slip == 0.0) return out;
    // Inside nothing moves; on the rim the velocity is against the outer normal.
    const double inside = std::min(slip, weight * largest * std::max(0.0, 1.0 - share));
    if (gradient == 0.0) return out + slip;
    for (int i = first; i < end; ++i) along += U[i] * normal[i - first] / std::sqrt(gradient);
    double wrong = 0.0;
    for (int i = first; i < end; ++i)
        if (bound[i - first] * S[0] > 0.0) {
            const double d = U[i] - std::min(0.0, along) * normal[i - first] / std::sqrt(gradient);
            wrong += d * d;
        }
    return out + std::min(slip, inside + std::sqrt(wrong));
}

template <int Dim>
double missed(const LinkContact<Dim>& c, const Rows<Dim>& b, const Rows<Dim>& S) {
    const Rows<Dim> U = b + c.H * S;
    const double weight = c.H.norm();
    double miss = std::max(0.0, -U[0]) + weight * std::max(0.0, -S[0]) + std::min(std::abs(U[0]), weight * std::abs(S[0]));
    if (S[0] <= 0.0) return miss + weight * S.norm();
    const auto& law = c.law;
    const double scale = law.held ? law.mu_static / law.mu : 1.0;
    miss += block_missed<Dim>(c, U, S, 1, Dim, {scale * law.mu, scale * law.mu_second});
    if (c.rows == Dim) return miss + weight * S.tail(LinkContact<Dim>::size - Dim).norm();
    miss += block_missed<Dim>(c, U, S, Dim, 2 * Dim - 1, {law.rolling, law.rolling});
    return miss + block_missed<Dim>(c, U, S, 2 * Dim - 1, LinkContact<Dim>::size, {law.pivoting, law.pivoting});
}

template <int Dim>
class LinkStates {
public:
    explicit LinkStates(unsigned seed) : random_(seed) {}

    LinkContact<Dim> next(int kind, Rows<Dim>& b) {
        LinkContact<Dim> c;
        c.law.kind = LinkLaw::Kind::contact;
        c.rows = kind % 5 == 4 ? Dim : LinkContact<Dim>::size;
        for (int i = 0; i < LinkContact<Dim>::size; ++i) b[i] = random_.uniform(-1.0, 1.0);
        draw_law(c.law, kind);
        c.H = kind % 3 == 0 ? of_condition(std::pow(10.0, random_.uniform(0.0, 8.0))) : of_bodies(kind);
        if (kind == 7) b.tail(LinkContact<Dim>::size - 1).setZero();
        if (kind == 8) b[0] *= 1e-6;
        if (c.rows == Dim) {
            const Mat<Dim> H = c.H.template topLeftCorner<Dim, Dim>();
            c.H.setZero();
            c.H.template topLeftCorner<Dim, Dim>() = H;
            b.tail(LinkContact<Dim>::size - Dim).setZero();
        }
        return c;
    }
    Random& random() { return random_; }

private:
    void draw_law(LinkLaw& law, int kind) {
        law.mu = random_.uniform(0.0, 1.0);
        law.mu_second = Dim == 3 && kind % 2 == 0 ? random_.uniform(0.0, 1.0) : law.mu;
        law.held = kind % 4 == 1;
        law.mu_static = law.held ? law.mu * random_.uniform(1.0, 2.0) : law.mu;
        law.rolling = kind % 3 == 2 ? 0.0 : random_.uniform(0.0, 1.0);
        law.pivoting = kind % 4 == 3 ? 0.0 : random_.uniform(0.0, 1.0);
        if (kind == 5) law.rolling = std::pow(10.0, random_.uniform(-8.0, 2.0));
        if (kind == 6) law.mu = law.mu_second = law.mu_static = random_.uniform(0.0, 1.0) < 0.5 ? 0.0 : 20.0;
    }
    using Operator = Eigen::Matrix<double, LinkContact<Dim>::size, LinkContact<Dim>::size>;

    /// G A^-1 G* of two bodies that touch at random arms; for kind 9 some rotations held.
    Operator of_bodies(int kind) {
        Operator H = Operator::Zero();
        const Mat<Dim> frame = frame_of<Dim>(random_.template direction<Dim>());
        const int bodies = kind % 2 == 0 ? 1 : 2;
        for (int k = 0; k < bodies; ++k) {
            const double mass = random_.uniform(0.1, 2.0);
            Vec<Dim> arm = random_.template vector<Dim>(-1.0, 1.0);
            if (kind % 4 < 2) arm = -frame.row(0).transpose() * random_.uniform(0.1, 1.0);  // a ball
            Eigen::Matrix<double, LinkContact<Dim>::size, freedoms<Dim>> G = decltype(G)::Zero();
            G.template topLeftCorner<Dim, Dim>() = frame;
            G.template topRightCorner<Dim, spin_size<Dim>>() = angular_rows<Dim>(frame, arm);
            G.template bottomRightCorner<spin_size<Dim>, spin_size<Dim>>() = 0.5 * couple_axes<Dim>(frame);
            Eigen::Matrix<double, freedoms<Dim>, 1> inverse;
            inverse.template head<Dim>().setConstant(1.0 / mass);
            for (int i = Dim; i < freedoms<Dim>; ++i)
                inverse[i] = kind == 9 && random_.uniform(0.0, 1.0) < 0.5 ? 0.0 : 1.0 / (mass * random_.uniform(0.1, 0.5));
            H += G * inverse.asDiagonal() * G.transpose();
        }
        return 0.5 * (H + H.transpose());
    }
    Operator of_condition(double condition) {
        Operator H = Operator::Zero();
        for (int k = 0; k < LinkContact<Dim>::size; ++k) {
            Rows<Dim> v;
            for (int i = 0; i < LinkContact<Dim>::size; ++i) v[i] = random_.uniform(-1.0, 1.0);
            H += std::pow(condition, -random_.uniform(0.0, 1.0)) * v * v.transpose();
        }
        return H;
    }
    Random random_;
};

template <class D>
class LinkProperty : public ::testing::Test {};
TYPED_TEST_SUITE(LinkProperty, BothDimensions);

TYPED_TEST(LinkProperty, TheLawHoldsInAHundredThousandStates) {
    constexpr int Dim = TypeParam::value;
    LinkStates<Dim> states(71);
    int pressed = 0;
    for (int trial = 0; trial < 100000; ++trial) {
        Rows<Dim> b;
        LinkContact<Dim> c = states.next(trial % 10, b);
        const Rows<Dim> S = solve_link(c, b);
        pressed += S[0] > 0.0;
        const auto tell = [&] {
            std::ostringstream text;
            text.precision(17);
            text << "trial " << trial << "\nH\n" << c.H << "\nb " << b.transpose() << "\nS " << S.transpose() << "\nlaw "
                 << c.law.mu << " " << c.law.mu_second << " " << c.law.mu_static << " " << c.law.rolling << " " << c.law.pivoting
                 << "\nU " << (b + c.H * S).transpose();
            return text.str();
        };
        ASSERT_TRUE(S.allFinite()) << tell();
        ASSERT_LE(missed<Dim>(c, b, S), backward_error * (b.norm() + c.H.norm() * S.norm())) << tell();
        if (b[0] >= 0.0) { ASSERT_TRUE(S.isZero(0.0)) << tell(); }
    }
    EXPECT_GT(pressed, 40000);
}

TYPED_TEST(LinkProperty, TheStartDoesNotMatter) {
    constexpr int Dim = TypeParam::value;
    LinkStates<Dim> states(72);
    for (int trial = 0; trial < 20000; ++trial) {
        Rows<Dim> b;
        LinkContact<Dim> c = states.next(std::array{1, 2, 4, 5, 7, 8}[trial % 6], b);  // operators of bodies
        const Rows<Dim> cold = solve_link(c, b);
        for (int i = 0; i < LinkContact<Dim>::size; ++i) c.S[i] = states.random().uniform(-1.0, 1.0);
        const Rows<Dim> warm = solve_link(c, b);
        ASSERT_LE((c.H * (cold - warm)).norm(), 1e-10 * (b.norm() + c.H.norm() * cold.norm())) << "trial " << trial;
    }
}

TYPED_TEST(LinkProperty, WithoutCouplesAndWithOneCoefficientItIsCoulombsLaw) {
    // The same as the solution of plain contacts, which follows the same rule where there are several.
    constexpr int Dim = TypeParam::value;
    LinkStates<Dim> states(73);
    int compared = 0;
    for (int trial = 0; trial < 20000; ++trial) {
        Rows<Dim> b;
        LinkContact<Dim> c = states.next(4, b);
        c.law.mu_static = c.law.mu_second = c.law.mu;
        const Rows<Dim> S = solve_link(c, b);
        const Mat<Dim> H = c.H.template topLeftCorner<Dim, Dim>();
        const Vec<Dim> plain = solve_full_contact(H, Vec<Dim>(b.template head<Dim>()), c.law.mu);
        ASSERT_LE((H * (plain - S.template head<Dim>())).norm(), 1e-11 * (b.norm() + H.norm() * plain.norm())) << "trial " << trial;
        compared += S[0] > 0.0;
    }
    EXPECT_GT(compared, 5000);
}

}  // namespace
}  // namespace talus::test

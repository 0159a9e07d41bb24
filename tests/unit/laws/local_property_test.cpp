// The impulse of one contact with full H, over millions of random states: ordinary contacts, operators of
// condition up to 1e12, freedoms held (H singular), states within rounding of the edge between sticking and
// sliding, slides with many digits between normal and tangential velocity, friction from 0 to 1e8, and operators
// for which friction presses the bodies together (the frictional catastrophe).
//
// The answer is judged by the words of the law alone. What it misses is measured as a velocity against
// |b| + |H| |S|, the size of what is added up: a bound of some dozen roundings there means that the answer is
// exact for a contact that differs from the given one in its last digits, whatever the condition of H.
#include "laws/local.h"

#include <Eigen/Dense>
#include <sstream>

#include "../../physics/testbed.h"

namespace talus::test {
namespace {

constexpr double backward_error = 1e-13;  // 450 roundings; the solver stops at 64

template <int Dim>
using Tangent = Eigen::Matrix<double, Dim - 1, 1>;

template <int Dim>
struct State {
    Mat<Dim> H;
    Vec<Dim> b;
    double mu;
    bool solvable = true;  ///< by construction: H regular, or b in its range

    [[nodiscard]] double size(const Vec<Dim>& S) const { return b.norm() + H.norm() * S.norm(); }
};

/// A velocity that says how far S is from the law.
template <int Dim>
double missed(const State<Dim>& state, const Vec<Dim>& S) {
    const Vec<Dim> U = state.b + state.H * S;
    const Tangent<Dim> Ut = U.template tail<Dim - 1>(), St = S.template tail<Dim - 1>();
    const double weight = state.H.norm(), bound = state.mu * S[0];
    double miss = std::max(0.0, -U[0]) + weight * std::max(0.0, -S[0]) + weight * std::max(0.0, St.norm() - bound);
    miss += std::min(std::abs(U[0]), weight * std::abs(S[0]));
    if (S.norm() == 0.0 || state.mu == 0.0) return miss;
    // Inside the cone nothing slips; on it, slip is against S_T.
    const double inside = std::max(0.0, bound - St.norm());
    const Tangent<Dim> along = St.norm() > 0.0 ? Tangent<Dim>(St / St.norm()) : Tangent<Dim>(-Ut.normalized());
    return miss + std::min(weight * inside, Ut.norm()) + (Ut - std::min(0.0, Ut.dot(along)) * along).norm();
}

template <int Dim>
class States {
public:
    explicit States(unsigned seed) : random_(seed) {}

    State<Dim> next(int kind) {
        State<Dim> s{operator_of(kind), random_.template vector<Dim>(-1.0, 1.0), random_.uniform(0.0, 1.5)};
        if (kind % 3 == 1) s.mu = std::pow(10.0, random_.uniform(-8.0, 8.0));
        if (kind == 2) s.mu = 0.0;
        switch (kind) {
            case 3: s.b.template tail<Dim - 1>().setZero(); break;
            case 4: s.b[0] *= std::pow(10.0, -random_.uniform(3.0, 14.0)); break;
            case 5: s.b = -s.H * on_the_cone(s.mu, std::pow(10.0, -random_.uniform(3.0, 17.0))); break;
            case 6: make_slide(s); break;
            case 7: make_near_catastrophe(s); break;
            case 8: make_singular(s); break;
            case 9: s.solvable = false; break;  // singular, b anywhere
            default: break;
        }
        return s;
    }

private:
    Mat<Dim> operator_of(int kind) {
        if (kind == 8 || kind == 9) return low_rank();
        return kind % 2 == 0 ? of_bodies() : of_condition(std::pow(10.0, random_.uniform(0.0, 12.0)));
    }
    Mat<Dim> of_bodies() {
        Mat<Dim> H = Mat<Dim>::Identity() * random_.uniform(0.1, 2.0);
        for (int k = 0; k < 2 * spin_size<Dim>; ++k) H += outer(random_.template vector<Dim>(-2.0, 2.0));
        return H;
    }
    Mat<Dim> of_condition(double condition) {
        const Mat<Dim> axes = frame_of<Dim>(random_.template direction<Dim>());
        Vec<Dim> values = Vec<Dim>::Ones();
        for (int k = 1; k < Dim; ++k) values[k] = std::pow(condition, -random_.uniform(0.0, 1.0));
        values[Dim - 1] = 1.0 / condition;
        const Mat<Dim> H = axes.transpose() * values.asDiagonal() * axes;
        return 0.5 * (H + H.transpose());
    }
    Mat<Dim> low_rank() {
        Mat<Dim> H = outer(random_.template vector<Dim>(-1.0, 1.0));
        if (Dim == 3 && random_.uniform(0.0, 1.0) < 0.5) H += outer(random_.template vector<Dim>(-1.0, 1.0));
        return H;
    }
    static Mat<Dim> outer(const Vec<Dim>& c) { return c * c.transpose(); }

    Vec<Dim> on_the_cone(double mu, double off) {
        Vec<Dim> S;
        S[0] = 1.0;
        S.template tail<Dim - 1>() = mu * (1.0 + (random_.uniform(0.0, 1.0) < 0.5 ? off : -off)) * tangent();
        return S;
    }
    Tangent<Dim> tangent() {
        Tangent<Dim> t;
        for (int k = 0; k < Dim - 1; ++k) t[k] = random_.uniform(-1.0, 1.0);
        return t.normalized();
    }
    void make_slide(State<Dim>& s) {
        const Vec<Dim> S = on_the_cone(s.mu, 0.0);
        s.b = -s.H * S;
        s.b.template tail<Dim - 1>() -= std::pow(10.0, random_.uniform(-8.0, 4.0)) * S.template tail<Dim - 1>();
    }
    /// b in the range of a singular H, as far as rounding lets it.
    static void make_singular(State<Dim>& s) {
        const double size = s.H.norm() * s.b.norm();
        s.b = s.H * s.b;
        s.solvable = s.b.norm() > 0.1 * size;
    }
    /// H_NN - mu |h| nearly zero, or below.
    void make_near_catastrophe(State<Dim>& s) {
        const double off = random_.uniform(-1.0, 1.0) * std::pow(10.0, -random_.uniform(0.0, 12.0));
        s.mu = s.H(0, 0) / s.H.template block<Dim - 1, 1>(1, 0).norm() * (1.0 + off);
    }

    Random random_;
};
constexpr int kinds = 10;

template <class D>
class LocalProperty : public ::testing::Test {};
TYPED_TEST_SUITE(LocalProperty, BothDimensions);

TYPED_TEST(LocalProperty, TheLawHoldsInAMillionStates) {
    constexpr int Dim = TypeParam::value;
    States<Dim> states(91);
    for (int trial = 0; trial < 1000000; ++trial) {
        const State<Dim> s = states.next(trial % kinds);
        const Vec<Dim> S = solve_full_contact(s.H, s.b, s.mu);
        const auto tell = [&] {
            std::ostringstream text;
            text.precision(17);
            text << "trial " << trial << "\nH\n" << s.H << "\nb " << s.b.transpose() << "\nmu " << s.mu;
            text << "\nS " << S.transpose();
            return text.str();
        };
        ASSERT_TRUE(S.allFinite()) << tell();
        // Where nothing satisfies the law, still no penetration and no impulse outside the cone.
        const double miss = s.solvable ? missed(s, S) : S.norm() > 0.0 ? std::abs((s.b + s.H * S)[0]) : 0.0;
        ASSERT_LE(miss, backward_error * s.size(S)) << tell();
        ASSERT_LE(S.template tail<Dim - 1>().norm(), s.mu * S[0] * (1.0 + 1e-14)) << tell();
    }
}

TYPED_TEST(LocalProperty, TheErrorIsBoundedByTheConditionOfH) {
    // The same in terms of |b| alone, as a user sees it: 1e-12 times the condition of H.
    constexpr int Dim = TypeParam::value;
    States<Dim> states(92);
    for (int trial = 0; trial < 100000; ++trial) {
        const State<Dim> s = states.next(trial % 8);  // the regular ones
        const Vec<Dim> values = Eigen::JacobiSVD<Mat<Dim>>(s.H).singularValues();
        const double condition = values[0] / std::max(values[Dim - 1], 1e-13 * values[0]);
        const Vec<Dim> S = solve_full_contact(s.H, s.b, s.mu);
        ASSERT_LE(missed(s, S), 1e-12 * condition * s.b.norm()) << "trial " << trial << " condition " << condition;
    }
}

TYPED_TEST(LocalProperty, UnitsDoNotMatter) {
    // Powers of two of the velocity and of the mass change no bit but the exponents.
    constexpr int Dim = TypeParam::value;
    States<Dim> states(93);
    for (int trial = 0; trial < 50000; ++trial) {
        const State<Dim> s = states.next(trial % kinds);
        const double velocity = std::ldexp(1.0, trial % 61 - 30), lightness = std::ldexp(1.0, 2 * (trial % 31 - 15));
        const Vec<Dim> S = solve_full_contact(s.H, s.b, s.mu);
        const Vec<Dim> scaled = solve_full_contact(Mat<Dim>(lightness * s.H), Vec<Dim>(velocity * s.b), s.mu);
        ASSERT_EQ(Vec<Dim>(S * (velocity / lightness)), scaled) << "trial " << trial;
    }
}

TYPED_TEST(LocalProperty, TheStartDoesNotMatter) {
    // Compared as velocities H S: that is what the law decides. Ill-conditioned states, where the slide itself is
    // uncertain by rounding times the condition of H, are left to the tests above.
    constexpr int Dim = TypeParam::value;
    States<Dim> states(94);
    Random random(95);
    for (int trial = 0; trial < 200000; ++trial) {
        const State<Dim> s = states.next(2 * (trial % 4));
        const Vec<Dim> cold = solve_full_contact(s.H, s.b, s.mu);
        const Vec<Dim> warm = solve_full_contact(s.H, s.b, s.mu, random.vector<Dim>(-1.0, 1.0));
        ASSERT_LE((s.H * (cold - warm)).norm(), 1e-10 * s.size(cold)) << "trial " << trial;
    }
}

/// Sliding impulses found by walking round the circle, in steps of `step`, with the slip angle against the
/// direction as the only tool: another way than the solver's, and slow.
std::vector<Vec<3>> slides_by_walking(const State<3>& s, int steps) {
    std::vector<Vec<3>> found;
    const auto at = [&](double angle, Vec<3>& S) {
        const Vec<3> direction(1.0, -s.mu * std::cos(angle), -s.mu * std::sin(angle));
        const Vec<3> response = s.H * direction;
        S = -s.b[0] / response[0] * direction;
        const Vec<3> U = s.b + s.H * S;
        if (!(response[0] > 0.0)) return std::numeric_limits<double>::quiet_NaN();
        return std::remainder(std::atan2(U[2], U[1]) - angle, 2.0 * pi);
    };
    Vec<3> S;
    double before = at(0.0, S);
    for (int k = 1; k <= steps; ++k) {
        double lo = 2.0 * pi * (k - 1) / steps, hi = 2.0 * pi * k / steps;
        const double now = at(hi, S);
        // A passage through zero, not the jump by a full turn.
        if (before * now <= 0.0 && std::abs(before - now) < pi) {
            double low = before;
            for (int i = 0; i < 60; ++i) {
                const double middle = 0.5 * (lo + hi), value = at(middle, S);
                if (value * low > 0.0) { lo = middle; low = value; } else { hi = middle; }
            }
            found.push_back(S);
        }
        before = now;
    }
    return found;
}

TEST(LocalPropertyInSpace, TheSlideOfLeastImpulseIsFound) {
    States<3> states(96);
    int slides = 0, several = 0;
    for (int trial = 0; trial < 20000; ++trial) {
        const int choice[] = {0, 7, 9, 1};
        const State<3> s = states.next(choice[trial % 4]);
        if (s.b[0] >= 0.0) continue;
        const Vec<3> S = solve_full_contact(s.H, s.b, s.mu);
        if (S.tail<2>().norm() < s.mu * S[0] * (1.0 - 1e-6)) continue;  // sticks, which comes first
        double least = HUGE_VAL;
        int count = 0;
        for (const Vec<3>& walked : slides_by_walking(s, 1024)) {
            if (missed(s, walked) > 1e-10 * s.b.norm()) continue;
            least = std::min(least, walked[0]);
            ++count;
        }
        if (count == 0) continue;
        ++slides;
        several += count > 1;
        ASSERT_LE(S[0], least * (1.0 + 1e-6)) << "trial " << trial;
        ASSERT_LE(missed(s, S), backward_error * s.size(S)) << "trial " << trial;
    }
    EXPECT_GT(slides, 3000);
    EXPECT_GT(several, 10);
}

}  // namespace
}  // namespace talus::test

/// The arranged sweep against the plain one: contact after contact, in the order of the problem.
#include "solve/sweeper.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>
#include <set>
#include <tuple>

#include "../../physics/testbed.h"

namespace talus {
namespace {

using test::Random;

template <int Dim>
Vec<Dim> direction(Random& random) {
    Vec<Dim> n;
    do {
        for (int k = 0; k < Dim; ++k) n[k] = random.uniform(-1.0, 1.0);
    } while (n.norm() < 0.1);
    return n.normalized();
}

/// Balls in a chain of `domains` slabs; each touches random others of its slab, of the next one, and the ground.
template <int Dim>
ContactProblem<Dim> random_balls(std::uint64_t seed, int bodies, int contacts, int domains) {
    Random random(seed);
    ContactProblem<Dim> p;
    p.v_ref = 1e-2;
    p.domains = domains;
    p.lines.resize(static_cast<std::size_t>(bodies) + 1);  // the last is the ground
    for (int i = 0; i < bodies; ++i) {
        auto& line = p.lines[static_cast<std::size_t>(i)];
        for (int k = 0; k < Dim; ++k) line.v[k] = random.uniform(-1.0, 1.0);
        line.inv_mass = random.uniform(0.5, 2.0);
        line.inv_inertia = 2.5 * line.inv_mass;
        if (domains > 1) p.domain.push_back(static_cast<std::int16_t>(i * domains / bodies));
    }
    if (domains > 1) p.domain.push_back(inert_domain);
    for (const auto& line : p.lines) p.free_lines.push_back(motion_of(line));
    const int near = std::max(2, bodies / std::max(2, domains) / 2);
    for (int k = 0; k < contacts; ++k) {
        BallContact<Dim> c;
        c.a = static_cast<std::int32_t>(random.uniform(0.0, bodies));
        c.b = (c.a + 1 + static_cast<std::int32_t>(random.uniform(0.0, near))) % bodies;
        if (c.a == c.b || random.uniform(0.0, 1.0) < 0.1) c.b = bodies;
        c.n = direction<Dim>(random);
        c.cn = random.uniform(-0.1, 0.1);
        c.ct = tangential_of(Vec<Dim>(0.1 * direction<Dim>(random)), c.n);
        const auto &a = p.lines[static_cast<std::size_t>(c.a)], &b = p.lines[static_cast<std::size_t>(c.b)];
        const double wn = a.inv_mass + b.inv_mass;
        c.inv_wn = 1.0 / wn;
        c.inv_wt = 1.0 / (wn + a.inv_inertia + b.inv_inertia);
        c.mu = random.uniform(0.0, 0.8);
        c.impact = random.uniform(0.0, 1.0) < 0.5 ? 0.0 : 0.3;
        p.balls.push_back(c);
    }
    return p;
}

/// Bodies that are not round in a chain of `domains` slabs, contacts as above. Some are held but for one freedom, so that some H are
/// singular; arms and inertias are such that in space some H have several slides.
template <int Dim>
ContactProblem<Dim> random_generals(std::uint64_t seed, int bodies, int contacts, int domains) {
    Random random(seed);
    ContactProblem<Dim> p;
    p.v_ref = 1e-2;
    p.domains = domains;
    p.lines.resize(static_cast<std::size_t>(bodies) + 1);
    std::vector<Vec<Dim>> inverse_mass(p.lines.size(), Vec<Dim>::Zero());
    std::vector<Spin<Dim>> inverse_inertia(p.lines.size(), Spin<Dim>::Zero());
    for (int i = 0; i < bodies; ++i) {
        const auto k = static_cast<std::size_t>(i);
        const bool held = i % 5 == 2;
        inverse_mass[k][0] = random.uniform(0.5, 2.0);
        if (!held) inverse_mass[k].setConstant(inverse_mass[k][0]);
        for (double& x : inverse_inertia[k]) x = held ? 0.0 : random.uniform(1.0, 40.0);
        for (int d = 0; d < Dim; ++d) p.lines[k].v[d] = inverse_mass[k][d] > 0.0 ? random.uniform(-1.0, 1.0) : 0.0;
        for (int d = 0; d < spin_size<Dim>; ++d) p.lines[k].R[d] = held ? 0.0 : random.uniform(-1.0, 1.0);
        if (domains > 1) p.domain.push_back(static_cast<std::int16_t>(i * domains / bodies));
    }
    if (domains > 1) p.domain.push_back(inert_domain);
    for (const auto& line : p.lines) p.free_lines.push_back(motion_of(line));
    const int near = std::max(2, bodies / std::max(2, domains) / 2);
    for (int k = 0; k < contacts; ++k) {
        GeneralContact<Dim> c;
        c.a = static_cast<std::int32_t>(random.uniform(0.0, bodies));
        c.b = (c.a + 1 + static_cast<std::int32_t>(random.uniform(0.0, near))) % bodies;
        if (c.a == c.b || random.uniform(0.0, 1.0) < 0.1) c.b = bodies;
        c.frame = frame_of<Dim>(direction<Dim>(random));
        c.H.setZero();
        const auto side = [&](std::int32_t line, auto& spin, auto& push, auto& turn) {
            const auto i = static_cast<std::size_t>(line);
            spin = angular_rows<Dim>(c.frame, Vec<Dim>(random.uniform(0.0, 0.6) * direction<Dim>(random)));
            push = inverse_mass[i].asDiagonal() * c.frame.transpose();
            turn = inverse_inertia[i].asDiagonal() * spin.transpose();
            c.H += c.frame * push + spin * turn;
        };
        side(c.a, c.spin_a, c.push_a, c.turn_a);
        side(c.b, c.spin_b, c.push_b, c.turn_b);
        for (int d = 0; d < Dim; ++d) c.c[d] = random.uniform(-0.3, 0.3);
        const double kind = random.uniform(0.0, 1.0);
        c.mu = kind < 0.1 ? 0.0 : kind < 0.3 ? random.uniform(1.0, 3.0) : random.uniform(0.1, 0.8);
        c.impact = random.uniform(0.0, 1.0) < 0.5 ? 0.0 : 0.3;
        if (random.uniform(0.0, 1.0) < 0.5) c.S[0] = random.uniform(0.0, 0.1);
        p.generals.push_back(c);
    }
    return p;
}

/// How many contacts are without impulse, stick, slide.
template <int Dim>
std::array<int, 3> states_of(const ContactProblem<Dim>& p) {
    std::array<int, 3> count{};
    for (const auto& c : p.generals) {
        const double T = c.S.template tail<Dim - 1>().norm(), limit = c.mu * c.S[0];
        ++count[c.S[0] == 0.0 ? 0 : T < 0.999 * limit ? 1 : 2];
    }
    return count;
}

template <int Dim>
void expect_same_bits(const ContactProblem<Dim>& a, const ContactProblem<Dim>& b) {
    for (std::size_t k = 0; k < a.balls.size(); ++k) {
        ASSERT_EQ(a.balls.pn(k), b.balls.pn(k)) << k;
        const auto pt_a = a.balls.pt(k), pt_b = b.balls.pt(k);
        ASSERT_EQ(std::memcmp(&pt_a, &pt_b, sizeof pt_a), 0) << k;
    }
    for (std::size_t k = 0; k < a.generals.size(); ++k) ASSERT_EQ(a.generals[k].S, b.generals[k].S) << k;
}

/// `sweeps` sweeps with momentum (a fixed beta) or without, and what the last one measured.
template <int Dim>
SweepMeasure sweep(ContactProblem<Dim>& p, Kernel kernel, bool momentum, int sweeps, double* energy = nullptr) {
    Sweeper<Dim> sweeper;
    sweeper.begin(p, kernel);
    refresh_velocities(p);
    SweepMeasure measure;
    measure.tally = ErrorTally(p.v_ref);
    for (int k = 0; k < sweeps; ++k) {
        SweepMeasure* m = k + 1 == sweeps ? &measure : nullptr;
        if (!momentum) sweeper.sweep(p, m);
        else if (const double e = sweeper.sweep(p, k == 0 ? 0.0 : 0.3, m); energy != nullptr) *energy = e;
    }
    sweeper.publish(p);
    return measure;
}

template <class Case>
class SweeperOf : public testing::Test {};
template <int Dim>
struct In { static constexpr int dim = Dim; };
using Dimensions = testing::Types<In<2>, In<3>>;
TYPED_TEST_SUITE(SweeperOf, Dimensions);

TYPED_TEST(SweeperOf, GivesTheImpulsesOfContactAfterContact) {
    constexpr int Dim = TypeParam::dim;
    auto p = random_balls<Dim>(3, 60, 200, 1), q = p;
    SweepMeasure plain;
    refresh_velocities(q);
    for (int number = 0; number < 5; ++number) {
        plain = SweepMeasure{};
        plain.tally = ErrorTally(q.v_ref);
        for (std::size_t k = 0; k < q.balls.size(); ++k) {
            const auto c = q.balls[k];
            auto &a = q.lines[static_cast<std::size_t>(c.a)], &b = q.lines[static_cast<std::size_t>(c.b)];
            const auto exact = solve_ball_contact(c, formal_velocity(c, a, b));
            const double dpn = exact.pn - c.pn;
            const auto dpt = exact.pt - c.pt;
            apply(c, dpn, dpt, a, b);
            plain.add(c, dpn, dpt.squared(), exact.pn != 0.0);
            q.balls.set_impulse(k, exact.pn, exact.pt);
        }
    }
    const SweepMeasure arranged = sweep(p, Kernel::scalar, false, 5);
    for (std::size_t k = 0; k < p.balls.size(); ++k) {  // sums of products are bracketed otherwise: some roundings
        EXPECT_NEAR(p.balls[k].pn, q.balls[k].pn, 1e-13);
        EXPECT_NEAR((p.balls[k].pt - q.balls[k].pt).squared(), 0.0, 1e-26);
    }
    EXPECT_EQ(arranged.tally.result().working, plain.tally.result().working);
    EXPECT_NEAR(arranged.tally.result().mean, plain.tally.result().mean, 1e-12 * plain.tally.result().mean);
    EXPECT_NEAR(arranged.tally.result().max, plain.tally.result().max, 1e-12 * plain.tally.result().max);
    EXPECT_NEAR(arranged.moreau, plain.moreau, 1e-12 * plain.moreau);
}

/// The local solver one contact after the other: the kernels give its bits, whatever way a lane goes.
TYPED_TEST(SweeperOf, GivesTheBitsOfGeneralContactAfterGeneralContact) {
    constexpr int Dim = TypeParam::dim;
    for (const int contacts : {1, 3, 200}) {
        auto p = random_generals<Dim>(21, 60, contacts, 1), q = p;
        SweepMeasure plain;
        refresh_velocities(q);
        for (int number = 0; number < 5; ++number) {
            plain = SweepMeasure{};
            plain.tally = ErrorTally(q.v_ref);
            for (auto& c : q.generals) {
                auto &a = q.lines[static_cast<std::size_t>(c.a)], &b = q.lines[static_cast<std::size_t>(c.b)];
                const Vec<Dim> V = formal_velocity(c, a, b);
                const Vec<Dim> exact = solve_full_contact(c.H, V - c.H * c.S, c.mu, c.S), dS = exact - c.S;
                apply(c, dS, a, b);
                plain.add(c, dS, !exact.isZero(0.0));
                c.S = exact;
            }
        }
        const SweepMeasure arranged = sweep(p, Kernel::scalar, false, 5);
        expect_same_bits(p, q);
        EXPECT_EQ(arranged.tally.result().working, plain.tally.result().working);
        EXPECT_NEAR(arranged.tally.result().mean, plain.tally.result().mean, 1e-12 * plain.tally.result().mean);
        EXPECT_EQ(arranged.tally.result().max, plain.tally.result().max);
        EXPECT_EQ(arranged.moreau, plain.moreau);
        if (contacts < 200) continue;
        for (const int count : states_of(p)) EXPECT_GT(count, 10);
        const auto is_singular = [](const auto& c) { return !local_operator(c.H, c.mu).regular; };
        EXPECT_GT(std::count_if(p.generals.begin(), p.generals.end(), is_singular), 2);
    }
}

TYPED_TEST(SweeperOf, GivesTheSameBitsWithEveryInstructionSet) {
    if (!__builtin_cpu_supports("avx2")) GTEST_SKIP() << "this machine has no AVX2";
    constexpr int Dim = TypeParam::dim;
    for (const bool momentum : {false, true})
        for (const int domains : {1, 4}) {
            auto p = random_balls<Dim>(11, 400, 1200, domains);
            p.generals = random_generals<Dim>(31, 400, 1201, domains).generals;
            auto q = p;
            double energy_p = 0.0, energy_q = 0.0;
            const SweepMeasure a = sweep(p, Kernel::scalar, momentum, 7, &energy_p), b = sweep(q, Kernel::avx2, momentum, 7, &energy_q);
            expect_same_bits(p, q);
            EXPECT_EQ(energy_p, energy_q);
            EXPECT_EQ(a.tally.result().mean, b.tally.result().mean);
            EXPECT_EQ(a.tally.result().max, b.tally.result().max);
            EXPECT_EQ(a.moreau, b.moreau);
        }
}

TYPED_TEST(SweeperOf, GivesTheSameBitsForAnyNumberOfThreads) {
    constexpr int Dim = TypeParam::dim;
    for (const int domains : {1, 2, 6}) {
        auto reference = random_balls<Dim>(5, 600, 2000, domains);
        reference.generals = random_generals<Dim>(15, 600, 2000, domains).generals;
        const auto start = reference;
        const SweepMeasure one = sweep(reference, Kernel::automatic, true, 9);
        for (const int count : {2, 3, 8}) {
            const Threads threads(count);
            auto p = start;
            p.threads = &threads;
            const SweepMeasure many = sweep(p, Kernel::automatic, true, 9);
            expect_same_bits(p, reference);
            EXPECT_EQ(many.tally.result().mean, one.tally.result().mean);
        }
    }
}

TYPED_TEST(SweeperOf, FusedArithmeticDiffersByRoundingOnly) {
    if (!__builtin_cpu_supports("fma")) GTEST_SKIP() << "this machine has no fused multiply-add";
    constexpr int Dim = TypeParam::dim;
    for (const bool general : {false, true}) {
        auto p = general ? random_generals<Dim>(7, 60, 200, 1) : random_balls<Dim>(7, 60, 200, 1), q = p;
        (void)sweep(p, Kernel::scalar, false, 5);
        (void)sweep(q, Kernel::fused, false, 5);
        double difference = 0.0;
        for (std::size_t k = 0; k < p.balls.size(); ++k) difference = std::max(difference, std::abs(p.balls[k].pn - q.balls[k].pn));
        for (std::size_t k = 0; k < p.generals.size(); ++k) difference = std::max(difference, (p.generals[k].S - q.generals[k].S).norm());
        EXPECT_GT(difference, 0.0);
        EXPECT_LT(difference, general ? 1e-11 : 1e-12);   // slides of an H that is nearly singular lose a digit
    }
}

/// What steers the momentum, H_NN |dS|^2: the energy of the change where it is along the normal.
TYPED_TEST(SweeperOf, MeasuresTheChangeOfASweep) {
    constexpr int Dim = TypeParam::dim;
    auto p = random_balls<Dim>(13, 2, 1, 1);
    auto c = p.balls[0];
    c.cn = -2.0;
    c.mu = 100.0;
    p.balls.set_law(0, c);
    double energy = 0.0;
    (void)sweep(p, Kernel::scalar, true, 1, &energy);
    c = p.balls[0];
    EXPECT_NEAR(energy, (c.pn * c.pn + c.pt.squared()) / c.inv_wn, 1e-12 * energy);
}

/// Pseudo-velocities after some sweeps of position correction in which every third contact takes no part and every fifth of the others may pull.
template <int Dim>
std::vector<BodyLine<Dim>> corrected(ContactProblem<Dim> p, const BallKernels<Dim>& kernels, int sweeps) {
    Sweeper<Dim> sweeper;
    sweeper.begin(p, Kernel::scalar);   // arranges
    constexpr double never = -std::numeric_limits<double>::infinity();
    std::vector<BallBlockTarget> targets(p.balls.blocks().size());
    for (auto& t : targets)
        for (int l = 0; l < lanes; ++l) t.wanted[l] = never, t.impulse[l] = t.least[l] = 0.0;
    for (std::size_t k = 0; k < p.balls.size(); ++k) {
        const auto place = static_cast<std::size_t>(p.balls.places()[k]);
        if (k % 3 == 1) continue;
        targets[place / lanes].wanted[place % lanes] = 0.01 * std::sin(static_cast<double>(k));
        if (k % 5 == 0) targets[place / lanes].least[place % lanes] = never;
    }
    std::vector<BodyLine<Dim>> pseudo = p.lines;
    for (auto& line : pseudo) set_motion(line, {});
    for (int s = 0; s < sweeps; ++s)
        for_ball_groups(p, [&](std::size_t, std::size_t first, std::size_t last) {
            kernels.correct({p.balls.blocks().data(), targets.data(), first, last, pseudo.front().v.data()});
        });
    return pseudo;
}

TYPED_TEST(SweeperOf, CorrectsPositionsWithTheSameBitsWithEveryInstructionSet) {
    if (!__builtin_cpu_supports("avx2")) GTEST_SKIP() << "this machine has no AVX2";
    constexpr int Dim = TypeParam::dim;
    const auto p = random_balls<Dim>(47, 400, 1203, 4);
    const auto a = corrected<Dim>(p, ball_kernels_scalar<Dim>(), 5), b = corrected<Dim>(p, ball_kernels_avx2<Dim>(), 5);
    double moved = 0.0;
    for (std::size_t i = 0; i < a.size(); ++i) {
        ASSERT_EQ(a[i].v, b[i].v) << i;
        ASSERT_TRUE(a[i].R.isZero(0.0)) << i;
        moved = std::max(moved, a[i].v.norm());
    }
    EXPECT_GT(moved, 1e-3);
}

/// A contact that wants to part does; one that wants to close does only where it may pull.
TYPED_TEST(SweeperOf, CorrectsAContactByWhatItWants) {
    constexpr int Dim = TypeParam::dim;
    auto p = random_balls<Dim>(53, 2, 1, 1);
    Sweeper<Dim> sweeper;
    sweeper.begin(p, Kernel::scalar);
    constexpr double never = -std::numeric_limits<double>::infinity();
    const auto c = p.balls[0];
    const auto place = static_cast<std::size_t>(p.balls.places()[0]);
    for (const auto& [wanted, least, reached] : {std::tuple{0.3, 0.0, 0.3}, std::tuple{-0.3, 0.0, 0.0}, std::tuple{-0.3, never, -0.3}, std::tuple{never, 0.0, 0.0}}) {
        std::vector<BallBlockTarget> targets(1);
        for (int l = 0; l < lanes; ++l) targets[0].wanted[l] = never, targets[0].impulse[l] = targets[0].least[l] = 0.0;
        targets[0].wanted[place] = wanted;
        targets[0].least[place] = least;
        std::vector<BodyLine<Dim>> pseudo = p.lines;
        for (auto& line : pseudo) set_motion(line, {});
        const double change = ball_kernels_scalar<Dim>().correct({p.balls.blocks().data(), targets.data(), 0, 1, pseudo.front().v.data()});
        const double w = c.n.dot(pseudo[static_cast<std::size_t>(c.a)].v - pseudo[static_cast<std::size_t>(c.b)].v);
        EXPECT_NEAR(w, reached, 1e-15);
        EXPECT_NEAR(change, std::abs(reached), 1e-15);
    }
}

/// A problem with impulses, arranged; its lines have moved since `before`.
template <int Dim>
ContactProblem<Dim> swept(std::uint64_t seed, std::vector<LineMotion<Dim>>& before) {
    auto p = random_balls<Dim>(seed, 300, 1003, 4);
    Sweeper<Dim> sweeper;
    sweeper.begin(p, Kernel::scalar);
    before.clear();
    for (const auto& line : p.lines) before.push_back(motion_of(line));
    for (int k = 0; k < 3; ++k) sweeper.sweep(p, nullptr);
    return p;
}

template <int Dim>
BallBooks<Dim> booked(ContactProblem<Dim>& p, const std::vector<LineMotion<Dim>>& before, const BallKernels<Dim>& kernels) {
    BallBooks<Dim> books;
    kernels.book({p.balls.blocks().data(), 0, p.balls.blocks().size(), p.lines.front().v.data(), before.front().v.data()}, books);
    return books;
}

/// S.(U+ + U-)/2 contact after contact; what two bodies that move give each other cancels.
TYPED_TEST(SweeperOf, BooksWhatContactsDoAsOneByOne) {
    constexpr int Dim = TypeParam::dim;
    std::vector<LineMotion<Dim>> before;
    auto p = swept<Dim>(59, before);
    const auto books = booked<Dim>(p, before, ball_kernels_scalar<Dim>());
    double normal = 0.0, tangential = 0.0, size = 0.0, working = 0.0;
    Vec<Dim> given = Vec<Dim>::Zero();
    for (const BallContact<Dim> c : p.balls) {
        const auto a = static_cast<std::size_t>(c.a), b = static_cast<std::size_t>(c.b);
        BallContact<Dim> bare = c;
        bare.cn = 0.0;
        bare.ct = {};
        const auto after = formal_velocity(bare, p.lines[a], p.lines[b]), first = formal_velocity(bare, before[a], before[b]);
        const Vec<Dim> S = c.pn * c.n + to_world(c.pt, c.n);
        normal += c.pn * 0.5 * (after.n + first.n);
        tangential += to_world(c.pt, c.n).dot(to_world(0.5 * (after.t + first.t), c.n));
        size += S.norm();
        working += c.pn != 0.0 ? 1.0 : 0.0;
        if (is_inert(p.lines[b])) given += S;
    }
    EXPECT_NEAR(sum_of(books.normal), normal, 1e-13 * size);       // velocities are about 1 m/s
    EXPECT_NEAR(sum_of(books.tangential), tangential, 1e-13 * size);
    EXPECT_NEAR(sum_of(books.size), size, 1e-13 * size);
    EXPECT_EQ(sum_of(books.working), working);
    EXPECT_GT(working, 100.0);
    for (int k = 0; k < Dim; ++k) EXPECT_NEAR(sum_of(books.on_free[k]), given[k], 1e-13 * size);
}

TYPED_TEST(SweeperOf, BooksWithTheSameBitsWithEveryInstructionSet) {
    if (!__builtin_cpu_supports("avx2")) GTEST_SKIP() << "this machine has no AVX2";
    constexpr int Dim = TypeParam::dim;
    std::vector<LineMotion<Dim>> before;
    auto p = swept<Dim>(61, before);
    const auto a = booked<Dim>(p, before, ball_kernels_scalar<Dim>()), b = booked<Dim>(p, before, ball_kernels_avx2<Dim>());
    EXPECT_EQ(std::memcmp(&a, &b, sizeof a), 0);
}

/// Masses stay what they are whatever lies behind the motions; with no momentum `before` may hold anything.
TYPED_TEST(SweeperOf, ExtrapolatesVelocitiesAndNothingElse) {
    constexpr int Dim = TypeParam::dim;
    const double none = std::numeric_limits<double>::quiet_NaN();
    std::vector<LineMotion<Dim>> start;
    const auto p = swept<Dim>(67, start);
    std::vector<const BallKernels<Dim>*> sets{&ball_kernels_scalar<Dim>()};
    if (__builtin_cpu_supports("avx2")) sets.push_back(&ball_kernels_avx2<Dim>());
    for (const auto* kernels : sets)
        for (const double beta : {0.0, 0.75}) {
            auto lines = p.lines;
            auto before = start;
            before.push_back({Vec<Dim>::Constant(none), Spin<Dim>::Constant(none)});
            if (beta == 0.0) before.assign(before.size(), before.back());
            kernels->extrapolate(lines.front().v.data(), before.front().v.data(), 0, lines.size(), beta);
            for (std::size_t i = 0; i < lines.size(); ++i) {
                const Vec<Dim> v = beta == 0.0 ? p.lines[i].v : Vec<Dim>(p.lines[i].v + beta * (p.lines[i].v - start[i].v));
                const Spin<Dim> R = beta == 0.0 ? p.lines[i].R : Spin<Dim>(p.lines[i].R + beta * (p.lines[i].R - start[i].R));
                ASSERT_EQ(lines[i].v, v) << i;
                ASSERT_EQ(lines[i].R, R) << i;
                ASSERT_EQ(lines[i].inv_mass, p.lines[i].inv_mass) << i;
                ASSERT_EQ(lines[i].inv_inertia, p.lines[i].inv_inertia) << i;
                ASSERT_EQ(before[i].v, p.lines[i].v) << i;
                ASSERT_EQ(before[i].R, p.lines[i].R) << i;
            }
        }
}

TEST(BlockPacker, KeepsEveryBodysContactsInOrderAndApart) {
    Random random(17);
    constexpr int bodies = 50;
    constexpr BlockPacker::Spacing neighbours = BlockPacker::neighbours_apart, sets{2, 1}, least{1, 1};
    BlockPacker packer;
    packer.begin(bodies);
    // What was packed before leaves no trace, also where it was more.
    for (const auto& [contacts, spacing] : {std::pair{400, neighbours}, std::pair{400, neighbours}, std::pair{40, neighbours}, std::pair{400, least},
                                            std::pair{400, sets}}) {
        packer.begin_part(static_cast<std::size_t>(contacts), spacing);
        BlockPacker::Group group;
        std::vector<std::int32_t> last(bodies, -1);   // place, -1: none
        std::set<std::int32_t> places;
        for (int k = 0; k < contacts; ++k) {
            const auto a = static_cast<std::int32_t>(random.uniform(0.0, bodies));
            const auto b = random.uniform(0.0, 1.0) < 0.2 ? -1 : (a + 7) % bodies;
            const std::int32_t place = packer.place(group, a, b);
            if (k == 0) {
                EXPECT_EQ(place, 0);
            }
            EXPECT_TRUE(places.insert(place).second);
            const std::int32_t set = lanes * spacing.together;
            for (const std::int32_t i : {a, b}) {
                if (i < 0) continue;
                std::int32_t& before = last[static_cast<std::size_t>(i)];
                EXPECT_TRUE(before < 0 || place / set >= before / set + spacing.distance) << "contact " << k;
                before = place;
            }
        }
        EXPECT_LE(*places.rbegin() / lanes, static_cast<std::int32_t>(group.blocks()));
    }
}

TEST(BlockPacker, FillsTheLanesOfContactsThatShareNothing) {
    BlockPacker packer;
    packer.begin(80);
    packer.begin_part(40);
    BlockPacker::Group group;
    for (std::int32_t k = 0; k < 40; ++k) EXPECT_EQ(packer.place(group, 2 * k, 2 * k + 1), k);
    EXPECT_EQ(group.blocks(), 40u / lanes);
}

/// Blocks are counted on from part to part, and anew before the count runs over.
TEST(BlockPacker, PacksTheSameHoweverMuchWasPackedBefore) {
    constexpr int bodies = 50;
    BlockPacker packer;
    packer.begin(bodies);
    const auto pack = [&] {
        Random random(23);
        packer.begin_part(300);
        BlockPacker::Group group;
        std::vector<std::int32_t> places;
        for (int k = 0; k < 300; ++k) {
            const auto a = static_cast<std::int32_t>(random.uniform(0.0, bodies));
            places.push_back(packer.place(group, a, (a + 3) % bodies));
        }
        return places;
    };
    const std::vector<std::int32_t> first = pack();
    for (int part = 0; part < 20; ++part) {
        packer.begin_part(300'000'000);   // as many might have come
        EXPECT_EQ(pack(), first) << "part " << part;
    }
}

}  // namespace
}  // namespace talus

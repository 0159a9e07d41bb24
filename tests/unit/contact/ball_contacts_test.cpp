// Ball contacts in blocks: what is put in comes out, wherever a contact lives, and the arrangement keeps what sweeps rely on.
#include "contact/arrange.h"

#include "../../physics/testbed.h"

namespace talus::test {
namespace {

template <int Dim>
BallContact<Dim> random_contact(Random& random, std::int32_t a, std::int32_t b) {
    BallContact<Dim> c;
    c.n = random.direction<Dim>();
    c.cn = random.uniform(-1, 1);
    c.ct = tangential_of(random.vector<Dim>(-1, 1), c.n);
    c.inv_wn = random.uniform(0.5, 2.0);
    c.inv_wt = random.uniform(0.1, 0.5);
    c.mu = random.uniform(0.0, 1.0);
    c.pn = random.uniform(0.0, 1.0);
    c.pt = tangential_of(random.vector<Dim>(-1, 1), c.n);
    c.a = a;
    c.b = b;
    c.impact = random.uniform(0.0, 1.0);
    return c;
}

/// All but the lines.
template <int Dim>
void expect_same(const BallContact<Dim>& x, const BallContact<Dim>& y) {
    EXPECT_EQ(x.n, y.n);
    EXPECT_EQ(x.cn, y.cn);
    EXPECT_EQ((x.ct - y.ct).squared(), 0.0);
    EXPECT_EQ(x.inv_wn, y.inv_wn);
    EXPECT_EQ(x.inv_wt, y.inv_wt);
    EXPECT_EQ(x.mu, y.mu);
    EXPECT_EQ(x.pn, y.pn);
    EXPECT_EQ((x.pt - y.pt).squared(), 0.0);
    EXPECT_EQ(x.impact, y.impact);
}

constexpr std::int32_t bodies = 60;   // the last is the ground

/// Bodies in a chain of `domains` slabs that touch each other and the ground.
template <int Dim>
ContactProblem<Dim> chain(Random& random, int domains, std::vector<BallContact<Dim>>& contacts) {
    ContactProblem<Dim> p;
    p.domains = domains;
    p.lines.resize(bodies);
    for (std::int32_t i = 0; i < bodies; ++i) {
        if (domains > 1) p.domain.push_back(i + 1 < bodies ? static_cast<std::int16_t>(i * domains / bodies) : inert_domain);
        if (i + 1 < bodies) p.lines[static_cast<std::size_t>(i)].inv_mass = 1.0;
    }
    for (const auto& line : p.lines) p.free_lines.push_back(motion_of(line));
    for (std::int32_t k = 0; k < 200; ++k) {
        const auto a = static_cast<std::int32_t>(random.uniform(0, bodies - 1));
        const std::int32_t b = k % 7 == 0 ? bodies - 1 : (a + 1 + k % 5) % (bodies - 1);
        contacts.push_back(random_contact<Dim>(random, a, b));
        p.balls.push_back(contacts.back());
    }
    return p;
}

template <class D>
class BallContactsOf : public ::testing::Test {};
TYPED_TEST_SUITE(BallContactsOf, BothDimensions);

TYPED_TEST(BallContactsOf, GiveBackWhatWasPutIn) {
    constexpr int Dim = TypeParam::value;
    Random random(7);
    BallContacts<Dim> balls;
    std::vector<BallContact<Dim>> put;
    for (std::int32_t k = 0; k < 11; ++k) {
        put.push_back(random_contact<Dim>(random, k, k + 1));
        balls.push_back(put.back());
    }
    ASSERT_EQ(balls.size(), put.size());
    std::size_t k = 0;
    for (const BallContact<Dim> c : balls) {
        expect_same(c, put[k]);
        EXPECT_EQ(c.a, put[k].a);
        EXPECT_EQ(c.b, put[k].b);
        EXPECT_EQ(balls.pn(k), put[k].pn);
        EXPECT_EQ(balls.mu(k), put[k].mu);
        ++k;
    }
    // A law or an impulse that is set leaves the rest, and the neighbours in the block, alone.
    BallContact<Dim> law = random_contact<Dim>(random, 0, 0);
    balls.set_law(5, law);
    balls.set_impulse(6, 3.0, {});
    expect_same(balls[4], put[4]);
    expect_same(balls[7], put[7]);
    law.n = put[5].n, law.inv_wn = put[5].inv_wn, law.inv_wt = put[5].inv_wt, law.pn = put[5].pn, law.pt = put[5].pt;
    expect_same(balls[5], law);
    put[6].pn = 3.0, put[6].pt = {};
    expect_same(balls[6], put[6]);
}

TYPED_TEST(BallContactsOf, HoldTangentialConstantsOnlyWhereThereAreAny) {
    constexpr int Dim = TypeParam::value;
    Random random(10);
    BallContacts<Dim> balls;
    std::vector<BallContact<Dim>> put;
    for (std::int32_t k = 0; k < 7; ++k) {
        put.push_back(random_contact<Dim>(random, k, k + 1));
        if (k < 6) put.back().ct = {};
        if (k == 6) { EXPECT_EQ(balls.shifts(), nullptr); }
        balls.push_back(put.back());
    }
    ASSERT_NE(balls.shifts(), nullptr);
    for (std::size_t k = 0; k < put.size(); ++k) expect_same(balls[k], put[k]);
    // Said to have none, a problem with the same number of contacts has none left over.
    balls.set_has_shifts(false);
    balls.resize_for(2);
    EXPECT_EQ(balls.shifts(), nullptr);
    EXPECT_EQ(balls[6].ct.squared(), 0.0);
}

TYPED_TEST(BallContactsOf, KeepTheirNumbersWhenTheyAreArranged) {
    constexpr int Dim = TypeParam::value;
    for (const int domains : {1, 2, 4}) {
        Random random(8);
        std::vector<BallContact<Dim>> put;
        ContactProblem<Dim> p = chain<Dim>(random, domains, put);
        EXPECT_TRUE(p.balls.groups().empty());
        Arranger<Dim>().arrange_present(p);
        ASSERT_EQ(p.balls.size(), put.size());
        for (std::size_t k = 0; k < put.size(); ++k) {
            const BallContact<Dim> c = p.balls[k];
            expect_same(c, put[k]);
            EXPECT_EQ(c.a, put[k].a);
            // The ground is told as a line at the end, which nothing moves either.
            if (put[k].b + 1 < bodies) EXPECT_EQ(c.b, put[k].b);
            else EXPECT_GE(c.b, bodies);
            EXPECT_EQ(is_inert(p.lines[static_cast<std::size_t>(c.b)]), put[k].b + 1 == bodies);
        }
        EXPECT_EQ(p.lines.size(), static_cast<std::size_t>(bodies) + p.balls.groups().size());
        EXPECT_EQ(p.free_lines.size(), p.lines.size());
    }
}

TYPED_TEST(BallContactsOf, ShareNoBodyInTwoBlocksSideBySideAndNoLineBetweenGroupsOfAPart) {
    constexpr int Dim = TypeParam::value;
    Random random(9);
    std::vector<BallContact<Dim>> put;
    ContactProblem<Dim> p = chain<Dim>(random, 4, put);
    Arranger<Dim>().arrange_present(p);
    const Grouping<Dim> grouping(p);
    std::size_t filled = 0;
    for (std::size_t part = 0; part < Grouping<Dim>::parts; ++part) {
        std::vector<std::int64_t> owner(p.lines.size(), -1);
        for (std::size_t g = 0; g < p.balls.groups().size(); ++g) {
            if (grouping.part(g) != part) continue;
            std::vector<std::int32_t> seen, seen_before;   // lines that move, of a block and of the one before it: kernels visit two side by side
            for (std::size_t b = p.balls.groups()[g].first; b < p.balls.groups()[g].last; ++b) {
                seen_before.swap(seen);
                seen.clear();
                const auto& block = p.balls.blocks()[b];
                for (int l = 0; l < lanes; ++l) {
                    filled += block.a[l] != block.b[l];
                    for (const std::int32_t i : {line_at(block.a[l]), line_at(block.b[l])}) {
                        auto& of_line = owner[static_cast<std::size_t>(i)];
                        EXPECT_TRUE(of_line < 0 || of_line == static_cast<std::int64_t>(g));
                        of_line = static_cast<std::int64_t>(g);
                        if (is_inert(p.lines[static_cast<std::size_t>(i)])) continue;
                        EXPECT_EQ(std::count(seen.begin(), seen.end(), i), 0);
                        EXPECT_EQ(std::count(seen_before.begin(), seen_before.end(), i), 0);
                        seen.push_back(i);
                    }
                }
            }
        }
    }
    EXPECT_EQ(filled, put.size());
}

}  // namespace
}  // namespace talus::test

// What is left out of a page, and in which order.

#include "view/embed.h"

#include <gtest/gtest.h>

namespace talus::view {
namespace {

TEST(Thinning, NothingIsLeftOutOfWhatFits) {
    const Thinning t = choose_thinning({1000, 2000, 500, 1500}, 100, 300000);
    EXPECT_EQ(t.every, 1u);
    EXPECT_EQ(t.contacts_every, 1u);
    EXPECT_FALSE(t.lean);
}

TEST(Thinning, ForcesOfSomeFramesGoFirst) {
    const Thinning t = choose_thinning({1000, 2000, 900, 1900}, 100, 200000);   // 100 000 + 50 frames' contacts
    EXPECT_EQ(t.every, 1u);
    EXPECT_EQ(t.contacts_every, 2u);
    EXPECT_FALSE(t.lean);
}

TEST(Thinning, FramesGoLast) {
    const Thinning t = choose_thinning({1000, 2000, 900, 1900}, 100, 50000);
    EXPECT_GT(t.every, 1u);
    EXPECT_LE(static_cast<double>((100 + t.every - 1) / t.every) * 900.0, 50000.0);
}

TEST(Thinning, ALittleRoomStillHoldsOneFrame) {
    const Thinning t = choose_thinning({1e6, 1e6, 1e6, 1e6}, 7, 1.0);
    EXPECT_EQ(t.every, 7u);
}

TEST(Thinning, TheEstimateIsWithinTheBudget) {
    const FrameCost cost{4000, 9000, 2500, 7000};
    for (const double budget : {1e4, 3e4, 1e5, 5e5, 2e6, 7e6}) {
        const Thinning t = choose_thinning(cost, 500, budget);
        const double kept = static_cast<double>((500 + t.every - 1) / t.every);
        const double with = static_cast<double>((static_cast<std::size_t>(kept) + t.contacts_every - 1) / t.contacts_every);
        if (t.every < 500) {
            EXPECT_LE(kept * (t.lean ? 2500 : 4000) + with * (t.lean ? 7000 : 9000), budget) << budget;
        }
    }
}

TEST(Spread, EndsWithTheLast) {
    EXPECT_EQ(spread(0, 5), (std::vector<std::size_t>{}));
    EXPECT_EQ(spread(1, 5), (std::vector<std::size_t>{0}));
    EXPECT_EQ(spread(3, 5), (std::vector<std::size_t>{0, 1, 2}));
    EXPECT_EQ(spread(101, 5), (std::vector<std::size_t>{0, 25, 50, 75, 100}));
    EXPECT_EQ(spread(9, 1), (std::vector<std::size_t>{8}));
}

}  // namespace
}  // namespace talus::view

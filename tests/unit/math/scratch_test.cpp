// Memory that several use one after the other: what was taken stays until something else is, and arrays taken together lie apart.
#include "math/scratch.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <numeric>

namespace talus::test {
namespace {

TEST(Scratch, KeepsWhatWasTakenUntilMoreIsNeeded) {
    Scratch scratch;
    const auto numbers = scratch.take<double>(1000);
    std::iota(numbers.begin(), numbers.end(), 0.0);
    EXPECT_EQ(scratch.take<double>(1000).data(), numbers.data());
    EXPECT_EQ(scratch.first<double>(1000)[999], 999.0);
    const std::size_t bytes = scratch.bytes();
    EXPECT_GE(bytes, 1000 * sizeof(double));
    EXPECT_LE(bytes, 2 * 1000 * sizeof(double));
    (void)scratch.take<std::int32_t>(1500);   // fits
    EXPECT_EQ(scratch.bytes(), bytes);
    (void)scratch.take<double>(5000);
    EXPECT_GE(scratch.bytes(), 5000 * sizeof(double));
}

TEST(Scratch, LaysArraysSideBySide) {
    struct alignas(32) Wide { double x[4]; };
    Scratch scratch;
    for (const std::size_t n : {0u, 1u, 7u, 100u}) {
        const auto [wide, number, flag] = scratch.take_several<Wide, std::int32_t, std::uint8_t>(n);
        for (std::size_t k = 0; k < n; ++k) {
            wide[k] = {{1.0, 2.0, 3.0, static_cast<double>(k)}};
            number[k] = static_cast<std::int32_t>(k);
            flag[k] = static_cast<std::uint8_t>(k);
        }
        for (std::size_t k = 0; k < n; ++k) {
            EXPECT_EQ(wide[k].x[3], static_cast<double>(k));
            EXPECT_EQ(number[k], static_cast<std::int32_t>(k));
            EXPECT_EQ(flag[k], k);
        }
        EXPECT_EQ(reinterpret_cast<std::uintptr_t>(wide.data()) % 32, 0u);
        ASSERT_EQ(flag.size(), n);
    }
}

TEST(Scratch, ACopyStartsEmptyAndAMoveTakesAll) {
    Scratch scratch;
    scratch.take<double>(10)[9] = 3.0;
    const Scratch copy = scratch;   // NOLINT(performance-unnecessary-copy-initialization)
    EXPECT_EQ(copy.bytes(), 0u);
    const Scratch moved = std::move(scratch);
    EXPECT_EQ(moved.first<double>(10)[9], 3.0);
}

TEST(Pieces, FitIntoTheBytesThatTheyAreSaidToTake) {
    Scratch scratch;
    const std::size_t bytes = Pieces::bytes<std::uint8_t>(3) + Pieces::bytes<double>(5) + Pieces::bytes<std::int32_t>(100);
    Pieces pieces(scratch.take<std::byte>(bytes));
    const auto flags = pieces.cut<std::uint8_t>(3);
    const auto numbers = pieces.cut<double>(5);
    const auto counts = pieces.cut<std::int32_t>(100);
    EXPECT_EQ(pieces.left().size(), 0u);
    std::fill(flags.begin(), flags.end(), std::uint8_t{1});
    std::fill(numbers.begin(), numbers.end(), 2.0);
    std::fill(counts.begin(), counts.end(), 3);
    EXPECT_EQ(flags[2], 1u);
    EXPECT_EQ(numbers[0], 2.0);
    EXPECT_EQ(numbers[4], 2.0);
    EXPECT_EQ(counts[0], 3);
}

}  // namespace
}  // namespace talus::test

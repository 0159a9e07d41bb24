// Bytes out and bytes in: what is written is read back, and bytes that end early or claim too much are refused.
#include "state/archive.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace talus::test {
namespace {

TEST(Archive, GivesBackWhatWasWritten) {
    ByteWriter out;
    out.put(3.25);
    out.put(std::int32_t{-7});
    out.put_array(std::vector<double>{1.0, -0.0, 2.5});
    out.put_string("cone inside");
    out.put_array(std::vector<std::int64_t>{});
    const std::vector<std::byte> bytes = out.take();

    ByteReader in(bytes);
    EXPECT_EQ(in.get<double>(), 3.25);
    EXPECT_EQ(in.get<std::int32_t>(), -7);
    std::vector<double> numbers;
    in.get_array(numbers);
    EXPECT_EQ(numbers, (std::vector<double>{1.0, -0.0, 2.5}));
    EXPECT_TRUE(std::signbit(numbers[1]));
    EXPECT_EQ(in.get_string(), "cone inside");
    std::vector<std::int64_t> none{1, 2};
    in.get_array(none);
    EXPECT_TRUE(none.empty());
    EXPECT_TRUE(in.at_end());
}

TEST(Archive, GivesASinkTheSameBytesInPieces) {
    const auto put_all = [](ByteWriter& out) {
        out.put(std::int32_t{5});
        std::vector<double> many(200000);   // several pieces
        for (std::size_t k = 0; k < many.size(); ++k) many[k] = 0.5 * static_cast<double>(k);
        out.put_array(many);
        out.put_each(100000, [](std::size_t k) { return static_cast<std::uint32_t>(k); });
        out.put(std::uint64_t{9});
    };
    ByteWriter whole;
    put_all(whole);
    std::vector<std::byte> together;
    std::size_t pieces = 0, largest = 0;
    ByteWriter out([&](std::span<const std::byte> piece) {
        together.insert(together.end(), piece.begin(), piece.end());
        ++pieces;
        largest = std::max(largest, piece.size());
    });
    put_all(out);
    out.flush();
    EXPECT_EQ(together, whole.take());
    EXPECT_GT(pieces, 4u);
    EXPECT_LT(largest, together.size() / 4);
}

TEST(Archive, RefusesBytesThatEndEarly) {
    ByteWriter out;
    out.put_array(std::vector<double>{1.0, 2.0, 3.0});
    const std::vector<std::byte> bytes = out.take();
    for (std::size_t n = 0; n < bytes.size(); ++n) {
        ByteReader in{std::span<const std::byte>(bytes).first(n)};
        std::vector<double> numbers;
        EXPECT_THROW(in.get_array(numbers), IoError) << n;
    }
}

TEST(Archive, RefusesAnArrayThatClaimsMoreThanThereIs) {
    ByteWriter out;
    out.put(std::uint64_t{1} << 61);  // times eight this overflows to zero
    const std::vector<std::byte> bytes = out.take();
    ByteReader in(bytes);
    std::vector<double> numbers;
    EXPECT_THROW(in.get_array(numbers), IoError);
}

}  // namespace
}  // namespace talus::test

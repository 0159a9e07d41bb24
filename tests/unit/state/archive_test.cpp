// Bytes out and bytes in: what is written is read back, and bytes that end early or claim too much are refused.
#include "state/archive.h"

#include <gtest/gtest.h>

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

TEST(Archive, GoesOnAfterOtherBytesInTheRoomThatWasMade) {
    ByteWriter first;
    first.put(std::int32_t{5});
    ByteWriter out(first.take());
    out.reserve(2 * sizeof(std::uint64_t) + 3 * sizeof(double));
    out.put_array(std::vector<double>{1.0, 2.0, 3.0});
    out.put(std::uint64_t{9});
    const std::vector<std::byte> bytes = out.take();
    EXPECT_EQ(bytes.capacity(), bytes.size());   // never moved to a larger place

    ByteReader in(bytes);
    EXPECT_EQ(in.get<std::int32_t>(), 5);
    std::vector<double> numbers;
    in.get_array(numbers);
    EXPECT_EQ(in.rest().size(), sizeof(std::uint64_t));
    ByteReader behind(in.rest());
    EXPECT_EQ(behind.get<std::uint64_t>(), 9u);
    EXPECT_TRUE(behind.at_end());
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

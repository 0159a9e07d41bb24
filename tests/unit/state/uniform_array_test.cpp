// An array that takes no memory while all its elements are alike behaves as any other.
#include "state/uniform_array.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "state/archive.h"

namespace talus::test {
namespace {

TEST(UniformArray, TakesMemoryFromTheFirstOnThatDiffers) {
    UniformArray<int> array{-1};
    for (int k = 0; k < 1000; ++k) array.push_back(-1);
    array.set(17, -1);
    array.reserve(5000);
    EXPECT_EQ(array.capacity(), 0u);
    EXPECT_EQ(array.size(), 1000u);
    array.set(3, 7);
    EXPECT_GE(array.capacity(), 1000u);
    EXPECT_EQ(array[3], 7);
    EXPECT_EQ(array[4], -1);
}

TEST(UniformArray, HoldsWhatAVectorHolds) {
    const auto holds = [](const std::vector<std::uint8_t>& changes) {
        UniformArray<int> array{0};
        std::vector<int> vector;
        for (std::size_t k = 0; k < changes.size(); ++k) {
            const int value = changes[k] % 5 == 0 ? changes[k] : 0;   // mostly usual
            if (changes[k] % 3 == 0 && !vector.empty()) {
                array.set(k % vector.size(), value);
                vector[k % vector.size()] = value;
            } else if (changes[k] % 7 == 0) {
                array.resize(vector.size() / 2);
                vector.resize(vector.size() / 2);
            } else {
                array.push_back(value);
                vector.push_back(value);
            }
        }
        RC_ASSERT(array.size() == vector.size());
        for (std::size_t k = 0; k < vector.size(); ++k) RC_ASSERT(array[k] == vector[k]);
        ByteWriter out;
        out.put_array(array);
        const auto bytes = out.take();
        ByteWriter plain;
        plain.put_array(vector);
        RC_ASSERT(bytes == plain.take());   // checkpoints do not tell the two apart
        UniformArray<int> back{0};
        back.push_back(9);
        ByteReader in(bytes);
        in.get_array(back);
        RC_ASSERT(back.size() == vector.size());
        for (std::size_t k = 0; k < vector.size(); ++k) RC_ASSERT(back[k] == vector[k]);
    };
    EXPECT_TRUE(rc::check(holds));
}

}  // namespace
}  // namespace talus::test

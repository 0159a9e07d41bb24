// Cause: the constant `_pi` of muParser 2.3 is 3.141592653589, without the last digits of a double: "sin(2*_pi*t)" was
// 2e-13 short of a turn each second.
#include <gtest/gtest.h>

#include <numbers>

#include "state/expression.h"

namespace talus {
namespace {

TEST(PiInExpressions, IsADoubleOfFullLength) {
    EXPECT_EQ(Formula("_pi", {}).value({}), std::numbers::pi);
    EXPECT_EQ(Formula("_e", {}).value({}), std::numbers::e);
}

}  // namespace
}  // namespace talus

#include "base/tensors/half.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>

namespace opbench {
namespace {

constexpr float kHalfInfinity = std::numeric_limits<float>::infinity();

TEST(Float16, ComesBackAsItWas) {
  for (uint32_t bits = 0; bits < 0x10000; ++bits) {
    const auto half = static_cast<uint16_t>(bits);
    const float value = float_of_half(half);
    if (std::isnan(value)) {
      EXPECT_TRUE(std::isnan(float_of_half(half_of(value))));
    } else {
      EXPECT_EQ(half_of(value), half) << value;
    }
  }
}

TEST(Float16, RoundsToTheNearestEven) {
  // Between every two neighbours: halfway goes to the even one, a little more to the upper one.
  for (uint16_t bits = 0; bits < 0x7BFF; ++bits) {
    const float low = float_of_half(bits);
    const float high = float_of_half(bits + 1);
    const float middle = (low + high) / 2;
    const uint16_t even = bits % 2 == 0 ? bits : bits + 1;
    ASSERT_EQ(half_of(middle), even) << middle;
    ASSERT_EQ(half_of(std::nextafter(middle, kHalfInfinity)), bits + 1) << middle;
    ASSERT_EQ(half_of(std::nextafter(middle, 0.0F)), bits) << middle;
    ASSERT_EQ(half_of(-middle), even | 0x8000) << middle;
  }
}

TEST(Float16, HasInfinitiesAndSmallNumbers) {
  EXPECT_EQ(float_of_half(0x7C00), kHalfInfinity);
  EXPECT_EQ(half_of(65520), 0x7C00) << "halfway past the largest";
  EXPECT_EQ(half_of(65519), 0x7BFF);
  EXPECT_EQ(half_of(1e9F), 0x7C00);
  EXPECT_EQ(half_of(-kHalfInfinity), 0xFC00);
  EXPECT_EQ(float_of_half(0x0001), std::ldexp(1.0F, -24));
  EXPECT_EQ(half_of(1e-30F), 0);
  EXPECT_EQ(half_of(-0.0F), 0x8000);
  EXPECT_EQ(float(Float16(1.5)), 1.5F);
  EXPECT_EQ(float(std::numeric_limits<Float16>::max()), 65504);
}

TEST(Float16, RoundsADoubleOnce) {
  // A little more than halfway; by way of a float it would be halfway, and go to the even one.
  EXPECT_EQ(half_of(1 + 0x1p-11 + 0x1p-40), 0x3C01);
  EXPECT_EQ(half_of(0x1p-25 + 0x1p-60), 0x0001);
  EXPECT_EQ(bfloat_of(1 + 0x1p-8 + 0x1p-40), 0x3F81);
  EXPECT_EQ(half_of(1e300), 0x7C00);
  EXPECT_EQ(bfloat_of(1e300), 0x7F80);
  EXPECT_EQ(bfloat_of(0x1p-133), 0x0001) << "the least above 0";
}

TEST(BFloat16, KeepsTheUpperHalfOfAFloat) {
  EXPECT_EQ(float(BFloat16(1.0F)), 1);
  EXPECT_EQ(bfloat_of(std::bit_cast<float>(0x3F808000U)), 0x3F80) << "halfway, to even";
  EXPECT_EQ(bfloat_of(std::bit_cast<float>(0x3F818000U)), 0x3F82) << "halfway, to even";
  EXPECT_EQ(bfloat_of(std::bit_cast<float>(0x3F808001U)), 0x3F81);
  EXPECT_EQ(bfloat_of(-kHalfInfinity), 0xFF80);
  EXPECT_TRUE(std::isnan(float_of_bfloat(bfloat_of(std::nanf("")))));
  EXPECT_EQ(float(BFloat16(Float16(2.5F))), 2.5F);
}

}  // namespace
}  // namespace opbench

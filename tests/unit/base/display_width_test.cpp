#include "base/text/display_width.h"

#include <gtest/gtest.h>

namespace opbench {
namespace {

TEST(DisplayWidth, CountsColumnsNotBytes) {
  EXPECT_EQ(display_width("conv2d"), 6U);
  EXPECT_EQ(display_width("±0.6 %"), 6U);
  EXPECT_EQ(display_width("e\u0301"), 1U);  // a combining accent
  EXPECT_EQ(display_width("卷積"), 4U);
}

TEST(DisplayWidth, TakesBytesThatAreNotUtf8AsOneColumn) {
  EXPECT_EQ(display_width("a\xff\xc3"), 3U);
  EXPECT_EQ(display_width("\xe5\x8d"), 2U);  // cut off
}

TEST(DisplayWidth, ShortensBetweenCharacters) {
  EXPECT_EQ(shorten("conv2d", 6), "conv2d");
  EXPECT_EQ(shorten("conv2d", 5), "conv…");
  EXPECT_EQ(shorten("卷積層", 4), "卷…");
  EXPECT_EQ(shorten("abc", 1), "…");
}

TEST(DisplayWidth, PadsToColumns) {
  EXPECT_EQ(pad_left("±1", 4), "  ±1");
  EXPECT_EQ(pad_right("±1", 4), "±1  ");
  EXPECT_EQ(pad_left("12345", 4), "12345");
}

}  // namespace
}  // namespace opbench

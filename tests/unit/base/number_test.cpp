#include "base/numbers/number.h"

#include <gtest/gtest.h>

namespace opbench {
namespace {

TEST(ParseInteger, TakesTheWholeText) {
  EXPECT_EQ(parse_integer("12"), 12);
  EXPECT_EQ(parse_integer("-9223372036854775808"), INT64_MIN);
  for (const char* text : {"", "-", "1 ", " 1", "+1", "1.0", "0x1", "9223372036854775808"}) {
    EXPECT_FALSE(parse_integer(text)) << text;
  }
}

TEST(ParseNumber, TakesTheWholeText) {
  EXPECT_EQ(parse_number("1.5e-3"), 0.0015);
  EXPECT_EQ(parse_number("-2"), -2);
  for (const char* text : {"", "1.5x", "one", " 1", "nan", "inf"}) {
    EXPECT_FALSE(parse_number(text)) << text;
  }
}

}  // namespace
}  // namespace opbench

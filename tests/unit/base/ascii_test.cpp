#include "base/text/ascii.h"

#include <gtest/gtest.h>

namespace opbench {
namespace {

TEST(Trimmed, LosesBlanksAndLineEndsAroundATextOnly) {
  EXPECT_EQ(trimmed(" \ta b\r\n"), "a b");
  EXPECT_EQ(trimmed(" \r\n\t"), "");
  EXPECT_EQ(trimmed(""), "");
}

TEST(LowerCase, LeavesOtherBytesAlone) {
  EXPECT_EQ(lower_case("AZaz09-\xC3\x84"), "azaz09-\xC3\x84");
}

}  // namespace
}  // namespace opbench

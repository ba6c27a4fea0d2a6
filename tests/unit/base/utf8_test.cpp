#include <gtest/gtest.h>

#include "base/text/printable.h"

namespace opbench {
namespace {

TEST(Utf8, IsTold) {
  for (const char* text : {"", "conv1", "ü", "世界", "\xf0\x9f\x98\x80", "a\nb"}) {
    EXPECT_TRUE(is_utf8(text)) << text;
  }
  for (const char* text : {"\xff", "\x80", "\xc3", "\xc0\x80", "\xe0\x80\x80", "\xed\xa0\x80",
                           "\xf4\x90\x80\x80", "\xf5\x80\x80\x80", "a\xe4"}) {
    EXPECT_FALSE(is_utf8(text));
  }
}

}  // namespace
}  // namespace opbench

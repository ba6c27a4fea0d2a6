#include "base/text/printable.h"

#include <gtest/gtest.h>

namespace opbench {
namespace {

TEST(Printable, KeepsTextOfEveryLanguage) {
  EXPECT_EQ(printable("a ä 中 🚀 \"q\" \\"), "a ä 中 🚀 \"q\" \\");
}

TEST(Printable, EscapesWhatSteersATerminal) {
  EXPECT_EQ(printable(std::string_view("\x1b[2J\n\t\r\0\x7f", 9)), "\\x1b[2J\\n\\t\\r\\x00\\x7f");
  EXPECT_EQ(printable("\u009b31m \u202etxt"), "\\x9b31m \\u202etxt");
}

TEST(Printable, EscapesBytesThatAreNotUtf8) {
  EXPECT_EQ(printable("\xc0\xaf"), "\\xc0\\xaf");                    // overlong
  EXPECT_EQ(printable("\xed\xa0\x80"), "\\xed\\xa0\\x80");           // a surrogate
  EXPECT_EQ(printable("\xf4\x90\x80\x80"), "\\xf4\\x90\\x80\\x80");  // above U+10FFFF
  EXPECT_EQ(printable("\xe4\xb8"), "\\xe4\\xb8");                    // cut
}

TEST(Printable, CutsInTheMiddleBetweenCharacters) {
  EXPECT_EQ(shortened_middle("short", 5), "short");
  EXPECT_EQ(shortened_middle("0123456789", 6), "0123…89");
  const std::string text = shortened_middle("ääääääääääää", 9);
  EXPECT_EQ(text, printable(text));
}

}  // namespace
}  // namespace opbench

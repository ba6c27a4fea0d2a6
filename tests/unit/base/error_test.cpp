#include "base/errors/error.h"

#include <gtest/gtest.h>

namespace opbench {
namespace {

TEST(Error, IsALineForItAndEveryFact) {
  const Error error = Error{ErrorCode::kInvalidInput, "no \"a\""}.with("did you mean", "ä");
  EXPECT_EQ(to_text(error), "error: no \"a\"\n  did you mean: ä\n");
}

TEST(Error, DoesNotSteerTheTerminal) {
  const Error error{
      ErrorCode::kInvalidInput, std::string("no \x1b[31m\0", 9), {{"in", "a\rb\tc\x7f"}}};
  EXPECT_EQ(to_text(error), "error: no \\x1b[31m\\x00\n  in: a\\rb\\tc\\x7f\n");
}

TEST(Error, StaysOnOneLineWhateverItQuotes) {
  const Error error{ErrorCode::kInvalidInput, "no file \"a\nerror: b\"", {{"in", "c\nfor: d"}}};
  EXPECT_EQ(to_text(error), "error: no file \"a\\nerror: b\"\n  in: c\n    for: d\n");
}

TEST(Error, ShowsBytesThatAreNotUtf8) {
  const Error error{ErrorCode::kInvalidInput, "no \"\xff\xc3(\xe2\x82ok\""};
  EXPECT_EQ(to_text(error), "error: no \"\\xff\\xc3(\\xe2\\x82ok\"\n");
}

TEST(Error, CutsLongValuesAndKeepsWhatStandsAroundThem) {
  const Error error{ErrorCode::kInvalidInput,
                    "unknown engine \"" + std::string(5000, 'x') + "end\" here"};
  const std::string text = to_text(error);
  EXPECT_LT(text.size(), 300U);
  EXPECT_TRUE(text.starts_with("error: unknown engine \"xxx"));
  EXPECT_TRUE(text.ends_with("xxxend\" here\n"));
  const Error unquoted{ErrorCode::kInvalidInput, std::string(50000, 'y')};
  EXPECT_LT(to_text(unquoted).size(), 1300U);
}

Result<void> check_if(bool is_checked, Result<void> result, bool& was_else) {
  if (is_checked)
    OPBENCH_CHECK(result);
  else
    was_else = true;
  return {};
}

TEST(Check, IsOneStatementBehindAnIfWithoutBraces) {
  bool was_else = false;
  EXPECT_EQ(check_if(true, invalid_input("no"), was_else).error(), invalid_input("no"));
  EXPECT_TRUE(check_if(true, {}, was_else).has_value());
  EXPECT_FALSE(was_else) << "the else belongs to the outer if";
  EXPECT_TRUE(check_if(false, invalid_input("no"), was_else).has_value());
  EXPECT_TRUE(was_else);
}

}  // namespace
}  // namespace opbench

#include "opbench/base/error.h"

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
  EXPECT_EQ(to_text(error), "error: no ?[31m?\n  in: a?b\tc?\n");
}

}  // namespace
}  // namespace opbench

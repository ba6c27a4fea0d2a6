#include "records/store/rows/trial_line.h"

#include <gtest/gtest.h>

namespace opbench {
namespace {

TEST(TrialLine, TakesOneKnobAfterTheOther) {
  std::string_view knobs = "a%20b%25:sp rows:ot c%zz%2";
  const auto takes = [&](const std::string& name, const std::string& kind) {
    const NamedKnob knob = take_knob(knobs);
    EXPECT_EQ(knob.name, name);
    EXPECT_EQ(knob.kind, kind);
  };
  takes("a b%", "sp");
  takes("rows", "ot");
  takes("c%zz%2", "");  // no code of a letter
  EXPECT_TRUE(knobs.empty());
  takes("", "");
}

}  // namespace
}  // namespace opbench

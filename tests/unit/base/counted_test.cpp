#include "base/text/counted.h"

#include <gtest/gtest.h>

namespace opbench {
namespace {

TEST(Counted, TakesTheFormOfTheNumber) {
  EXPECT_EQ(counted(1, "night"), "1 night");
  EXPECT_EQ(counted(0, "night"), "0 nights");
  EXPECT_EQ(counted(2, "pass", "passes"), "2 passes");
  EXPECT_EQ(counted(1, "unit has", "units have"), "1 unit has");
}

}  // namespace
}  // namespace opbench

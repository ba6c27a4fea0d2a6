#include <gtest/gtest.h>

#include <limits>

#include "expect_computes.h"

namespace opbench {
namespace {

class ArgExtremeSchedule : public ::testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Targets, ArgExtremeSchedule,
                         ::testing::Values("host", "llvm -mcpu=core-avx2", "llvm"));

TEST_P(ArgExtremeSchedule, FindsThePlacesInColumns) {
  for (const char* kind : {"arg_min", "arg_max"}) {
    for (const char* operands :
         {" 20x9x3x43 axis=1", " 5x70 axis=0 keepdims=0", " 1x64 axis=0", " 3x1x77 axis=1",
          " 2x300x16 axis=-2 select_last_index=1", " 5x64 axis=1", " 3x1003 axis=-1 keepdims=0",
          " 2x130x1 axis=1 select_last_index=1"}) {
      expect_computes("arg_extreme", std::string(kind) + operands, GetParam());
    }
  }
}

TEST(ArgExtremeSchedules, TakeTheFirstOrLastOfEqualNumbers) {
  for (const char* last : {"", " select_last_index=1"}) {
    const auto spec =
        kernel_spec("arg_max 6x40 axis=0" + std::string(last), "host", "arg_extreme", false);
    ASSERT_TRUE(spec) << to_text(spec.error());
    std::vector<Tensor> inputs = random_inputs(spec->workload, 1);
    for (float& value : inputs[0].as<float>()) value = value > 0 ? 1.0F : -1.0F;
    inputs[0].as<float>()[7] = std::numeric_limits<float>::quiet_NaN();  // better than nothing
    const auto error = kernel_error(*spec, inputs);
    ASSERT_TRUE(error) << to_text(error.error());
    EXPECT_EQ(*error, 0);
  }
}

TEST(ArgExtremeSchedules, TakeTheFirstOrLastOfEqualNumbersInRows) {
  for (const char* last : {"", " select_last_index=1"}) {
    const auto spec =
        kernel_spec("arg_min 9x211 axis=1" + std::string(last), "host", "arg_extreme", false);
    ASSERT_TRUE(spec) << to_text(spec.error());
    std::vector<Tensor> inputs = random_inputs(spec->workload, 1);
    for (float& value : inputs[0].as<float>()) value = value > 0.9F ? -1.0F : 1.0F;
    const auto error = kernel_error(*spec, inputs);
    ASSERT_TRUE(error) << to_text(error.error());
    EXPECT_EQ(*error, 0);
  }
}

TEST(ArgExtremeSchedules, LeaveShortRowsAndOtherTypesToTheReference) {
  EXPECT_FALSE(kernel_spec("arg_max 40x15 axis=1", "host", "arg_extreme", false));
  EXPECT_FALSE(kernel_spec("arg_max 40x64:int32 axis=0", "host", "arg_extreme", false));
}

}  // namespace
}  // namespace opbench

#include <gtest/gtest.h>

#include "expect_computes.h"

namespace opbench {
namespace {

class RotarySchedule : public ::testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Targets, RotarySchedule,
                         ::testing::Values("host", "llvm -mcpu=core-avx2", "llvm"));

TEST_P(RotarySchedule, TurnsHeads) {
  for (const char* workload : {"rotary_embedding 2x3x5x64 2x5x32 2x5x32",
                               "rotary_embedding 2x5x192 2x5x32 2x5x32 num_heads=3",
                               "rotary_embedding 1x3x5x20 1x5x10 1x5x10",
                               "rotary_embedding 2x3x5x64 2x5x32 2x5x32 interleaved=1",
                               "rotary_embedding 2x5x60 2x5x10 2x5x10 interleaved=1 num_heads=3",
                               "rotary_embedding 1x4x1x128 1x1x64 1x1x64"}) {
    expect_computes("rotary", workload, GetParam());
  }
}

TEST(RotarySchedules, LeavePositionsAndPartsOfHeadsToTheReference) {
  EXPECT_FALSE(kernel_spec("rotary_embedding 1x2x4x8 9x4 9x4 1x4:int64", "host", "rotary", false));
  EXPECT_FALSE(kernel_spec("rotary_embedding 1x2x4x8 1x4x2 1x4x2 rotary_embedding_dim=4", "host",
                           "rotary", false));
}

}  // namespace
}  // namespace opbench

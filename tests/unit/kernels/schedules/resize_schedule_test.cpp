#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "expect_computes.h"

namespace opbench {
namespace {

class ResizeSchedule : public ::testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Targets, ResizeSchedule,
                         ::testing::Values("host", "llvm -mcpu=core-avx2", "llvm"));

TEST_P(ResizeSchedule, ComputesEveryModeAndCoordinate) {
  for (const char* mode : {"nearest", "linear", "cubic"}) {
    for (const char* coordinates :
         {"half_pixel", "asymmetric", "align_corners", "pytorch_half_pixel"}) {
      for (const char* scales : {"2,2", "1.7,0.6", "1,3"}) {
        expect_computes("resize",
                        std::string("resize 2x3x9x20 _ =1,1,") + scales + " mode=" + mode +
                            " coordinate_transformation_mode=" + coordinates,
                        GetParam());
      }
    }
  }
}

TEST_P(ResizeSchedule, ComputesSmallAndFlatTensors) {
  for (const char* workload :
       {"resize 2x3x4 _ =1,1,2.5 mode=linear", "resize 1x2x3x3 _ =1,1,2,2 mode=linear",
        "resize 40x3 _ =2,2", "resize 1x3x30x31 _ =1,1,0.5,0.5 mode=linear antialias=1"}) {
    expect_computes("resize", workload, GetParam());
  }
}

TEST(ResizeScheduleRule, LeavesOtherAxesAndCroppingToTheReference) {
  EXPECT_FALSE(kernel_spec("resize 1x3x4x4 _ =1,2,1,1", "host", "resize", false));
  EXPECT_FALSE(
      kernel_spec("resize 1x1x4x4 =0,0,0.4,0.6,1,1,0.6,0.8 _ =1,1,3,3:int64 "
                  "coordinate_transformation_mode=tf_crop_and_resize mode=linear",
                  "host", "resize", false));
}

}  // namespace
}  // namespace opbench

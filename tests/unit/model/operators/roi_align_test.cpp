#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "node_on_tensors.h"
#include "reference_runner.h"

namespace opbench {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

/// One region of a 4x4 image that counts up from 0, pooled to 1x1.
NodeOnTensors roi_align(const std::vector<float>& corners, Attributes attributes,
                        int64_t opset = 16) {
  std::vector<float> image(16);
  for (size_t i = 0; i < 16; ++i) image[i] = static_cast<float>(i);
  return {make_node("RoiAlign", std::move(attributes)),
          {float_tensor({1, 1, 4, 4}, image), float_tensor({1, 4}, corners), int_tensor({1}, {0})},
          opset};
}

Attributes one_sample(const std::string& mode, const std::string& coordinates) {
  return {{"sampling_ratio", int64_t{1}},
          {"mode", mode},
          {"coordinate_transformation_mode", coordinates}};
}

TEST(RoiAlign, InterpolatesAtTheCentreOfABin) {
  // The centre (2, 2) lies at (1.5, 1.5) when pixels are counted by their centres.
  EXPECT_THAT(roi_align({1, 1, 3, 3}, one_sample("avg", "half_pixel")).floats(), ElementsAre(7.5F));
  EXPECT_THAT(roi_align({1, 1, 3, 3}, one_sample("avg", "output_half_pixel")).floats(),
              ElementsAre(10));
}

TEST(RoiAlign, AveragesAsManySamplesAsTheRegionHasPixels) {
  EXPECT_THAT(roi_align({0, 0, 4, 4}, {}).floats(), ElementsAre(7.5F));
  EXPECT_THAT(roi_align({0, 0, 4, 4}, {{"output_height", int64_t{2}}, {"output_width", int64_t{2}}})
                  .floats(),
              ElementsAre(2.5F, 4.5F, 10.5F, 12.5F));
  EXPECT_THAT(roi_align({0, 0, 2, 2}, {{"spatial_scale", 2.0F}}).floats(), ElementsAre(7.5F));
}

TEST(RoiAlign, TakesTheLargestWeightedElementInModeMax) {
  EXPECT_THAT(roi_align({1, 1, 3, 3}, one_sample("max", "half_pixel")).floats(), ElementsAre(2.5F));
  EXPECT_THAT(roi_align({0, 0, 4, 4}, {{"mode", std::string("max")}}).floats(), ElementsAre(15));
}

TEST(RoiAlign, GivesNothingOutsideAndForEmptyRegions) {
  EXPECT_THAT(roi_align({9, 9, 11, 11}, {}).floats(), ElementsAre(0));
  EXPECT_THAT(roi_align({2, 2, 1, 1}, {}).floats(), ElementsAre(0));
  EXPECT_EQ(shape("roi_align 2x3x4x5 0x4 0:int64 output_height=7"), (Shape{0, 3, 7, 1}));
}

TEST(RoiAlign, CountsFromPixelCornersBeforeOpset16) {
  const NodeOnTensors node = roi_align({1, 1, 3, 3}, {{"sampling_ratio", int64_t{1}}}, 10);
  EXPECT_THAT(node.floats(), ElementsAre(10));
  std::map<std::string, Tensor> constants;
  const Node modern = node.definition().modern_form(node.call(), constants);
  EXPECT_EQ(string_attribute(modern, "coordinate_transformation_mode", ""), "output_half_pixel");
}

TEST(RoiAlign, RefusesWhatDoesNotFit) {
  const std::string operands = "roi_align 1x1x4x4 2x4 2:int64";
  EXPECT_THAT(refusal_of(operands + " mode=min"), HasSubstr("unknown mode \"min\""));
  EXPECT_THAT(refusal_of(operands + " output_width=0"), HasSubstr("output_width 0 is below 1"));
  EXPECT_THAT(refusal_of(operands + " sampling_ratio=-1"),
              HasSubstr("sampling_ratio -1 is not within 0 to 32768"));
  EXPECT_THAT(refusal_of("roi_align 1x1x4x4 2x4 3:int64"), HasSubstr("batch indices 3"));
  EXPECT_THAT(refusal_of("roi_align 1x1x4x0 2x4 2:int64"), HasSubstr("data 1x1x4x0 are empty"));
  EXPECT_THAT(refusal_of("roi_align 1x1x4x4:int32 2x4 2:int64"),
              HasSubstr("operand 0 is int32, no floating-point numbers"));
  const Tensor image = float_tensor({1, 1, 1, 1}, {1});
  const Tensor region = float_tensor({1, 4}, {0, 0, 1, 1});
  for (const int64_t batch : {-1, 1}) {
    const NodeOnTensors node(make_node("RoiAlign"), {image, region, int_tensor({1}, {batch})});
    EXPECT_THAT(node.refusal(), HasSubstr("index " + std::to_string(batch)));
  }
}

TEST(RoiAlign, LeavesDefaultsOutOfItsText) {
  EXPECT_EQ(normal_text("roi_align 1x1x4x4 2x4 2:int64 mode=avg spatial_scale=0.5"),
            "roi_align 1x1x4x4 2x4 2:int64 spatial_scale=0.5");
}

}  // namespace
}  // namespace opbench

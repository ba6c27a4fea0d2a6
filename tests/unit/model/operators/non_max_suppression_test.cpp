#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "node_on_tensors.h"
#include "reference_runner.h"

namespace opbench {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

/// Three boxes in a row: the second overlaps the first by half of the union, the third neither.
Tensor three_boxes() { return float_tensor({1, 3, 4}, {0, 0, 3, 1, 1, 0, 4, 1, 8, 0, 9, 1}); }

NodeOnTensors suppression(const Tensor& scores, int64_t most, float overlap) {
  return {make_node("NonMaxSuppression"),
          {three_boxes(), scores, int_tensor({}, {most}), float_tensor({1}, {overlap})}};
}

const std::vector<float> kScores = {0.5F, 0.9F, 0.7F};

TEST(NonMaxSuppression, KeepsTheBestOfBoxesThatOverlap) {
  const Tensor scores = float_tensor({1, 1, 3}, kScores);
  EXPECT_THAT(suppression(scores, 3, 0.4F).integers(), ElementsAre(0, 0, 1, 0, 0, 2));
  EXPECT_THAT(suppression(scores, 3, 0.5F).integers(), ElementsAre(0, 0, 1, 0, 0, 2, 0, 0, 0));
  EXPECT_THAT(suppression(scores, 1, 0.5F).integers(), ElementsAre(0, 0, 1));
}

TEST(NonMaxSuppression, KeepsNothingWithoutANumber) {
  const NodeOnTensors node(make_node("NonMaxSuppression"),
                           {three_boxes(), float_tensor({1, 1, 3}, kScores)});
  EXPECT_EQ(node.types().value()[0], (TensorType{DataType::kInt64, {0, 3}}));
}

TEST(NonMaxSuppression, DropsLowScoresAndKeepsTheOrderOfEqualOnes) {
  const NodeOnTensors node(
      make_node("NonMaxSuppression"),
      {three_boxes(), float_tensor({1, 2, 3}, {0.5F, 0.5F, 0.5F, 0.1F, 0.2F, 0.3F}),
       int_tensor({1}, {3}), omitted(), float_tensor({1}, {0.2F})});
  EXPECT_THAT(node.integers(), ElementsAre(0, 0, 0, 0, 0, 2, 0, 1, 2));
}

TEST(NonMaxSuppression, TakesCornersInAnyOrderAndCenters) {
  const Tensor scores = float_tensor({1, 1, 2}, {0.9F, 0.8F});
  const Tensor most = int_tensor({}, {2});
  const NodeOnTensors flipped(make_node("NonMaxSuppression"),
                              {float_tensor({1, 2, 4}, {1, 1, 0, 0, 0, 0, 1, 1}), scores, most});
  EXPECT_THAT(flipped.integers(), ElementsAre(0, 0, 0));
  const NodeOnTensors centers(make_node("NonMaxSuppression", {{"center_point_box", int64_t{1}}}),
                              {float_tensor({1, 2, 4}, {0, 0, 2, 2, 2, 0, 2, 2}), scores, most});
  EXPECT_THAT(centers.integers(), ElementsAre(0, 0, 0, 0, 0, 1));
}

TEST(NonMaxSuppression, RefusesWhatDoesNotFit) {
  const Tensor scores = float_tensor({1, 1, 3}, kScores);
  EXPECT_THAT(suppression(scores, -1, 0).refusal(),
              HasSubstr("max_output_boxes_per_class -1 is below 0"));
  EXPECT_THAT(suppression(scores, 1, 1.5F).refusal(),
              HasSubstr("iou_threshold 1.5 is not within 0 to 1"));
  EXPECT_THAT(suppression(float_tensor({1, 1, 2}, {1, 2}), 1, 0).refusal(),
              HasSubstr("boxes 1x3x4 do not fit scores 1x1x2"));
  EXPECT_THAT(refusal_of("non_max_suppression 1x3x4 1x1x3"), HasSubstr("its boxes (operand 0)"));
}

}  // namespace
}  // namespace opbench

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "node_on_tensors.h"
#include "reference_runner.h"

namespace opbench {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

using ::testing::FloatNear;
using ::testing::Pointwise;

/// The row 1, 2, 4 at these places; -1 and 1 are its outer edges, or corners when aligned.
Floats sample(const std::string& mode, const std::string& padding, const Floats& places,
              int64_t is_aligned = 0) {
  const auto count = static_cast<int64_t>(places.size());
  const NodeOnTensors node(
      make_node("GridSample",
                {{"mode", mode}, {"padding_mode", padding}, {"align_corners", is_aligned}}),
      {float_tensor({1, 1, 3}, {1, 2, 4}), float_tensor({1, count, 1}, places)}, 20);
  return node.floats();
}

/// The place of element `at` when -1 and 1 are outer edges.
float edge_place(float at) { return (2 * at + 1) / 3 - 1; }

TEST(GridSample, InterpolatesBetweenElements) {
  EXPECT_THAT(sample("linear", "zeros", {-1, -0.5F, 0, 1}, 1), ElementsAre(1, 1.5F, 2, 4));
  EXPECT_THAT(sample("linear", "zeros", {-1, 0, 1}), ElementsAre(0.5F, 2, 2));
  EXPECT_THAT(sample("nearest", "zeros", {-0.6F, 0.2F, 0.5F, 2}), ElementsAre(1, 2, 4, 0));
}

TEST(GridSample, PadsWithTheBorder) {
  const Floats places = {edge_place(-5), edge_place(2.3F), edge_place(7)};
  for (const char* mode : {"linear", "nearest"}) {
    EXPECT_THAT(sample(mode, "border", places), ElementsAre(1, 4, 4)) << mode;
  }
  EXPECT_THAT(sample("cubic", "border", {edge_place(-5), edge_place(7)}), ElementsAre(1, 4));
}

TEST(GridSample, PadsWithReflections) {
  // About the outer edges: … 2 1 | 1 2 4 | 4 2 …
  EXPECT_THAT(sample("nearest", "reflection",
                     {edge_place(-1), edge_place(-2), edge_place(3), edge_place(5), edge_place(6)}),
              ElementsAre(1, 2, 4, 1, 1));
  // About the corners: … 2 | 1 2 4 | 2 1 2 …; elements lie 1 apart.
  EXPECT_THAT(sample("nearest", "reflection", {-2, 2, 3, 4}, 1), ElementsAre(2, 2, 1, 2));
  EXPECT_THAT(sample("linear", "reflection", {-1.5F, 1.5F}, 1), ElementsAre(1.5F, 3));
}

TEST(GridSample, WeighsFourElementsInModeCubic) {
  // Half way: -0.09375, 0.59375, 0.59375, -0.09375 of 0, 1, 2, 4 and of 1, 2, 4, 0.
  EXPECT_THAT(sample("cubic", "zeros", {-0.5F, 0.5F}, 1),
              Pointwise(FloatNear(1e-6F), {1.40625F, 3.46875F}));
  EXPECT_THAT(sample("cubic", "zeros", {-1, 0, 1}, 1), ElementsAre(1, 2, 4));
}

TEST(GridSample, TakesInfiniteAndMissingPlaces) {
  EXPECT_THAT(sample("linear", "zeros", {INFINITY, -INFINITY, NAN}), ElementsAre(0, 0, 0));
  EXPECT_THAT(sample("nearest", "border", {INFINITY, -INFINITY, NAN}), ElementsAre(4, 1, 1));
}

TEST(GridSample, ReadsTheInnermostCoordinateFirst) {
  const NodeOnTensors plane(
      make_node("GridSample", {{"align_corners", int64_t{1}}}),
      {float_tensor({1, 2, 2, 2}, count_up(8)), float_tensor({1, 1, 2, 2}, {1, -1, -1, 1})});
  EXPECT_THAT(plane.floats(), ElementsAre(2, 3, 6, 7));
  const NodeOnTensors volume(make_node("GridSample", {{"align_corners", int64_t{1}}}),
                             {float_tensor({1, 1, 2, 2, 2}, count_up(8)),
                              float_tensor({1, 1, 1, 2, 3}, {1, -1, -1, 0, 0, 0})},
                             20);
  EXPECT_THAT(volume.floats(), ElementsAre(2, 4.5F));
}

TEST(GridSample, RefusesWhatDoesNotFit) {
  EXPECT_THAT(refusal_of("grid_sample 1x1x4x4 1x2x2x3"),
              HasSubstr("grid 1x2x2x3 does not fit 1x1x4x4"));
  EXPECT_THAT(refusal_of("grid_sample 1x1x4x4 2x2x2x2"), HasSubstr("does not fit"));
  EXPECT_THAT(refusal_of("grid_sample 1x1x4x0 1x2x2x2"), HasSubstr("have nothing to sample"));
  EXPECT_THAT(refusal_of("grid_sample 1x1x4x4 1x2x2x2 mode=area"), HasSubstr("\"area\""));
  EXPECT_THAT(refusal_of("grid_sample 1x1x4x4 1x2x2x2 padding_mode=wrap"), HasSubstr("\"wrap\""));
  EXPECT_THAT(refusal_of("grid_sample 1x1x4x4:uint8 1x2x2x2"), HasSubstr("operand 0 is uint8"));
  EXPECT_EQ(shape("grid_sample 1x1x4x4:uint8 1x2x0x2 mode=nearest"), (Shape{1, 1, 2, 0}));
}

TEST(GridSample, LeavesDefaultsOutOfItsText) {
  EXPECT_EQ(normal_text("grid_sample 1x1x4x4 1x2x2x2 mode=linear padding_mode=zeros"),
            "grid_sample 1x1x4x4 1x2x2x2");
  EXPECT_EQ(normal_text("grid_sample 1x1x4x4 1x2x2x2 mode=cubic align_corners=1"),
            "grid_sample 1x1x4x4 1x2x2x2 align_corners=1 mode=bicubic");
}

TEST(GridSample, CountsTheElementsThatEnter) {
  EXPECT_EQ(flops_of(parse_workload("grid_sample 1x3x4x4 1x2x2x2").value()), 2.0 * 4 * 12);
  EXPECT_EQ(flops_of(parse_workload("grid_sample 1x3x4x4 1x2x2x2 mode=nearest").value()), 0.0);
}

}  // namespace
}  // namespace opbench

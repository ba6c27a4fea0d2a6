#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "reference_runner.h"

namespace opbench {
namespace {

using ::testing::ElementsAre;
using ::testing::FloatNear;
using ::testing::HasSubstr;
using ::testing::Pointwise;

auto resize_near(const Floats& values) { return Pointwise(FloatNear(1e-5F), values); }

std::string resize_refusal(const std::string& text) {
  const auto workload = parse_workload(text);
  return workload ? "" : workload.error().message;
}

/// Of the coordinates 0.1, 1.35, 2.6 and 3.85.
Floats nearest_of(const std::string& rounding) {
  return floats("resize 5 _ _ =4,:int64 nearest_mode=" + rounding, {0, 1, 2, 3, 4});
}

TEST(Resize, RoundsCoordinatesToTheNearestElement) {
  EXPECT_THAT(nearest_of("floor"), ElementsAre(0, 1, 2, 3));
  EXPECT_THAT(nearest_of("ceil"), ElementsAre(1, 2, 3, 4));
  EXPECT_THAT(nearest_of("round_prefer_floor"), ElementsAre(0, 1, 3, 4));
  const std::string halves = "resize 4 _ =0.5, nearest_mode=";
  EXPECT_THAT(floats(halves + "round_prefer_floor", {0, 1, 2, 3}), ElementsAre(0, 2));
  EXPECT_THAT(floats(halves + "round_prefer_ceil", {0, 1, 2, 3}), ElementsAre(1, 3));
  EXPECT_THAT(
      floats("resize 4 _ =0.5, coordinate_transformation_mode=tf_half_pixel_for_nn", {0, 1, 2, 3}),
      ElementsAre(1, 3));
}

TEST(Resize, InterpolatesByTheCubicKernel) {
  // At 1.5 the weights are -0.09375, 0.59375, 0.59375, -0.09375 for a = -0.75.
  const std::string half = "resize 4 _ =0.25, mode=cubic";
  EXPECT_THAT(floats(half, {1, 0, 0, 0}), resize_near({-0.09375F}));
  EXPECT_THAT(floats(half, {0, 1, 0, 0}), resize_near({0.59375F}));
  EXPECT_THAT(floats(half + " cubic_coeff_a=-0.5", {0, 0, 0, 1}), resize_near({-0.0625F}));
  EXPECT_THAT(floats("resize 3 _ _ =3,:int64 mode=cubic", {1, 5, 2}), ElementsAre(1, 5, 2));
}

TEST(Resize, RepeatsTheEdgeUnlessItExcludesWhatLiesOutside) {
  // At -0.25 the cubic weights of -2 … 1 are -0.03515625, 0.26171875, 0.87890625, -0.10546875.
  const Floats all = floats("resize 2 _ =2, mode=cubic", {1, 0});
  EXPECT_THAT(all[0], FloatNear(1.10546875F, 1e-6F));
  const Floats inside = floats("resize 2 _ =2, mode=cubic exclude_outside=1", {1, 0});
  EXPECT_THAT(inside[0], FloatNear(0.87890625F / 0.7734375F, 1e-6F));
}

TEST(Resize, CropsARegionAndExtrapolatesBeyond) {
  const std::string crop =
      "resize 4 ={} _ =3,:int64 coordinate_transformation_mode=tf_crop_and_resize mode=linear";
  EXPECT_THAT(floats(fmt::format(fmt::runtime(crop), "0.5,1"), {0, 1, 2, 3}),
              resize_near({1.5F, 2.25F, 3}));
  EXPECT_THAT(
      floats(fmt::format(fmt::runtime(crop), "0.5,2") + " extrapolation_value=9", {0, 1, 2, 3}),
      resize_near({1.5F, 9, 9}));
  EXPECT_THAT(floats("resize 3 =0,1 =0.34, coordinate_transformation_mode=tf_crop_and_resize "
                     "mode=linear",
                     {0, 4, 8}),
              resize_near({4}));
  EXPECT_THAT(resize_refusal(fmt::format(fmt::runtime(crop), "0,0,1,1")),
              HasSubstr("4 values does not fit 1 axes"));
}

TEST(Resize, FiltersWhatItShrinks) {
  const std::string shrunk = "resize 4x4 _ =0.6,0.6 antialias=1 mode=";
  EXPECT_THAT(floats(shrunk + "linear", count_up(16)), resize_near({2.875F, 4.5F, 9.375F, 11}));
  EXPECT_THAT(floats(shrunk + "cubic", count_up(16)),
              resize_near({2.5180721F, 4.2858863F, 9.589329F, 11.357142F}));
  EXPECT_EQ(floats("resize 3 _ =2, antialias=1 mode=linear", {1, 2, 4}),
            floats("resize 3 _ =2, mode=linear", {1, 2, 4}));
}

TEST(Resize, TakesScalesAndSizesOfSomeAxes) {
  EXPECT_EQ(shape("resize 2x3x4 _ =2,3 axes=2,0"), (Shape{6, 3, 8}));
  EXPECT_EQ(shape("resize 2x3x4 _ _ =5,:int64 axes=-1"), (Shape{2, 3, 5}));
  EXPECT_THAT(resize_refusal("resize 2x3 _ =2,2 axes=1,-1"), HasSubstr("axis 1 is given twice"));
  EXPECT_THAT(resize_refusal("resize 2x3 _ =2, axes=2"), HasSubstr("axis 2 is outside rank 2"));
  EXPECT_THAT(resize_refusal("resize 2x3 _ =2,"), HasSubstr("1 scales do not fit 2 axes"));
  EXPECT_THAT(resize_refusal("resize 2x3 _ _ =2,:int64"), HasSubstr("1 sizes do not fit 2 axes"));
}

TEST(Resize, KeepsTheAspectRatio) {
  const std::string wanted = "resize 2x4 _ _ =7,8:int64 keep_aspect_ratio_policy=";
  EXPECT_EQ(shape(wanted + "stretch"), (Shape{7, 8}));
  EXPECT_EQ(shape(wanted + "not_larger"), (Shape{4, 8}));
  EXPECT_EQ(shape(wanted + "not_smaller"), (Shape{7, 14}));
  EXPECT_THAT(resize_refusal(wanted + "square"), HasSubstr("unknown keep_aspect_ratio_policy"));
}

TEST(Resize, CentresTheResultWhenItsExtentWasRoundedDown) {
  // 1.6 of 4 elements are 6.4, rounded to 6: the symmetric coordinates begin 0.125 later.
  const std::string resize = "resize 4 _ =1.6, mode=linear coordinate_transformation_mode=";
  EXPECT_THAT(floats(resize + "half_pixel", {0, 8, 16, 24})[1], FloatNear(3.5F, 1e-5F));
  EXPECT_THAT(floats(resize + "half_pixel_symmetric", {0, 8, 16, 24})[1], FloatNear(4.5F, 1e-5F));
}

TEST(Resize, CountsNeighbours) {
  EXPECT_EQ(flops_of(parse_workload("resize 1x2x2 _ =1,2,2").value()), 0);
  EXPECT_EQ(flops_of(parse_workload("resize 1x2x2 _ =1,2,2 mode=linear").value()), 2 * 4 * 16);
  EXPECT_EQ(flops_of(parse_workload("resize 1x2x2 _ =1,2,2 mode=cubic").value()), 2 * 16 * 16);
}

TEST(Resize, WritesItsModesIntoItsText) {
  for (const char* text :
       {"resize 4 _ =0.5, antialias=1 mode=cubic", "resize 2x3 _ =2, axes=1",
        "resize 4 =0,1 _ =3,:int64 coordinate_transformation_mode=tf_crop_and_resize"}) {
    EXPECT_EQ(text_of(parse_workload(text).value()), text);
  }
}

TEST(Resize, GivesAxesOfNewerOpsetsAsScalesOfAll) {
  const TensorType type{DataType::kFloat32, {2, 3}};
  const std::vector<float> scales{2};
  const Tensor scale = Tensor::of<float>(DataType::kFloat32, {1}, scales);
  Node node;
  node.type = "Resize";
  node.inputs = {"x", "", "s"};
  node.outputs = {"y"};
  node.attributes = {{"axes", std::vector<int64_t>{1}}};
  const OperatorCall call{.node = &node,
                          .opset = 18,
                          .inputs = {&type, nullptr, &scale.type},
                          .constants = {nullptr, nullptr, &scale}};
  std::map<std::string, Tensor> constants;
  const Node modern = operator_of(node)->modern_form(call, constants);
  EXPECT_TRUE(modern.attributes.empty());
  EXPECT_THAT(constants.at(modern.inputs.at(2)).as<float>(), ElementsAre(1, 2));
}

}  // namespace
}  // namespace opbench

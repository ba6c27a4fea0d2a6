#include "prediction/workloads/unit_features.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "default_kernel.h"

namespace opbench {
namespace {

float value_of(const UnitFeatures& features, const std::string& name) {
  const auto& names = unit_feature_names();
  const auto place = std::ranges::find(names, name);
  EXPECT_NE(place, names.end()) << name;
  return features.values.at(static_cast<size_t>(place - names.begin()));
}

UnitFeatures features_of(const std::string& text, int block = 0) {
  return unit_features(default_kernel(text, block), round_ceilings());
}

TEST(UnitFeatures, HaveAValueForEveryName) {
  EXPECT_EQ(features_of("add 4x8 4x8").values.size(), unit_feature_names().size());
}

TEST(UnitFeatures, NamesAreUnique) {
  std::vector<std::string> names = unit_feature_names();
  std::ranges::sort(names);
  EXPECT_EQ(std::ranges::adjacent_find(names), names.end());
}

TEST(UnitFeatures, TextsUndoTheLogarithm) {
  const auto text = [](const std::string& name, double feature) {
    const auto& names = unit_feature_names();
    return unit_feature_text(static_cast<size_t>(std::ranges::find(names, name) - names.begin()),
                             feature);
  };
  EXPECT_EQ(text("weight_bytes", std::log2(1 + 16.8e6)), "16.8 MB");
  EXPECT_EQ(text("input_bytes", std::log2(1 + 512.0)), "512 B");
  EXPECT_EQ(text("flops", std::log2(1 + 1.234e9)), "1.23 G");
  EXPECT_EQ(text("in_channels", std::log2(1 + 512.0)), "512");
  EXPECT_EQ(text("weight_bytes", 0), "0 B");
  EXPECT_EQ(text("stride", 2), "2");
}

TEST(UnitFeatures, KindsAreThoseOfAnchors) {
  EXPECT_EQ(features_of("conv2d 1x16x8x8 w:16x16x3x3; relu", 16).kind, "conv2d");
  EXPECT_EQ(features_of("relu 4x8").kind, "elementwise");
  EXPECT_EQ(features_of("add 4x8 4x8; relu").kind, "elementwise");
  EXPECT_EQ(features_of("softmax 4x8").kind, "softmax");
  KernelSpec spec = default_kernel("relu 4x8", 0);
  spec.schedule.clear();
  EXPECT_EQ(unit_kind(spec), "reference");
}

TEST(UnitFeatures, TellExtents) {
  const UnitFeatures features =
      features_of("conv2d 1x64x56x58 w:128x64x3x3 pads=1,1,1,1 strides=2,2", 16);
  EXPECT_FLOAT_EQ(value_of(features, "in_channels"), std::log2(65.0F));
  EXPECT_FLOAT_EQ(value_of(features, "out_channels"), std::log2(129.0F));
  EXPECT_FLOAT_EQ(value_of(features, "in_height"), std::log2(57.0F));
  EXPECT_FLOAT_EQ(value_of(features, "out_last"), std::log2(30.0F));
  EXPECT_FLOAT_EQ(value_of(features, "kernel_height"), 3);
  EXPECT_FLOAT_EQ(value_of(features, "stride"), 2);
  EXPECT_FLOAT_EQ(value_of(features, "in_block"), 16);
}

TEST(UnitFeatures, BoundIsThatOfTheLevelThatHoldsTheData) {
  // 3 x 4 MB of additions lie in L3: 12 MB at 50 GB/s.
  const UnitFeatures sum = features_of("add 1024x1024 1024x1024");
  EXPECT_EQ(sum.roofline.level, 2);
  EXPECT_NEAR(sum.bound_s, 12.582912e6 / 50e9, 1e-9);
  // A product of 1024 cubed takes as long as its FLOPs.
  const UnitFeatures product = features_of("matmul 1024x1024 w:1024x1024");
  EXPECT_NEAR(product.bound_s, 2 * 1024.0 * 1024 * 1024 / 100e9, 1e-6);
  EXPECT_EQ(features_of("relu 4").bound_s, kLeastBound);
}

TEST(UnitFeatures, KnobsAreThoseOfTheConfig) {
  const KernelSpec spec = default_kernel("conv2d 1x64x56x56 w:64x64x3x3 pads=1,1,1,1", 16);
  const UnitFeatures features = unit_features(spec, round_ceilings());
  EXPECT_EQ(features.schedule, spec.schedule);
  EXPECT_EQ(features.knobs.size(), spec.config.size());
  EXPECT_FLOAT_EQ(features.knobs.at("m"),
                  std::log2(1.0F + static_cast<float>(spec.config.at("m"))));
}

}  // namespace
}  // namespace opbench

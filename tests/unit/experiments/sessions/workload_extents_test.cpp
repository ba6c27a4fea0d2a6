#include "experiments/sessions/model/workload_extents.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace opbench {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

/// The workload's text after setting the named extents, or the error's message.
std::string changed(const std::string& text,
                    const std::vector<std::pair<std::string, int64_t>>& settings) {
  const Workload workload = parse_workload(text).value();
  std::vector<ExtentChange> changes;
  for (const auto& [name, extent] : settings) {
    const auto place = extent_place(workload, name);
    if (!place) return "no extent " + name;
    changes.push_back({*place, extent});
  }
  const Result<Workload> result = with_extents(workload, changes);
  return result ? text_of(*result) : result.error().message;
}

constexpr const char* kConv = "conv2d 1x64x56x56 w:64x64x3x3 w:64 pads=1,1,1,1";

TEST(WorkloadExtents, SetTheBatchOfAllThatHasOne) {
  EXPECT_EQ(changed(kConv, {{"batch", 8}}), "conv2d 8x64x56x56 w:64x64x3x3 w:64 pads=1,1,1,1");
  EXPECT_EQ(changed("conv2d 1x8x6x6 w:8x8x1x1; add 1x8x6x6; relu", {{"N", 4}}),
            "conv2d 4x8x6x6 w:8x8x1x1; add 4x8x6x6; relu");
}

TEST(WorkloadExtents, LeaveBroadcastOperandsAndWeightsWithoutABatch) {
  EXPECT_EQ(changed("conv2d 1x8x6x6 w:8x8x1x1; mul 1x8x1x1; add w:1x8x6x6", {{"batch", 4}}),
            "conv2d 4x8x6x6 w:8x8x1x1; mul 1x8x1x1; add w:1x8x6x6");
}

TEST(WorkloadExtents, ChangeFiltersWithTheChannelsTheyRead) {
  EXPECT_EQ(changed(kConv, {{"C", 128}}), "conv2d 1x128x56x56 w:64x128x3x3 w:64 pads=1,1,1,1");
  EXPECT_EQ(changed(kConv, {{"input.1", 128}}), changed(kConv, {{"channels", 128}}));
  EXPECT_EQ(changed("conv2d 1x8x6x6 w:4x4x1x1 group=2", {{"C", 16}}),
            "conv2d 1x16x6x6 w:4x8x1x1 group=2");
}

TEST(WorkloadExtents, KeepADepthwiseConvolutionDepthwise) {
  EXPECT_EQ(changed("conv2d 1x8x6x6 w:16x1x3x3 w:16 group=8; relu", {{"C", 32}}),
            "conv2d 1x32x6x6 w:64x1x3x3 w:64 group=32; relu");
  EXPECT_EQ(changed("conv_transpose 1x8x6x6 w:8x1x2x2 group=8", {{"C", 4}}),
            "conv_transpose 1x4x6x6 w:4x1x2x2 group=4");
}

TEST(WorkloadExtents, ChangeBiasAndLaterStepsWithTheFilters) {
  EXPECT_EQ(changed("conv2d 1x8x6x6 w:8x8x1x1 w:8; add 1x8x6x6; mul w:8x1x1", {{"K", 32}}),
            "conv2d 1x8x6x6 w:32x8x1x1 w:32; add 1x32x6x6; mul w:32x1x1");
  EXPECT_EQ(changed("conv_transpose 1x8x6x6 w:8x4x2x2 w:4", {{"filters", 16}}),
            "conv_transpose 1x8x6x6 w:8x16x2x2 w:16");
}

TEST(WorkloadExtents, ChangeTheSummedExtentOfBothFactors) {
  EXPECT_EQ(changed("dense 1x512 w:1000x512 w:1000 transB=1", {{"input.1", 64}, {"K", 10}}),
            "dense 1x64 w:10x64 w:10 transB=1");
  EXPECT_EQ(changed("dense 512x1 w:512x1000 transA=1", {{"batch", 4}, {"input.0", 64}}),
            "dense 64x4 w:64x1000 transA=1");
  EXPECT_EQ(changed("matmul 12x128x64 12x64x128", {{"input0.0", 24}, {"input0.2", 32}}),
            "matmul 24x128x32 24x32x128");
  EXPECT_EQ(changed("matmul 128x64 w:64x256", {{"batch", 32}}), "matmul 32x64 w:64x256");
  EXPECT_EQ(changed("matmul w:8x16 16x64", {{"input.0", 32}}), "matmul w:8x32 32x64");
}

TEST(WorkloadExtents, ChangePerChannelOperandsAndTheOthersOfConcat) {
  EXPECT_EQ(changed("batch_norm 1x8x6x6 w:8 w:8 w:8 w:8", {{"C", 16}}),
            "batch_norm 1x16x6x6 w:16 w:16 w:16 w:16");
  EXPECT_EQ(changed("concat 1x8x6x6 1x4x6x6 axis=1", {{"batch", 2}, {"C", 16}}),
            "concat 2x16x6x6 2x4x6x6 axis=1");
  EXPECT_EQ(changed("layer_norm 8x64 w:64 w:64", {{"input.1", 32}}), "layer_norm 8x32 w:32 w:32");
}

TEST(WorkloadExtents, LetAnExplicitChangeWin) {
  EXPECT_EQ(changed("add 1x8x6x6 1x8x6x6", {{"input0.0", 4}, {"input1.0", 1}}),
            "add 4x8x6x6 1x8x6x6");
  EXPECT_EQ(changed("conv2d 1x8x6x6 w:8x8x3x3", {{"weight.2", 5}}), "conv2d 1x8x6x6 w:8x8x5x3");
}

TEST(WorkloadExtents, GiveTheOperatorsReasonWhenOperandsDoNotFit) {
  EXPECT_THAT(changed("conv2d 1x8x6x6 w:4x4x1x1 group=2", {{"C", 9}}), HasSubstr("do not fit"));
  EXPECT_THAT(changed("conv2d 1x8x6x6 w:8x8x3x3", {{"H", 2}}), HasSubstr("does not fit"));
}

TEST(WorkloadExtents, NameWhatThereIs) {
  const auto names = [](const char* text) { return extent_names(parse_workload(text).value()); };
  EXPECT_THAT(names("relu 64"), ElementsAre("input.0"));
  EXPECT_THAT(names("relu 1x64x6x6"), Contains("H"));
  EXPECT_THAT(names("dense 1x8 w:4x8 transB=1"), Not(Contains("C")));
  EXPECT_THAT(names("add 1x8 1x8"), Contains("input1.0"));
  EXPECT_FALSE(extent_place(parse_workload("relu 64").value(), "batch"));
}

TEST(WorkloadExtents, CountTheItemsOfACall) {
  EXPECT_EQ(batch_of(parse_workload("relu 8x64").value()), 8);
  EXPECT_EQ(batch_of(parse_workload("dense 512x3 w:512x10 transA=1").value()), 3);
  EXPECT_EQ(batch_of(parse_workload("relu 64").value()), 1);
  EXPECT_EQ(batch_of(parse_workload("matmul w:8x16 16x64").value()), 1);
}

}  // namespace
}  // namespace opbench

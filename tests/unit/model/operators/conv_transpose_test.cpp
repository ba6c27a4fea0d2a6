#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "reference_runner.h"

namespace opbench {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

/// A one at the beginning of three positions: the result shows where the filter lands.
Floats landing(const std::string& attributes, int kernel = 3) {
  Floats data{1, 0, 0};
  const Floats filter = count_up(kernel);
  data.insert(data.end(), filter.begin(), filter.end());
  return floats("conv_transpose 1x1x3 w:1x1x" + std::to_string(kernel) + " " + attributes, data);
}

std::string conv_transpose_refusal(const std::string& text) {
  const auto workload = parse_workload(text);
  return workload ? "" : workload.error().message;
}

// The expected values are ONNX Runtime's.
TEST(ConvTranspose, PadsTheEndForSameUpperAndTheBeginningForSameLower) {
  EXPECT_THAT(landing("strides=2 auto_pad=SAME_UPPER"), ElementsAre(1, 2, 3, 0, 0, 0));
  EXPECT_THAT(landing("strides=2 auto_pad=SAME_LOWER"), ElementsAre(2, 3, 0, 0, 0, 0));
  EXPECT_THAT(landing("strides=2 auto_pad=SAME_UPPER", 4), ElementsAre(2, 3, 4, 0, 0, 0));
  EXPECT_THAT(landing("strides=2 auto_pad=SAME_LOWER", 4), ElementsAre(2, 3, 4, 0, 0, 0));
}

TEST(ConvTranspose, LeavesAResultThatIsSmallerThanSameAsItIs) {
  EXPECT_THAT(landing("strides=2 auto_pad=SAME_UPPER", 1), ElementsAre(1, 0, 0, 0, 0));
  EXPECT_THAT(landing("strides=3 auto_pad=SAME_LOWER", 2), ElementsAre(1, 2, 0, 0, 0, 0, 0, 0));
}

TEST(ConvTranspose, FindsPadsForAnOutputShape) {
  for (const char* begin : {"", "auto_pad=NOTSET ", "auto_pad=VALID ", "auto_pad=SAME_LOWER "}) {
    const std::string attributes = begin + std::string("strides=2 ");
    EXPECT_THAT(landing(attributes + "output_shape=6"), ElementsAre(2, 3, 0, 0, 0, 0)) << begin;
    EXPECT_THAT(landing(attributes + "output_shape=8"), ElementsAre(1, 2, 3, 0, 0, 0, 0, 0));
  }
  EXPECT_THAT(landing("strides=2 auto_pad=SAME_UPPER output_shape=6"),
              ElementsAre(1, 2, 3, 0, 0, 0));
  EXPECT_THAT(landing("strides=2 output_shape=7 output_padding=1"),
              ElementsAre(2, 3, 0, 0, 0, 0, 0));
}

TEST(ConvTranspose, KeepsItsMeaningAsCanonicalText) {
  for (const char* attributes : {"strides=2 auto_pad=SAME_UPPER", "strides=2 output_shape=10",
                                 "strides=2 auto_pad=SAME_LOWER output_padding=1"}) {
    const auto workload = parse_workload("conv_transpose 1x1x3 w:1x1x3 " + std::string(attributes));
    ASSERT_TRUE(workload) << to_text(workload.error());
    const Floats data{1, 0, 0, 1, 2, 3};
    EXPECT_EQ(floats(text_of(*workload), data), landing(attributes)) << text_of(*workload);
  }
}

TEST(ConvTranspose, RefusesAttributesThatDoNotFit) {
  const std::string start = "conv_transpose 1x1x3 w:1x1x3 ";
  EXPECT_THAT(conv_transpose_refusal(start + "strides=2,2"),
              HasSubstr("strides has 2 values, needs 1"));
  EXPECT_THAT(conv_transpose_refusal(start + "strides=0"), HasSubstr("strides 0 is below 1"));
  EXPECT_THAT(conv_transpose_refusal(start + "pads=1"), HasSubstr("pads has 1 values, needs 2"));
  EXPECT_THAT(conv_transpose_refusal(start + "output_padding=-1"),
              HasSubstr("output_padding -1 is below 0"));
  EXPECT_THAT(conv_transpose_refusal(start + "output_shape=4,4"),
              HasSubstr("output_shape has 2 values"));
  EXPECT_THAT(conv_transpose_refusal(start + "strides=9000000000"),
              HasSubstr("is above 1073741824"));
}

}  // namespace
}  // namespace opbench

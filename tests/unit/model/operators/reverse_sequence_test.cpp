#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "node_on_tensors.h"
#include "reference_runner.h"

namespace opbench {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

NodeOnTensors reverse(int64_t batch_axis, std::vector<int64_t> lengths) {
  return {make_node("ReverseSequence", {{"batch_axis", batch_axis}, {"time_axis", 1 - batch_axis}}),
          {float_tensor({2, 3}, {1, 2, 3, 4, 5, 6}),
           int_tensor({static_cast<int64_t>(lengths.size())}, lengths)}};
}

TEST(ReverseSequence, ReversesEverySequenceWithinItsLength) {
  EXPECT_THAT(reverse(0, {2, 3}).floats(), ElementsAre(2, 1, 3, 6, 5, 4));
  EXPECT_THAT(reverse(1, {1, 2, 0}).floats(), ElementsAre(1, 5, 3, 4, 2, 6));
}

TEST(ReverseSequence, MovesWholeParts) {
  EXPECT_THAT(floats("reverse_sequence 2x1x2 =2,:int64", {1, 2, 3, 4}), ElementsAre(3, 4, 1, 2));
  EXPECT_EQ(shape("reverse_sequence 0x2x5 2:int64"), (Shape{0, 2, 5}));
}

TEST(ReverseSequence, RefusesWhatDoesNotFit) {
  EXPECT_THAT(reverse(0, {4, 3}).refusal(), HasSubstr("length 4 is not within 3 steps"));
  EXPECT_THAT(reverse(0, {-1, 3}).refusal(), HasSubstr("length -1 is not within 3 steps"));
  EXPECT_THAT(reverse(0, {3}).refusal(), HasSubstr("lengths 1 are not 2"));
  EXPECT_THAT(refusal_of("reverse_sequence 2x3 3:int64 time_axis=1"),
              HasSubstr("batch_axis 1 and time_axis 1 are not 0 and 1 or 1 and 0"));
  EXPECT_THAT(refusal_of("reverse_sequence 2x3 3:int64 batch_axis=-1 time_axis=2"),
              HasSubstr("batch_axis -1 and time_axis 2"));
  EXPECT_THAT(refusal_of("reverse_sequence 2 2:int64"), HasSubstr("has rank 1, needs 2 or more"));
}

TEST(ReverseSequence, LeavesDefaultsOutOfItsText) {
  EXPECT_EQ(normal_text("reverse_sequence 2x3 3:int64 batch_axis=1 time_axis=0"),
            "reverse_sequence 2x3 3:int64");
  EXPECT_EQ(normal_text("reverse_sequence 2x3 2:int64 batch_axis=0 time_axis=1"),
            "reverse_sequence 2x3 2:int64 batch_axis=0 time_axis=1");
}

}  // namespace
}  // namespace opbench

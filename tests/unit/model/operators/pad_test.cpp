#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "known_node.h"
#include "reference_runner.h"

namespace opbench {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

TEST(Pad, AddsElementsInEveryMode) {
  EXPECT_THAT(floats("pad 3 =2,2:int64", {1, 2, 3}), ElementsAre(0, 0, 1, 2, 3, 0, 0));
  EXPECT_THAT(floats("pad 3 =2,2:int64 mode=edge", {1, 2, 3}), ElementsAre(1, 1, 1, 2, 3, 3, 3));
  EXPECT_THAT(floats("pad 3 =2,2:int64 mode=reflect", {1, 2, 3}), ElementsAre(3, 2, 1, 2, 3, 2, 1));
  EXPECT_THAT(floats("pad 3 =2,2:int64 mode=wrap", {1, 2, 3}), ElementsAre(2, 3, 1, 2, 3, 1, 2));
}

TEST(Pad, WrapsMoreThanOnce) {
  EXPECT_THAT(floats("pad 2 =3,4:int64 mode=wrap", {1, 2}), ElementsAre(2, 1, 2, 1, 2, 1, 2, 1, 2));
}

TEST(Pad, CutsOffWhatNegativePadsNameInEveryMode) {
  for (const char* mode : {"constant", "edge", "reflect", "wrap"}) {
    EXPECT_THAT(floats(std::string("pad 4 =-1,-2:int64 mode=") + mode, {1, 2, 3, 4}),
                ElementsAre(2))
        << mode;
  }
}

TEST(Pad, TakesPadsOfSomeAxes) {
  const Node node = node_with("Pad", 4, 1, {{"mode", std::string("wrap")}});
  const Tensor x = real_tensor({2, 2}, {1, 2, 3, 4});
  const auto results =
      results_of(node, {x, whole_tensor({2}, {1, 0}), left_out(), whole_tensor({1}, {-1})}, 19);
  ASSERT_TRUE(results);
  EXPECT_EQ(floats_of(results->at(0)), (Floats{2, 1, 2, 4, 3, 4}));
}

TEST(Pad, HasNothingToRepeatInAnEmptyTensor) {
  for (const char* mode : {"edge", "reflect", "wrap"}) {
    const auto workload = parse_workload(std::string("pad 0 =1,0:int64 mode=") + mode);
    ASSERT_FALSE(workload) << mode;
    EXPECT_THAT(workload.error().message, HasSubstr("pads 1 and 0 do not fit extent 0"));
  }
  EXPECT_THAT(floats("pad 0 =1,0:int64", {}), ElementsAre(0));
}

TEST(Pad, KeepsItsModeInItsText) {
  const std::string text = "pad 3 =2,2:int64 mode=wrap";
  EXPECT_EQ(text_of(parse_workload(text).value()), text);
}

TEST(Dropout, OfRatio0PassesItsInputOnEvenInTraining) {
  EXPECT_THAT(floats("dropout 3 =0 =1:bool", {1, 2, 3}), ElementsAre(1, 2, 3));
  const uint8_t on = 1;
  const Tensor training = Tensor::of<uint8_t>(DataType::kBool, {}, std::span(&on, 1));
  const Tensor x = real_tensor({3}, {1, 2, 3});
  Node node = node_with("Dropout", 3, 2);
  const auto results = results_of(node, {x, real_tensor({}, {0}), training}).value();
  EXPECT_EQ(floats_of(results[0]), (Floats{1, 2, 3}));
  EXPECT_EQ(integers(results[1]), (std::vector<int64_t>{1, 1, 1}));
  EXPECT_THAT(refusal_of(node, {x, left_out(), training}),
              HasSubstr("training_mode true is not supported"));
  node.outputs[0].clear();
  EXPECT_EQ(integers(results_of(node, {x}).value()[1]), (std::vector<int64_t>{1, 1, 1}));
}

}  // namespace
}  // namespace opbench

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "model/operators/workloads/workload.h"
#include "node_runner.h"

namespace opbench {
namespace {

using ::testing::ElementsAre;
using ::testing::FloatEq;
using ::testing::HasSubstr;

Tensor targets(Shape shape, const std::vector<int64_t>& values) {
  return tensor_of<int64_t>(DataType::kInt64, std::move(shape), values);
}

Node loss(const std::string& how, int64_t ignored = std::numeric_limits<int64_t>::min()) {
  return node_of("NegativeLogLikelihoodLoss", {{"reduction", how}, {"ignore_index", ignored}});
}

TEST(NegativeLogLikelihoodLoss, PicksTheTargetsAndReduces) {
  const Tensor x = float_tensor({2, 3}, {-1, -2, -3, -4, -5, -6});
  const Tensor t = targets({2}, {2, 0});
  const Tensor w = float_tensor({3}, {3, 1, 1});
  EXPECT_THAT(result_of(loss("none"), {x, t}), ElementsAre(3, 4));
  EXPECT_THAT(result_of(loss("sum"), {x, t}), ElementsAre(7));
  EXPECT_THAT(result_of(node_of("NegativeLogLikelihoodLoss"), {x, t}), ElementsAre(3.5F));
  EXPECT_THAT(result_of(loss("none"), {x, t, w}), ElementsAre(3, 12));
  EXPECT_THAT(result_of(loss("mean"), {x, t, w}), ElementsAre(3.75F));
}

TEST(NegativeLogLikelihoodLoss, IgnoresOneTarget) {
  const Tensor x = float_tensor({1, 2, 2}, {-1, -2, -3, -4});
  EXPECT_THAT(result_of(loss("none", -7), {x, targets({1, 2}, {1, -7})}), ElementsAre(3, 0));
  EXPECT_THAT(result_of(loss("mean", 0), {x, targets({1, 2}, {0, 1})}), ElementsAre(4));
  const auto nothing = result_of(loss("mean", 0), {x, targets({1, 2}, {0, 0})});
  EXPECT_TRUE(std::isnan(nothing.at(0)));
}

TEST(NegativeLogLikelihoodLoss, RefusesWhatDoesNotFit) {
  const Tensor x = float_tensor({2, 3}, {-1, -2, -3, -4, -5, -6});
  EXPECT_THAT(refusal(loss("mean"), {x, targets({2}, {0, 3})}),
              HasSubstr("target 3 is outside 3 classes"));
  EXPECT_THAT(refusal(loss("mean"), {x, targets({3}, {0, 1, 2})}),
              HasSubstr("targets 3 do not fit scores 2x3"));
  EXPECT_THAT(refusal(loss("mean"), {x, targets({2}, {0, 1}), float_tensor({2}, {1, 1})}),
              HasSubstr("weights 2 do not fit 3 classes"));
  EXPECT_THAT(refusal(loss("median"), {x, targets({2}, {0, 1})}), HasSubstr("median"));
}

TEST(SoftmaxCrossEntropyLoss, GivesTheLogarithmsToo) {
  const Node node = node_of("SoftmaxCrossEntropyLoss", {{"reduction", std::string("none")}}, 2);
  const auto results =
      run_node(node, {float_tensor({2, 2}, {1000, 1000, 0, std::log(3.0F)}), targets({2}, {0, 1})});
  ASSERT_TRUE(results) << to_text(results.error());
  EXPECT_THAT(values_of<float>(results->at(0)),
              ElementsAre(FloatEq(std::log(2.0F)), FloatEq(std::log(4.0F / 3))));
  EXPECT_THAT(values_of<float>(results->at(1)),
              ElementsAre(FloatEq(-std::log(2.0F)), FloatEq(-std::log(2.0F)),
                          FloatEq(-std::log(4.0F)), FloatEq(std::log(0.75F))));
}

TEST(SoftmaxCrossEntropyLoss, SkipsTheLossThatNobodyReads) {
  Node node = node_of("SoftmaxCrossEntropyLoss", {}, 2);
  node.outputs[0].clear();
  const auto results = run_node(node, {float_tensor({1, 1}, {5}), targets({1}, {0})});
  ASSERT_TRUE(results) << to_text(results.error());
  EXPECT_THAT(values_of<float>(results->at(1)), ElementsAre(0));
}

TEST(CrossEntropy, KeepsItsAttributesInTheText) {
  const auto text = [](const std::string& from) { return text_of(parse_workload(from).value()); };
  EXPECT_EQ(text("negative_log_likelihood_loss 2x3x4 2x4:int64 w:3 reduction=mean"),
            "negative_log_likelihood_loss 2x3x4 2x4:int64 w:3");
  EXPECT_EQ(text("softmax_cross_entropy_loss 2x3 2:int32 ignore_index=-1 reduction=sum"),
            "softmax_cross_entropy_loss 2x3 2:int32 ignore_index=-1 reduction=sum");
  EXPECT_EQ(flops_of(parse_workload("softmax_cross_entropy_loss 2x3 2:int32").value()), 34);
}

}  // namespace
}  // namespace opbench

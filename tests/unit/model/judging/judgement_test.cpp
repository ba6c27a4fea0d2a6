#include "model/judging/judgement.h"

#include <gmock/gmock.h>

#include <cmath>
#include <limits>

#include "model/judging/exact_values.h"
#include "model/judging/input_magnitude.h"
#include "model/operators/workloads/workload.h"

namespace opbench {
namespace {

using ::testing::DoubleNear;
using ::testing::HasSubstr;

template <class T>
Tensor tensor(DataType type, const Shape& shape, const std::vector<T>& values) {
  return Tensor::of<T>(type, shape, std::span<const T>(values));
}

Tensor floats(const Shape& shape, const std::vector<float>& values) {
  return tensor(DataType::kFloat32, shape, values);
}

/// A workload's model, all of whose operands are known.
class Judging : public ::testing::Test {
 protected:
  void set_up(const std::string& workload, const std::vector<Tensor>& operands) {
    const Workload parsed = *parse_workload(workload);
    model_.graph = parsed.graph;
    model_.opset = parsed.opset;
    for (size_t i = 0; i < operands.size(); ++i) {
      known_[parsed.graph.inputs[i].name] = operands[i];
    }
  }

  Judgement judged(const Tensor& got, const Tensor& wanted) {
    return judge(got, wanted, "y",
                 {.model = model_,
                  .is_known = [&](const std::string& name) { return known_.contains(name); },
                  .known = [&] { return known_; },
                  .nearby = [&] { return known_; }});
  }

  double magnitude() { return *input_magnitude(model_, known_, "y"); }

  Model model_;
  std::map<std::string, Tensor> known_;
};

TEST_F(Judging, MeasuresWhatCancels) {
  set_up("matmul 1x3 3x1", {floats({1, 3}, {100, -100, 0.5F}), floats({3, 1}, {2, 2, 2})});
  EXPECT_EQ(magnitude(), 401);
  set_up("sub 1x2 1x2", {floats({1, 2}, {100, -1}), floats({1, 2}, {100, 1})});
  EXPECT_EQ(magnitude(), 200);
  set_up("matmul 1x2 2x1; add 1x1; relu",
         {floats({1, 2}, {3, -3}), floats({2, 1}, {1, 1}), floats({1, 1}, {-2})});
  EXPECT_EQ(magnitude(), 8);
  set_up("exp 1x2", {floats({1, 2}, {-20, -30})});
  EXPECT_EQ(magnitude(), 30);
}

TEST_F(Judging, ForgivesRoundingsWhereTermsCancel) {
  set_up("matmul 1x3 3x1", {floats({1, 3}, {1000, -1000, 1e-3F}), floats({3, 1}, {1, 1, 1})});
  const Tensor exact = floats({1, 1}, {1e-3F});
  EXPECT_TRUE(judged(floats({1, 1}, {1e-3F + 2000 * 0x1p-22F}), exact).agrees);
  EXPECT_FALSE(judged(floats({1, 1}, {1e-3F + 2000 * 0x1p-20F}), exact).agrees);
}

TEST_F(Judging, DoesNotForgiveLargeOperandsOfSmallProducts) {
  set_up("matmul 1x1 1x1", {floats({1, 1}, {1000}), floats({1, 1}, {1e-3F})});
  EXPECT_FALSE(judged(floats({1, 1}, {1.001F}), floats({1, 1}, {1})).agrees);
}

TEST_F(Judging, SettlesByTheExactValue) {
  set_up("exp 1x2", {floats({1, 2}, {1, 2})});
  const Tensor right = floats({1, 2}, {std::exp(1.0F), std::exp(2.0F)});
  Tensor coarse = right;
  for (float& value : coarse.as<float>()) value *= 1.005F;
  const Judgement found = judged(right, coarse);
  EXPECT_TRUE(found.agrees);
  EXPECT_TRUE(found.is_settled);
  EXPECT_LT(found.difference.relative_error, 1e-6);
  EXPECT_FALSE(judged(coarse, right).agrees);
  for (float& value : coarse.as<float>()) value *= 1.5F;
  EXPECT_FALSE(judged(right, coarse).agrees) << "no rounding explains so much";
}

TEST_F(Judging, TakesEqualInfinitiesAndNaNAsEqual) {
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  const Tensor values = floats({1, 4}, {-kInfinity, kInfinity, std::nanf(""), 3});
  set_up("identity 1x4", {values});
  EXPECT_EQ(judged(values, values).difference.relative_error, 0);
  Tensor other = values;
  other.as<float>()[1] = std::nanf("");
  EXPECT_THAT(text_of(judged(other, values)), HasSubstr("nan where the reference has inf"));
}

TEST_F(Judging, GivesHalvesAHundredth) {
  set_up("relu 1x2:float16", {});
  const auto half = [](uint16_t second) {
    return tensor<uint16_t>(DataType::kFloat16, {1, 2}, {0x3C00, second});  // 1 and second
  };
  known_ = {{"x0", half(0x3800)}};
  EXPECT_TRUE(judged(half(0x3808), half(0x3800)).agrees) << "0.5039 and 0.5";
  EXPECT_FALSE(judged(half(0x3820), half(0x3800)).agrees) << "0.5156 and 0.5";
  EXPECT_THAT(text_of(judged(half(0x3820), half(0x3800))), HasSubstr("(allowed 1e-02)"));
}

TEST_F(Judging, GivesQuantizedBytesOneStepAndOtherIntegersNone) {
  set_up("quantize_linear 1x2 =0.5 =0:uint8", {floats({1, 2}, {1, 2})});
  const auto bytes = [](uint8_t second) {
    return tensor<uint8_t>(DataType::kUint8, {1, 2}, {2, second});
  };
  EXPECT_TRUE(judged(bytes(5), bytes(4)).agrees);
  const Judgement far = judged(bytes(6), bytes(4));
  EXPECT_FALSE(far.agrees);
  EXPECT_THAT(text_of(far), HasSubstr("it has 6 where the reference has 4, at [0,1]"));
  set_up("identity 1x2:uint8", {bytes(4)});
  EXPECT_FALSE(judged(bytes(5), bytes(4)).agrees);
}

TEST_F(Judging, LooksForQuantizedValuesOnlyAfterTheKnownOnes) {
  Graph graph;
  graph.nodes = {{.name = "q", .type = "QuantizeLinear", .inputs = {"a"}, .outputs = {"b"}},
                 {.name = "d", .type = "DequantizeLinear", .inputs = {"b"}, .outputs = {"c"}},
                 {.name = "r", .type = "Relu", .inputs = {"c"}, .outputs = {"d"}}};
  const auto allowed = [&](const std::string& known) {
    const auto is_known = [&](const std::string& name) { return name == known; };
    return tolerance_of(graph, "d", DataType::kFloat32, is_known).relative;
  };
  EXPECT_THAT(allowed("a"), DoubleNear(1e-2, 1e-12));
  EXPECT_THAT(allowed("c"), DoubleNear(1e-4, 1e-12));
}

}  // namespace
}  // namespace opbench

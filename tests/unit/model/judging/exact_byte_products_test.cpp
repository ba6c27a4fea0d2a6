#include "model/judging/exact_byte_products.h"

#include <gmock/gmock.h>

#include <algorithm>

#include "model/judging/judgement.h"
#include "model/judging/tolerance.h"
#include "model/operators/workloads/workload.h"

namespace opbench {
namespace {

using ::testing::HasSubstr;

template <class T>
Tensor bytes(DataType type, const Shape& shape, const std::vector<T>& values) {
  return Tensor::of<T>(type, shape, std::span<const T>(values));
}

Tensor float_row(const std::vector<float>& values) {
  return bytes(DataType::kFloat32, {1, static_cast<int64_t>(values.size())}, values);
}

/// y[n] = sum over k of a[k] b[k,n], two neighbours at a time as vpmaddubsw does: the sum of their
/// products saturates at 16 bits. `a`: 0 to 255; `b`: -128 to 127.
std::vector<int32_t> saturating_product(const std::vector<int>& a, const std::vector<int>& b) {
  const size_t columns = b.size() / a.size();
  std::vector<int32_t> y(columns, 0);
  for (size_t n = 0; n < columns; ++n) {
    for (size_t k = 0; k + 1 < a.size(); k += 2) {
      const int pair = a[k] * b[k * columns + n] + a[k + 1] * b[(k + 1) * columns + n];
      y[n] += std::clamp(pair, -32768, 32767);
    }
  }
  return y;
}

/// 255 × 127 twice is 64770, and vpmaddubsw makes 32767 of it.
class ByteProducts : public ::testing::Test {
 protected:
  void set_up(Model model, std::map<std::string, Tensor> known) {
    model_ = std::move(model);
    known_ = std::move(known);
  }

  void set_up(const std::string& workload, const std::vector<Tensor>& operands) {
    const Workload parsed = *parse_workload(workload);
    model_.graph = parsed.graph;
    model_.opset = parsed.opset;
    for (size_t i = 0; i < operands.size(); ++i) {
      known_[parsed.graph.inputs[i].name] = operands[i];
    }
  }

  /// Where the tensors come from.
  struct Sources {
    bool is_by_engine = true;
    bool is_expected_wrong = false;
  };

  Judgement judged(const Tensor& got, const Tensor& wanted) { return judged(got, wanted, {}); }

  Judgement judged(const Tensor& got, const Tensor& wanted, Sources sources) {
    return judge(got, wanted, "y",
                 {.model = model_,
                  .is_known = [&](const std::string& name) { return known_.contains(name); },
                  .known = [&] { return known_; },
                  .nearby = [&] { return known_; },
                  .is_by_engine = sources.is_by_engine,
                  .is_expected_wrong = sources.is_expected_wrong});
  }

  void set_up_integers() {
    set_up("matmul_integer 1x4:uint8 4x2:int8",
           {bytes<uint8_t>(DataType::kUint8, {1, 4}, {255, 255, 1, 2}),
            bytes<int8_t>(DataType::kInt8, {4, 2}, {127, 1, 127, 1, 3, 1, -3, 1})});
    exact_ = bytes<int32_t>(DataType::kInt32, {1, 2}, {64767, 513});
    saturated_ =
        bytes<int32_t>(DataType::kInt32, {1, 2},
                       saturating_product({255, 255, 1, 2}, {127, 1, 127, 1, 3, 1, -3, 1}));
  }

  /// Two dequantized operands and a product of floats, as a quantizing tool writes it.
  void set_up_dequantized() {
    Model model;
    model.opset = 17;
    Graph& graph = model.graph;
    graph.nodes = {
        {.name = "da", .type = "DequantizeLinear", .inputs = {"qa", "sa", "za"}, .outputs = {"a"}},
        {.name = "db", .type = "DequantizeLinear", .inputs = {"qb", "sb"}, .outputs = {"b"}},
        {.name = "m", .type = "MatMul", .inputs = {"a", "b"}, .outputs = {"y"}}};
    graph.constants["sa"] = Tensor::of<float>(DataType::kFloat32, {}, std::vector<float>{0.5F});
    graph.constants["sb"] = Tensor::of<float>(DataType::kFloat32, {}, std::vector<float>{0.25F});
    graph.constants["za"] = bytes<uint8_t>(DataType::kUint8, {}, {0});
    graph.constants["qb"] = bytes<int8_t>(DataType::kInt8, {4, 2}, {127, 1, 127, 1, 3, 1, -3, 1});
    set_up(std::move(model), {{"qa", bytes<uint8_t>(DataType::kUint8, {1, 4}, {255, 255, 1, 2})}});
  }

  Model model_;
  std::map<std::string, Tensor> known_;
  Tensor exact_, saturated_;
};

TEST_F(ByteProducts, SaturateWhereTheyDoOnCpusWithoutVnni) {
  set_up_integers();
  EXPECT_EQ(integers(saturated_), (std::vector<int64_t>{32764, 513}));
}

TEST_F(ByteProducts, AreSettledByTheExactSum) {
  set_up_integers();
  const Judgement found = judged(exact_, saturated_);
  EXPECT_TRUE(found.agrees);
  EXPECT_TRUE(found.is_settled);
  ASSERT_TRUE(found.wrong_expectation);
  EXPECT_NEAR(found.wrong_expectation->relative_error, (64767.0 - 32764) / 64767, 1e-12);
  EXPECT_EQ(found.wrong_expectation->text,
            "off by 0.49 of the largest value: it has 32764 where the reference has 64767, "
            "at [0,0]");
}

TEST_F(ByteProducts, OfTheSaturatingSideAreWrong) {
  set_up_integers();
  const Judgement found = judged(saturated_, exact_);
  EXPECT_FALSE(found.agrees);
  EXPECT_FALSE(found.wrong_expectation);
  EXPECT_THAT(text_of(found), HasSubstr("it has 32764 where the reference has 64767"));
}

TEST_F(ByteProducts, OfTwoThatSaturateAreWrongOnceThatIsKnown) {
  set_up_integers();
  EXPECT_TRUE(judged(saturated_, saturated_).agrees) << "nobody has asked for the exact sum";
  const Judgement found = judged(saturated_, saturated_, {.is_expected_wrong = true});
  EXPECT_FALSE(found.agrees);
  EXPECT_TRUE(found.wrong_expectation);
  EXPECT_TRUE(judged(exact_, saturated_, {.is_expected_wrong = true}).agrees);
}

TEST_F(ByteProducts, AreNotSettledAgainstFilesOfExpectedValues) {
  set_up_integers();
  EXPECT_FALSE(judged(exact_, saturated_, {.is_by_engine = false}).agrees)
      << "our reference and our kernels share one reading of the operator";
}

TEST_F(ByteProducts, AreBytesAgainAfterAQuantizedProduct) {
  set_up("qlinear_matmul 1x2:uint8 =1 =0:uint8 2x1:int8 =1 =0:int8 =256 =0:uint8",
         {bytes<uint8_t>(DataType::kUint8, {1, 2}, {255, 255}),
          bytes<int8_t>(DataType::kInt8, {2, 1}, {127, 127})});
  const auto y = [](uint8_t value) { return bytes<uint8_t>(DataType::kUint8, {1, 1}, {value}); };
  const Judgement found = judged(y(253), y(128));  // 64770 / 256, and 32767 / 256
  EXPECT_TRUE(found.is_settled);
  ASSERT_TRUE(found.wrong_expectation);
  EXPECT_EQ(found.wrong_expectation->text,
            "off by 125 of 255 steps: it has 128 where the reference has 253, at [0,0]");
  EXPECT_FALSE(judged(y(251), y(128)).agrees) << "two steps from the exact value";
  EXPECT_FALSE(judged(y(128), y(253)).agrees);
}

TEST_F(ByteProducts, AreFloatsOfDequantizedOperands) {
  set_up_dequantized();
  const Tensor exact = float_row({64767 * 0.125F, 513 * 0.125F});
  const Tensor saturated = float_row({32764 * 0.125F, 513 * 0.125F});
  const Judgement found = judged(exact, saturated);
  EXPECT_TRUE(found.is_settled) << text_of(found);
  ASSERT_TRUE(found.wrong_expectation);
  EXPECT_EQ(found.wrong_expectation->text, "off by 0.49 of the largest value");
  EXPECT_FALSE(judged(saturated, exact).agrees);
  EXPECT_FALSE(judged(exact, saturated, {.is_by_engine = false}).agrees);
}

/// Their product quantized with a scale, and that again with another.
TEST_F(ByteProducts, MayBeAStepOffInEveryQuantizingNode) {
  set_up_dequantized();
  Graph& graph = model_.graph;
  graph.nodes[2].outputs = {"m"};
  graph.nodes.push_back(
      {.name = "q1", .type = "QuantizeLinear", .inputs = {"m", "s1", "z"}, .outputs = {"q"}});
  graph.nodes.push_back(
      {.name = "d1", .type = "DequantizeLinear", .inputs = {"q", "s1", "z"}, .outputs = {"d"}});
  graph.nodes.push_back(
      {.name = "q2", .type = "QuantizeLinear", .inputs = {"d", "s2", "z"}, .outputs = {"y"}});
  graph.constants["z"] = bytes<uint8_t>(DataType::kUint8, {}, {0});
  const auto scale = [&](const std::string& name, float value) {
    graph.constants[name] = Tensor::of<float>(DataType::kFloat32, {}, std::vector<float>{value});
  };
  scale("s1", 100);
  scale("s2", 40);
  const auto steps = [&](const std::string& known) {
    return steps_from_exact(graph, "y", [&](const std::string& name) { return name == known; });
  };
  EXPECT_EQ(steps("qa"), 4) << "one, and 2.5 for the one before";
  EXPECT_EQ(steps("d"), 1);
  const auto y = [](uint8_t first) { return bytes<uint8_t>(DataType::kUint8, {1, 2}, {first, 2}); };
  // 8096 in steps of 100 is 81, and that in steps of 40 is 202 or 203.
  EXPECT_TRUE(judged(y(200), y(100)).is_settled);
  EXPECT_FALSE(judged(y(197), y(100)).agrees);
  EXPECT_FALSE(judged(y(200), y(205)).wrong_expectation) << "both may be";
  graph.constants.erase("s1");
  EXPECT_EQ(steps("qa"), 3);
}

TEST_F(ByteProducts, AreFoundBehindMovesAndKnownValues) {
  set_up_dequantized();
  const auto follows = [&](const std::string& known) {
    return follows_byte_products(model_.graph, "y",
                                 [&](const std::string& name) { return name == known; });
  };
  EXPECT_TRUE(follows("qa"));
  EXPECT_TRUE(follows("a")) << "a value that is known was dequantized all the same";
  EXPECT_FALSE(follows("y"));
  model_.graph.nodes[2].inputs[0] = "flat";
  model_.graph.nodes.insert(model_.graph.nodes.begin() + 2,
                            {.name = "f", .type = "Flatten", .inputs = {"a"}, .outputs = {"flat"}});
  EXPECT_TRUE(follows("qa"));
  model_.graph.nodes[2].type = "Softmax";
  EXPECT_FALSE(follows("qa")) << "a product of floats";
}

TEST_F(ByteProducts, AreNotWhatOtherIntegersAreSettledBy) {
  set_up("identity 1x2:int32", {bytes<int32_t>(DataType::kInt32, {1, 2}, {1, 2})});
  EXPECT_FALSE(judged(bytes<int32_t>(DataType::kInt32, {1, 2}, {1, 2}),
                      bytes<int32_t>(DataType::kInt32, {1, 2}, {1, 3}))
                   .agrees);
}

TEST_F(ByteProducts, OfNothingButRoundingAreSettledNearby) {
  set_up("quantize_linear 1x2 =0.5 =0:uint8", {float_row({1, 2})});
  const auto y = [](uint8_t second) {
    return bytes<uint8_t>(DataType::kUint8, {1, 2}, {2, second});
  };
  const Judgement found = judged(y(4), y(7));
  EXPECT_TRUE(found.is_settled);
  EXPECT_THAT(found.wrong_expectation->text, HasSubstr("off by 3 of 255 steps"));
  EXPECT_FALSE(judged(y(4), y(104)).agrees) << "another reading of the operator";
}

}  // namespace
}  // namespace opbench

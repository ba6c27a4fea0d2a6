#include <gmock/gmock.h>

#include "graph_runner.h"
#include "model/graph/onnx_export.h"
#include "model/graph/onnx_file.h"
#include "onnx_text.h"

/// Results beside the first one: those that are read, and those that nobody reads.
namespace opbench {
namespace {

using ::testing::ElementsAre;

Model model_of_opset(const std::string& text, int opset) {
  const std::string head = "<ir_version: 8, opset_import: [\"\" : " + std::to_string(opset) + "]>";
  auto model = parse_onnx(test::onnx_of_text(head + text), "model", "");
  EXPECT_TRUE(model) << to_text(model.error());
  drop_unread_results(*model);
  return *model;
}

std::map<std::string, Tensor> three_floats() {
  const std::vector<float> values = {-1, 2, 3};
  return {{"x", Tensor::of<float>(DataType::kFloat32, {3}, values)}};
}

/// The first output as the model's units compute it.
Tensor by_units(Model model) {
  const auto units = lower(model);
  EXPECT_TRUE(units) << to_text(units.error());
  if (!units) return {};
  const auto result = run_units(model, three_floats());
  EXPECT_TRUE(result) << to_text(result.error());
  return result.value_or(Tensor{});
}

TEST(UnreadResults, OfADropoutAreAMaskOfOnesWhereTheyAreRead) {
  const std::string text =
      "g (float[3] x) => (float[3] y) { d, mask = Dropout (x)\n"
      "zero = Sub (x, x)\n y = Where (mask, d, zero) }";
  EXPECT_THAT(by_units(model_of_opset(text, 13)).as<float>(), ElementsAre(-1, 2, 3));
}

TEST(UnreadResults, OfADropoutMayBeTheOutputOfAModel) {
  const Tensor mask = by_units(
      model_of_opset("g (float[3] x) => (bool[3] mask, float[3] d) { d, mask = Dropout (x) }", 12));
  EXPECT_EQ(mask.type, (TensorType{DataType::kBool, {3}}));
  EXPECT_THAT(integers(mask), ElementsAre(1, 1, 1));
}

TEST(UnreadResults, OfADropoutHaveItsTypeBeforeOpset10) {
  const std::string text =
      "g (float[3] x) => (float[3] y) { d, mask = Dropout (x)\n y = Add (mask, d) }";
  EXPECT_THAT(by_units(model_of_opset(text, 9)).as<float>(), ElementsAre(0, 3, 4));
}

/// The names of the first node's outputs after the model was written and read.
std::vector<std::string> written_outputs(const std::string& text) {
  const Model model = model_of_opset(text, 17);
  const auto bytes = onnx_bytes(model);
  EXPECT_TRUE(bytes) << to_text(bytes.error());
  const auto read = parse_onnx(*bytes, "m", "");
  EXPECT_TRUE(read) << to_text(read.error());
  return read ? read->graph.nodes.at(0).outputs : std::vector<std::string>();
}

TEST(UnreadResults, ThatAnOperatorMustHaveAreWritten) {
  EXPECT_THAT(written_outputs("g (float[3] x) => (float[2] v) <int64[1] k = {2}> { v, i = TopK (x, "
                              "k) }"),
              ElementsAre("v", "v/unread1"));
  EXPECT_THAT(written_outputs("g (float[3] x) => (uint8[3] q) { q, s, z = DynamicQuantizeLinear "
                              "(x) }"),
              ElementsAre("q", "q/unread1", "q/unread2"));
  EXPECT_THAT(written_outputs("g (float[1,1,4] x) => (float[1,1,2] y) { y, i = MaxPool "
                              "<kernel_shape = [3]> (x) }"),
              ElementsAre("y"));
}

TEST(UnreadResults, OfBranchesAreWritten) {
  EXPECT_THAT(written_outputs(R"(g (float[3] x, bool c) => (float[3] y) { y, z = If (c) <
          then_branch = a () => (float[3] p, float[3] q) { p = Neg (x) q = Abs (x) },
          else_branch = b () => (float[3] r, float[3] s) { r = Abs (x) s = Neg (x) }> })"),
              ElementsAre("y", "y/unread1"));
}

TEST(UnreadResults, OfUnknownOperatorsStay) {
  const Model model =
      model_of_opset("g (float[3] x) => (float[3] y) { y, z = acme.Twins (x) }", 17);
  EXPECT_THAT(model.graph.nodes.at(0).outputs, ElementsAre("y", "z"));
}

}  // namespace
}  // namespace opbench

#include <gmock/gmock.h>

#include "graph_runner.h"
#include "model/graph/onnx_file.h"
#include "onnx_text.h"

/// What opset 6 and below write otherwise: operands along an axis, words and numbers as attributes.
namespace opbench {
namespace {

using ::testing::ElementsAre;
using ::testing::ElementsAreArray;
using ::testing::HasSubstr;

Model old_model(const std::string& text, int opset = 6) {
  const std::string head = "<ir_version: 3, opset_import: [\"\" : " + std::to_string(opset) + "]>";
  auto model = parse_onnx(test::onnx_of_text(head + text), "model", "");
  EXPECT_TRUE(model) << to_text(model.error());
  return *model;
}

/// The first output as the nodes compute it and, where that is float32, as the units do.
Tensor old_result(Model model, const std::map<std::string, Tensor>& inputs) {
  const auto inferred = infer_types(model);
  EXPECT_TRUE(inferred) << to_text(inferred.error());
  if (!inferred) return {};
  const auto by_nodes = run_nodes(model, inputs);
  EXPECT_TRUE(by_nodes) << to_text(by_nodes.error());
  const auto units = lower(model);
  EXPECT_TRUE(units) << to_text(units.error());
  const auto by_units = run_units(model, inputs);
  EXPECT_TRUE(by_units) << to_text(by_units.error());
  if (!by_nodes || !by_units) return {};
  EXPECT_EQ(by_nodes->data, by_units->data);
  return *by_nodes;
}

std::vector<float> old_floats(const std::string& text, const Tensor& x, int opset = 6) {
  const Tensor y = old_result(old_model(text, opset), {{"x", x}});
  return {y.as<float>().begin(), y.as<float>().end()};
}

Tensor floats_of_shape(const Shape& shape, const std::vector<float>& values) {
  return Tensor::of<float>(DataType::kFloat32, shape, values);
}

std::string refusal_of_old(const std::string& text, int opset = 6) {
  Model model = old_model(text, opset);
  const auto inferred = infer_types(model);
  return inferred ? "" : to_text(inferred.error());
}

/// x[2,2] and b[2], laid along axis 0: every row has one element of b.
std::string along_rows(const std::string& type) {
  return "g (float[2,2] x) => (float[2,2] y) <float[2] b = {2, 3}> { y = " + type +
         " <axis = 0, broadcast = 1> (x, b) }";
}

TEST(OldForms, LayOperandsOfArithmeticAlongAnAxis) {
  const Tensor x = floats_of_shape({2, 2}, {6, 4, 9, 3});
  EXPECT_THAT(old_floats(along_rows("Add"), x), ElementsAre(8, 6, 12, 6));
  EXPECT_THAT(old_floats(along_rows("Sub"), x), ElementsAre(4, 2, 6, 0));
  EXPECT_THAT(old_floats(along_rows("Mul"), x), ElementsAre(12, 8, 27, 9));
  EXPECT_THAT(old_floats(along_rows("Div"), x), ElementsAre(3, 2, 3, 1));
  EXPECT_THAT(old_floats(along_rows("Pow"), x), ElementsAre(36, 16, 729, 27));
}

TEST(OldForms, LayOperandsOfComparisonsAlongAnAxis) {
  const std::map<std::string, std::vector<int64_t>> expected = {{"Greater", {0, 1, 0, 1}},
                                                                {"Less", {1, 0, 0, 0}}};
  for (const auto& [type, truths] : expected) {
    const Tensor y = old_result(
        old_model("g (float[2,2] x) => (bool[2,2] y) <float[2] b = {2, 3}> { y = " + type +
                  " <axis = 0, broadcast = 1> (x, b) }"),
        {{"x", floats_of_shape({2, 2}, {1, 5, 3, 4})}});
    EXPECT_THAT(integers(y), ElementsAreArray(truths)) << type;
  }
}

TEST(OldForms, LayOperandsOfLogicAlongAnAxis) {
  const std::map<std::string, std::vector<int64_t>> expected = {
      {"And", {1, 0, 0, 0}}, {"Or", {1, 1, 1, 0}}, {"Xor", {0, 1, 1, 0}}, {"Equal", {1, 0, 0, 1}}};
  const std::vector<uint8_t> values = {1, 0, 1, 0};
  const Tensor x = Tensor::of<uint8_t>(DataType::kBool, {2, 2}, values);
  for (const auto& [type, truths] : expected) {
    const Tensor y =
        old_result(old_model("g (bool[2,2] x) => (bool[2,2] y) <bool[2] b = {1, 0}> { y = " + type +
                             " <axis = 0, broadcast = 1> (x, b) }"),
                   {{"x", x}});
    EXPECT_THAT(integers(y), ElementsAreArray(truths)) << type;
  }
}

TEST(OldForms, LayOperandsAlongInnerAxesAndFromTheEnd) {
  const Tensor x = floats_of_shape({1, 2, 2}, {0, 0, 0, 0});
  const auto with = [&](const std::string& axis, const std::string& b) {
    return old_floats("g (float[1,2,2] x) => (float[1,2,2] y) <" + b +
                          "> { y = Add <axis = " + axis + ", broadcast = 1> (x, b) }",
                      x);
  };
  EXPECT_THAT(with("1", "float[2] b = {1, 2}"), ElementsAre(1, 1, 2, 2));
  EXPECT_THAT(with("2", "float[2] b = {1, 2}"), ElementsAre(1, 2, 1, 2));
  EXPECT_THAT(with("-1", "float[2] b = {1, 2}"), ElementsAre(1, 2, 1, 2));
  EXPECT_THAT(with("0", "float[1,2] b = {1, 2}"), ElementsAre(1, 1, 2, 2));
  EXPECT_THAT(with("1", "float[1] b = {1}"), ElementsAre(1, 1, 1, 1));
}

TEST(OldForms, LayAnOperandThatIsAnInputOfTheModel) {
  const Tensor y = old_result(
      old_model("g (float[2,2] x, float[2] b) => (float[2,2] y) { y = Mul "
                "<axis = 0, broadcast = 1> (x, b) }"),
      {{"x", floats_of_shape({2, 2}, {1, 2, 3, 4})}, {"b", floats_of_shape({2}, {10, 100})}});
  EXPECT_THAT(y.as<float>(), ElementsAre(10, 20, 300, 400));
}

TEST(OldForms, LayOperandsInsideBranches) {
  EXPECT_THAT(
      old_floats(R"(g (float[2,2] x) => (float[2,2] y) <float[2] b = {1, 2}, bool yes = {1}> {
      y = If (yes) <then_branch = a () => (float[2,2] s) { s = Add <axis = 0, broadcast = 1> (x, b) },
                    else_branch = c () => (float[2,2] t) { t = Neg (x) }> })",
                 floats_of_shape({2, 2}, {0, 0, 0, 0})),
      ElementsAre(1, 1, 2, 2));
}

TEST(OldForms, LaySlopesAlongTheChannels) {
  const std::string text =
      "g (float[1,2,2] x) => (float[1,2,2] y) <float[2] slope = {2, 3}> { y = PRelu (x, slope) }";
  const Tensor x = floats_of_shape({1, 2, 2}, {-1, -1, -1, 1});
  EXPECT_THAT(old_floats(text, x), ElementsAre(-2, -2, -3, 1));
  EXPECT_THAT(old_floats(text, x, 7), ElementsAre(-2, -3, -2, 1)) << "numpy's rule from opset 7 on";
}

TEST(OldForms, NameTheOpsetOfAnOperandThatDoesNotFit) {
  EXPECT_THAT(
      refusal_of_old("g (float[2,3] x) => (float[2,3] y) <float[3] b = {1, 2, 3}> { y = "
                     "Add <axis = 0, broadcast = 1> (x, b) }"),
      HasSubstr("operand 1 of shape 3 does not fit 2x3 from axis 0 on, as opset 6 lays it"));
  EXPECT_THAT(refusal_of_old("g (float[2,3] x) => (float[2,3] y) <float[2] b = {1, 2}> { y = "
                             "Add <axis = 2, broadcast = 1> (x, b) }"),
              HasSubstr("from axis 2 on"));
}

TEST(OldForms, NameTypesInWords) {
  const Tensor y =
      old_result(old_model("g (float[2] x) => (int32[2] y) { y = Cast <to = \"INT32\"> (x) }", 1),
                 {{"x", floats_of_shape({2}, {1.5F, -2.5F})}});
  EXPECT_EQ(y.type.data_type, DataType::kInt32);
  EXPECT_THAT(integers(y), ElementsAre(1, -2));
  EXPECT_THAT(
      refusal_of_old("g (float[2] x) => (float[2] y) { y = Cast <to = \"FLOAT99\"> (x) }", 1),
      HasSubstr("does not cast to \"FLOAT99\" (opset 1)"));
}

TEST(OldForms, ScaleImagesByTheirHeightAndWidth) {
  const Tensor x = floats_of_shape({1, 1, 1, 2}, {1, 2});
  EXPECT_THAT(
      old_floats("g (float[1,1,1,2] x) => (float[1,1,2,4] y) { y = Upsample <height_scale = "
                 "2.0, width_scale = 2.0, mode = \"nearest\"> (x) }",
                 x, 1),
      ElementsAre(1, 1, 2, 2, 1, 1, 2, 2));
  EXPECT_THAT(
      old_floats("g (float[1,1,1,2] x) => (float[1,1,1,4] y) { y = Upsample <height_scale = "
                 "1.0, width_scale = 2.0, mode = \"bilinear\"> (x) }",
                 x, 1),
      ElementsAre(1, 1.5F, 2, 2));
}

TEST(OldForms, TileAlongOneAxis) {
  EXPECT_THAT(
      old_floats("g (float[2,1] x) => (float[2,3] y) <float three = {3}, float axis = {1}> { "
                 "y = Tile (x, three, axis) }",
                 floats_of_shape({2, 1}, {1, 2}), 1),
      ElementsAre(1, 1, 1, 2, 2, 2));
}

TEST(OldForms, HaveTheirOwnDefaults) {
  const std::string text = "g (float[1] x) => (float[1] y) { y = Selu (x) }";
  EXPECT_EQ(old_floats(text, floats_of_shape({1}, {1}), 1)[0], 1.0507F);
  EXPECT_NE(old_floats(text, floats_of_shape({1}, {1}), 6)[0], 1.0507F);
}

TEST(OldForms, AreRefusedByTheirOpsetWhereTheyMeanSomethingElse) {
  EXPECT_THAT(refusal_of_old("g (float[2,2,2,2] x) => (float[2,2,2,2] y) { y = "
                             "MeanVarianceNormalization (x) }"),
              HasSubstr("is known from opset 9 on"));
  EXPECT_THAT(refusal_of_old(
                  "g (float[1,2,2] x) => (float[1,2,2] y) <float[2] s = {1, 1}, float[2] b = {0, "
                  "0}, float[2] m = {0, 0}, float[2] v = {1, 1}> { y = BatchNormalization "
                  "<spatial = 0> (x, s, b, m, v) }",
                  7),
              HasSubstr("spatial 0 (opset 7) is not supported"));
}

}  // namespace
}  // namespace opbench

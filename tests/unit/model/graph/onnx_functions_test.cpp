#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "model/graph/onnx_file.h"
#include "onnx_models.h"

namespace opbench {
namespace {

using test::add_attribute;
using test::add_node;
using testing::ElementsAre;
using testing::HasSubstr;
using OnnxFunctionsKind = onnx::AttributeProto;

onnx::FunctionProto& add_function(onnx::ModelProto& model, const std::string& name) {
  auto& function = *model.add_functions();
  function.set_name(name);
  function.set_domain("local");
  function.add_input("a");
  function.add_output("b");
  return function;
}

onnx::NodeProto& add_call(onnx::ModelProto& model, const std::string& name,
                          const std::string& input, const std::string& output) {
  auto& node = add_node(model.mutable_graph()->mutable_node(), name, {input}, {output});
  node.set_domain("local");
  return node;
}

/// b = LeakyRelu(Relu(a)), the slope given by the attribute `slope`.
onnx::ModelProto model_with_function() {
  auto model = test::empty_model();
  auto& function = add_function(model, "Leaky");
  function.add_attribute("slope");
  add_node(function.mutable_node(), "Relu", {"a"}, {"t"}).set_name("first");
  auto& leaky = add_node(function.mutable_node(), "LeakyRelu", {"t"}, {"b"});
  add_attribute(leaky, "alpha", OnnxFunctionsKind::FLOAT).set_ref_attr_name("slope");
  return model;
}

Result<Model> onnx_functions_parsed(const onnx::ModelProto& proto) {
  return parse_onnx(proto.SerializeAsString(), "m", "");
}

TEST(OnnxFunctions, AreReplacedByTheirNodesWithUniqueNames) {
  auto proto = model_with_function();
  add_attribute(add_call(proto, "Leaky", "x", "mid"), "slope", OnnxFunctionsKind::FLOAT)
      .set_f(0.25F);
  add_call(proto, "Leaky", "mid", "y").set_name("mid");
  const auto model = onnx_functions_parsed(proto);
  ASSERT_TRUE(model) << to_text(model.error());
  const auto& nodes = model->graph.nodes;
  ASSERT_EQ(nodes.size(), 4U);
  EXPECT_EQ(nodes[0].name, "mid/first");
  EXPECT_THAT(nodes[0].inputs, ElementsAre("x"));
  EXPECT_THAT(nodes[0].outputs, ElementsAre("mid/t"));
  EXPECT_THAT(nodes[1].outputs, ElementsAre("mid"));
  EXPECT_EQ(float_attribute(nodes[1], "alpha", 0), 0.25F);
  EXPECT_EQ(nodes[2].name, "mid_2/first");
  EXPECT_THAT(nodes[3].outputs, ElementsAre("y"));
  EXPECT_FALSE(nodes[3].attributes.contains("alpha"));
}

TEST(OnnxFunctions, TakeDefaultsForAttributesThatACallOmits) {
  auto proto = model_with_function();
  onnx::AttributeProto slope;  // field 11 of FunctionProto since IR 9
  slope.set_name("slope");
  slope.set_type(OnnxFunctionsKind::FLOAT);
  slope.set_f(0.125F);
  proto.mutable_functions(0)->mutable_unknown_fields()->AddLengthDelimited(
      11, slope.SerializeAsString());
  add_call(proto, "Leaky", "x", "y");
  const auto model = onnx_functions_parsed(proto);
  ASSERT_TRUE(model) << to_text(model.error());
  EXPECT_EQ(float_attribute(model->graph.nodes[1], "alpha", 0), 0.125F);
}

TEST(OnnxFunctions, MayCallOthersAndHoldConstants) {
  auto proto = model_with_function();
  auto& outer = add_function(proto, "Outer");
  auto& constant = add_node(outer.mutable_node(), "Constant", {}, {"c"});
  add_attribute(constant, "value_float", OnnxFunctionsKind::FLOAT).set_f(3);
  add_node(outer.mutable_node(), "Leaky", {"a"}, {"t"}).set_domain("local");
  add_node(outer.mutable_node(), "Mul", {"t", "c"}, {"b"});
  add_call(proto, "Outer", "x", "y");
  const auto model = onnx_functions_parsed(proto);
  ASSERT_TRUE(model) << to_text(model.error());
  ASSERT_EQ(model->graph.nodes.size(), 3U);
  EXPECT_THAT(model->graph.nodes[2].inputs, ElementsAre("y/t", "y/c"));
  EXPECT_EQ(model->graph.constants.at("y/c").as<float>()[0], 3);
}

/// b = If(a) relu(t) with t = Neg(a): the branch reads a value of the function.
TEST(OnnxFunctions, RenameWhatBodiesRead) {
  auto proto = test::empty_model();
  auto& function = add_function(proto, "Choose");
  add_node(function.mutable_node(), "Neg", {"a"}, {"t"});
  auto& branch = add_node(function.mutable_node(), "If", {"a"}, {"b"});
  auto& body = *add_attribute(branch, "then_branch", OnnxFunctionsKind::GRAPH).mutable_g();
  add_node(body.mutable_node(), "Relu", {"t"}, {"r"});
  body.add_output()->set_name("r");
  add_call(proto, "Choose", "x", "y");
  const auto model = onnx_functions_parsed(proto);
  ASSERT_TRUE(model) << to_text(model.error());
  const Graph& inside = model->graph.nodes[1].bodies.at("then_branch").graph();
  EXPECT_THAT(inside.nodes[0].inputs, ElementsAre("y/t"));
  EXPECT_THAT(inside.nodes[0].outputs, ElementsAre("r"));
}

/// A model whose node holds `body`, which calls a function and then adds what the graph around has.
onnx::ModelProto model_with_call_in_body() {
  auto proto = model_with_function();
  auto& node = add_node(proto.mutable_graph()->mutable_node(), "Loop", {"", "", "x"}, {"y"});
  auto& body = *add_attribute(node, "body", OnnxFunctionsKind::GRAPH).mutable_g();
  body.set_name("body");
  add_node(body.mutable_node(), "Leaky", {"v"}, {"w"}).set_domain("local");
  add_node(body.mutable_node(), "Add", {"w", "x"}, {"u"});
  add_node(body.mutable_node(), "Identity", {"c"}, {"d"});
  for (const char* name : {"i", "c", "v"}) test::add_value(*body.add_input(), name, {2});
  for (const char* name : {"d", "u"}) test::add_value(*body.add_output(), name, {2});
  return proto;
}

std::vector<std::string> types_of(const Graph& graph) {
  std::vector<std::string> types;
  for (const Node& node : graph.nodes) types.push_back(node.type);
  return types;
}

TEST(OnnxFunctions, AreReplacedInBodies) {
  const auto model = onnx_functions_parsed(model_with_call_in_body());
  ASSERT_TRUE(model) << to_text(model.error());
  const Graph& body = model->graph.nodes.at(0).bodies.at("body").graph();
  EXPECT_THAT(types_of(body), ElementsAre("Relu", "LeakyRelu", "Add", "Identity"));
  EXPECT_THAT(body.nodes[0].inputs, ElementsAre("v"));
  EXPECT_THAT(body.nodes[1].outputs, ElementsAre("w"));
}

TEST(OnnxFunctions, AreReplacedInTheBodiesOfOthers) {
  auto proto = model_with_call_in_body();
  auto& outer = add_function(proto, "Outer");
  auto& graph = *proto.mutable_graph();
  auto& loop = *outer.mutable_node()->Add();
  loop = graph.node(0);
  loop.set_input(2, "a");
  loop.set_output(0, "b");
  loop.mutable_attribute(0)->mutable_g()->mutable_node(1)->set_input(1, "a");
  graph.clear_node();
  add_call(proto, "Outer", "x", "y");
  const auto model = onnx_functions_parsed(proto);
  ASSERT_TRUE(model) << to_text(model.error());
  const Graph& body = model->graph.nodes.at(0).bodies.at("body").graph();
  EXPECT_THAT(types_of(body), ElementsAre("Relu", "LeakyRelu", "Add", "Identity"));
  EXPECT_THAT(body.nodes[2].inputs, ElementsAre("w", "x"));
}

TEST(OnnxFunctions, AreRefusedWhenABodyInThemCallsThem) {
  auto proto = model_with_call_in_body();
  proto.mutable_functions(0)->mutable_node()->Add()->CopyFrom(proto.graph().node(0));
  const auto model = onnx_functions_parsed(proto);
  ASSERT_FALSE(model);
  EXPECT_THAT(model.error().message, HasSubstr("the function \"Leaky\" calls itself"));
}

TEST(OnnxFunctions, MayHandOutAnInput) {
  auto proto = test::empty_model();
  auto& function = add_function(proto, "Same");
  function.set_output(0, "a");
  add_call(proto, "Same", "x", "y");
  const auto model = onnx_functions_parsed(proto);
  ASSERT_TRUE(model) << to_text(model.error());
  EXPECT_EQ(model->graph.nodes[0].type, "Identity");
  EXPECT_THAT(model->graph.nodes[0].inputs, ElementsAre("x"));
}

TEST(OnnxFunctions, AreRefusedWhenTheyCallThemselves) {
  auto proto = test::empty_model();
  auto& function = add_function(proto, "Loop");
  add_node(function.mutable_node(), "Loop", {"a"}, {"b"}).set_domain("local");
  add_call(proto, "Loop", "x", "y");
  const auto model = onnx_functions_parsed(proto);
  ASSERT_FALSE(model);
  EXPECT_THAT(model.error().message, HasSubstr("function \"Loop\" calls itself"));
}

TEST(OnnxFunctions, AddTheirOperatorSetsToTheModels) {
  auto proto = model_with_function();
  auto& import = *proto.mutable_functions(0)->add_opset_import();
  import.set_domain("com.microsoft");
  import.set_version(1);
  proto.mutable_functions(0)->add_opset_import()->set_version(12);
  add_call(proto, "Leaky", "x", "y");
  const auto model = onnx_functions_parsed(proto);
  ASSERT_TRUE(model) << to_text(model.error());
  EXPECT_EQ(model->other_opsets.at("com.microsoft"), 1);
  EXPECT_EQ(model->opset, 17);
}

}  // namespace
}  // namespace opbench

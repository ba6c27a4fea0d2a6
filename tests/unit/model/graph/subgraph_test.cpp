#include "model/graph/subgraph.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "model/graph/onnx_export.h"
#include "model/graph/onnx_file.h"
#include "onnx_models.h"

namespace opbench {
namespace {

using test::add_attribute;
using test::add_node;
using testing::ElementsAre;
using testing::HasSubstr;

/// y = If(x, blur(a), if-inside): `a` is made around the subgraphs.
onnx::ModelProto model_with_subgraphs() {
  onnx::ModelProto model = test::empty_model();
  auto* nodes = model.mutable_graph()->mutable_node();
  add_node(nodes, "Relu", {"x"}, {"a"});
  onnx::NodeProto& branch = add_node(nodes, "If", {"x"}, {"y"});
  using Kind = onnx::AttributeProto;
  onnx::GraphProto& then_body = *add_attribute(branch, "then_branch", Kind::GRAPH).mutable_g();
  add_node(then_body.mutable_node(), "Blur", {"a"}, {"b"}).set_domain("com.acme");
  onnx::GraphProto& else_body = *add_attribute(branch, "else_branch", Kind::GRAPH).mutable_g();
  onnx::NodeProto& inner = add_node(else_body.mutable_node(), "If", {"x"}, {"c"});
  onnx::GraphProto& deepest = *add_attribute(inner, "then_branch", Kind::GRAPH).mutable_g();
  add_node(deepest.mutable_node(), "Tanh", {"a"}, {"t"});
  onnx::TensorProto& weights = *deepest.add_initializer();
  weights.set_name("w");
  weights.set_data_type(onnx::TensorProto::FLOAT);
  weights.add_dims(2);
  weights.set_raw_data("12345678");
  return model;
}

TEST(Subgraph, TellsItsNodesAtAnyDepth) {
  const auto model = parse_onnx(model_with_subgraphs().SerializeAsString(), "m", "");
  ASSERT_TRUE(model) << to_text(model.error());
  const Node& branch = model->graph.nodes[1];
  EXPECT_TRUE(branch.has_subgraph);
  std::vector<std::string> found;
  for (const Node& node : inner_nodes(branch)) {
    found.push_back(node.domain + "/" + node.type + "/" + node.name);
  }
  // Attributes come by name: else_branch first.
  EXPECT_THAT(found, ElementsAre("/If/c", "/Tanh/t", "com.acme/Blur/b"));
  EXPECT_TRUE(inner_nodes(branch)[0].has_subgraph);
  EXPECT_TRUE(inner_nodes(model->graph.nodes[0]).empty());
}

TEST(Subgraph, TellsWhatItReads) {
  const auto model = parse_onnx(model_with_subgraphs().SerializeAsString(), "m", "");
  ASSERT_TRUE(model);
  EXPECT_THAT(reads_of(model->graph.nodes[0]), ElementsAre("x"));
  EXPECT_THAT(reads_of(model->graph.nodes[1]), ElementsAre("x", "x", "a", "a"));
}

std::string refusal(const onnx::ModelProto& model) {
  const auto parsed = parse_onnx(model.SerializeAsString(), "m", "");
  return parsed ? "" : to_text(parsed.error());
}

TEST(Subgraph, IsRefusedWhereItsValuesDoNotFit) {
  onnx::ModelProto model = model_with_subgraphs();
  onnx::NodeProto& branch = *model.mutable_graph()->mutable_node(1);
  onnx::GraphProto& then_body = *branch.mutable_attribute(0)->mutable_g();
  then_body.mutable_node(0)->set_input(0, "nothing");
  EXPECT_THAT(refusal(model), HasSubstr("reads the value \"nothing\", which nobody makes"));
  model = model_with_subgraphs();
  onnx::GraphProto& body =
      *model.mutable_graph()->mutable_node(1)->mutable_attribute(0)->mutable_g();
  add_node(body.mutable_node(), "Neg", {"a"}, {body.node(0).output(0)});
  EXPECT_THAT(refusal(model), HasSubstr("a subgraph makes the value \"b\" twice"));
}

TEST(Subgraph, IsReadAfterWhatItReadsIsMade) {
  onnx::ModelProto model = model_with_subgraphs();
  model.mutable_graph()->mutable_node()->SwapElements(0, 1);
  const auto parsed = parse_onnx(model.SerializeAsString(), "m", "");
  ASSERT_TRUE(parsed) << to_text(parsed.error());
  EXPECT_EQ(parsed->graph.nodes[1].type, "If");
}

/// y = Loop(…) whose body reads what later nodes make.
onnx::ModelProto model_with_unsorted_body() {
  onnx::ModelProto model = test::empty_model();
  onnx::NodeProto& loop =
      add_node(model.mutable_graph()->mutable_node(), "Loop", {"", "", "x"}, {"y"});
  onnx::GraphProto& body = *add_attribute(loop, "body", onnx::AttributeProto::GRAPH).mutable_g();
  add_node(body.mutable_node(), "Add", {"doubled", "x"}, {"next"});
  add_node(body.mutable_node(), "Mul", {"v", "v"}, {"doubled"});
  add_node(body.mutable_node(), "Identity", {"going"}, {"going_on"});
  for (const char* name : {"i", "going", "v"}) test::add_value(*body.add_input(), name, {2});
  for (const char* name : {"going_on", "next"}) test::add_value(*body.add_output(), name, {2});
  return model;
}

TEST(Subgraph, HasItsNodesPutIntoOrder) {
  const auto model = parse_onnx(model_with_unsorted_body().SerializeAsString(), "m", "");
  ASSERT_TRUE(model) << to_text(model.error());
  std::vector<std::string> names;
  for (const Node& node : inner_nodes(model->graph.nodes[0])) names.push_back(node.name);
  EXPECT_THAT(names, ElementsAre("doubled", "next", "going_on"));
}

TEST(Subgraph, NamesTheNodesOfACycle) {
  onnx::ModelProto model = model_with_unsorted_body();
  onnx::GraphProto& body =
      *model.mutable_graph()->mutable_node(0)->mutable_attribute(0)->mutable_g();
  body.mutable_node(1)->set_input(0, "next");
  EXPECT_THAT(refusal(model), HasSubstr("waits for its own result"));
  EXPECT_THAT(refusal(model), HasSubstr("\"doubled\" (Mul)"));
}

TEST(Subgraph, IsWrittenAsItWasRead) {
  const auto model = parse_onnx(model_with_subgraphs().SerializeAsString(), "m", "");
  ASSERT_TRUE(model);
  const auto bytes = onnx_bytes(*model);
  ASSERT_TRUE(bytes) << to_text(bytes.error());
  const auto again = parse_onnx(*bytes, "m", "");
  ASSERT_TRUE(again) << to_text(again.error());
  EXPECT_EQ(again->graph.nodes, model->graph.nodes);
  const Graph& other = model->graph.nodes[1].bodies.at("else_branch").graph();
  const Graph& deepest = other.nodes[0].bodies.at("then_branch").graph();
  EXPECT_EQ(deepest.constants.at("w").type, (TensorType{DataType::kFloat32, {2}}));
}

}  // namespace
}  // namespace opbench

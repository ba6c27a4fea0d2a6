#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "base/files/file.h"
#include "base/numbers/hash.h"
#include "model/graph/onnx_file.h"
#include "onnx_models.h"

namespace opbench {
namespace {

using test::add_attribute;
using test::add_node;
using test::add_tensor;
using test::empty_model;
using test::relu_model;
using testing::ElementsAre;
using testing::HasSubstr;
using OnnxImportTypes = onnx::TensorProto;

Result<Model> onnx_import_parsed(const onnx::ModelProto& proto) {
  return parse_onnx(proto.SerializeAsString(), "m", "");
}

std::string onnx_import_message_of(const Result<Model>& model) {
  return model ? "no error" : to_text(model.error());
}

std::vector<std::string> node_names(const Model& model) {
  std::vector<std::string> names;
  for (const Node& node : model.graph.nodes) names.push_back(node.name);
  return names;
}

TEST(OnnxImport, KeepsWhereAModelComesFrom) {
  const auto folder = TemporaryFolder::make().value();
  const std::string bytes = relu_model().SerializeAsString();
  ASSERT_TRUE(write_file(folder.path() / "net.v2.onnx", bytes));
  const auto model = read_onnx(folder.path() / "net.v2.onnx");
  ASSERT_TRUE(model) << onnx_import_message_of(model);
  EXPECT_EQ(model->name, "net.v2");
  EXPECT_EQ(model->source, folder.path() / "net.v2.onnx");
  EXPECT_EQ(model->sha256, sha256(bytes));
  EXPECT_EQ(model->file_bytes, static_cast<int64_t>(bytes.size()));
  EXPECT_EQ(model->ir_version, 8);
  EXPECT_EQ(model->opset, 17);
}

TEST(OnnxImport, NamesNodesWithoutANameByTheirFirstOutput) {
  EXPECT_THAT(node_names(*onnx_import_parsed(relu_model())), ElementsAre("y"));
}

TEST(OnnxImport, AcceptsAnyIrVersionOpsetAndDomain) {
  for (const int64_t version : {1, 3, 14}) {
    auto proto = relu_model();
    proto.set_ir_version(version);
    proto.mutable_opset_import(0)->set_version(26);
    auto& other = *proto.add_opset_import();
    other.set_domain("com.microsoft");
    other.set_version(1);
    proto.mutable_graph()->mutable_node(0)->set_domain("ai.onnx");
    const auto model = onnx_import_parsed(proto);
    ASSERT_TRUE(model) << onnx_import_message_of(model);
    EXPECT_EQ(model->ir_version, version);
    EXPECT_EQ(model->opset, 26);
    EXPECT_EQ(model->other_opsets.at("com.microsoft"), 1);
    EXPECT_EQ(model->graph.nodes[0].domain, "");
  }
}

TEST(OnnxImport, IgnoresFieldsItDoesNotKnow) {
  auto proto = relu_model();
  proto.mutable_unknown_fields()->AddVarint(900, 1);
  proto.mutable_graph()->mutable_unknown_fields()->AddLengthDelimited(901, "?");
  proto.mutable_graph()->mutable_node(0)->mutable_unknown_fields()->AddFixed32(902, 1);
  EXPECT_TRUE(onnx_import_parsed(proto));
}

TEST(OnnxImport, KeepsSymbolicAndUnknownDimensions) {
  auto proto = relu_model();
  auto& type = *proto.mutable_graph()->mutable_input(0)->mutable_type()->mutable_tensor_type();
  type.mutable_shape()->mutable_dim(0)->set_dim_param("batch");
  type.mutable_shape()->add_dim();
  type.mutable_shape()->add_dim()->set_dim_value(-1);
  proto.mutable_graph()->mutable_output(0)->mutable_type()->mutable_tensor_type()->clear_shape();
  const auto model = onnx_import_parsed(proto);
  ASSERT_TRUE(model) << onnx_import_message_of(model);
  EXPECT_THAT(model->graph.inputs[0].dimensions,
              ElementsAre(Dimension{-1, "batch"}, Dimension{-1, ""}, Dimension{-1, ""}));
  EXPECT_FALSE(model->graph.outputs[0].has_shape);
}

TEST(OnnxImport, DoesNotCountInitialisersAmongTheInputs) {
  auto proto = relu_model();
  test::add_value(*proto.mutable_graph()->add_input(), "w", {1});
  add_tensor(proto, "w", OnnxImportTypes::FLOAT, {1}).add_float_data(1);
  const auto model = onnx_import_parsed(proto);
  ASSERT_TRUE(model) << onnx_import_message_of(model);
  EXPECT_EQ(model->graph.inputs.size(), 1U);
  EXPECT_TRUE(model->graph.constants.contains("w"));
}

TEST(OnnxImport, ReadsAttributesOfEveryKind) {
  auto proto = relu_model();
  auto& node = *proto.mutable_graph()->mutable_node(0);
  using Kind = onnx::AttributeProto;
  add_attribute(node, "i", Kind::INT).set_i(-3);
  add_attribute(node, "f", Kind::FLOAT).set_f(0.5F);
  add_attribute(node, "s", Kind::STRING).set_s("SAME_UPPER");
  add_attribute(node, "is", Kind::INTS).add_ints(4);
  add_attribute(node, "fs", Kind::FLOATS).add_floats(1.5F);
  add_attribute(node, "ss", Kind::STRINGS).add_strings("a");
  add_attribute(node, "old", Kind::UNDEFINED).add_ints(7);
  auto& tensor = *add_attribute(node, "t", Kind::TENSOR).mutable_t();
  tensor.set_data_type(OnnxImportTypes::INT64);
  tensor.add_int64_data(9);
  const auto model = onnx_import_parsed(proto);
  ASSERT_TRUE(model) << onnx_import_message_of(model);
  const int64_t nine = 9;
  EXPECT_EQ(model->graph.nodes[0].attributes,
            (Attributes{{"i", int64_t{-3}},
                        {"f", 0.5F},
                        {"s", std::string("SAME_UPPER")},
                        {"is", std::vector<int64_t>{4}},
                        {"fs", std::vector<float>{1.5F}},
                        {"ss", std::vector<std::string>{"a"}},
                        {"old", std::vector<int64_t>{7}},
                        {"t", Tensor::of<int64_t>(DataType::kInt64, {}, {&nine, 1})}}));
  EXPECT_FALSE(model->graph.nodes[0].has_subgraph);
}

TEST(OnnxImport, MarksNodesWithASubgraph) {
  auto proto = relu_model();
  auto& node = *proto.mutable_graph()->mutable_node(0);
  add_attribute(node, "body", onnx::AttributeProto::GRAPH).mutable_g()->set_name("inner");
  EXPECT_TRUE(onnx_import_parsed(proto)->graph.nodes[0].has_subgraph);
}

TEST(OnnxImport, TurnsConstantNodesIntoConstants) {
  auto proto = relu_model();
  auto* nodes = proto.mutable_graph()->mutable_node();
  using Kind = onnx::AttributeProto;
  add_attribute(add_node(nodes, "Constant", {}, {"i"}), "value_int", Kind::INT).set_i(3);
  add_attribute(add_node(nodes, "Constant", {}, {"fs"}), "value_floats", Kind::FLOATS)
      .add_floats(2);
  auto& tensor =
      *add_attribute(add_node(nodes, "Constant", {}, {"t"}), "value", Kind::TENSOR).mutable_t();
  tensor.set_data_type(OnnxImportTypes::FLOAT);
  tensor.add_dims(1);
  tensor.add_float_data(5);
  const auto model = onnx_import_parsed(proto);
  ASSERT_TRUE(model) << onnx_import_message_of(model);
  EXPECT_EQ(model->graph.nodes.size(), 1U);
  const auto& constants = model->graph.constants;
  EXPECT_EQ(constants.at("i").type, (TensorType{DataType::kInt64, {}}));
  EXPECT_THAT(integers(constants.at("i")), ElementsAre(3));
  EXPECT_EQ(constants.at("fs").type, (TensorType{DataType::kFloat32, {1}}));
  EXPECT_EQ(constants.at("t").as<float>()[0], 5);
}

TEST(OnnxImport, PutsNodesIntoOrder) {
  auto proto = empty_model();
  auto* nodes = proto.mutable_graph()->mutable_node();
  add_node(nodes, "Add", {"a", "b"}, {"y"});
  add_node(nodes, "Relu", {"a"}, {"b"});
  add_node(nodes, "Relu", {"x"}, {"a"});
  EXPECT_THAT(node_names(*onnx_import_parsed(proto)), ElementsAre("a", "b", "y"));
}

TEST(OnnxImport, RefusesNodesThatFormACycle) {
  auto proto = empty_model();
  auto* nodes = proto.mutable_graph()->mutable_node();
  add_node(nodes, "Add", {"x", "b"}, {"a"});
  add_node(nodes, "Relu", {"a"}, {"b"});
  add_node(nodes, "Relu", {"b"}, {"y"});
  EXPECT_THAT(onnx_import_message_of(onnx_import_parsed(proto)),
              HasSubstr("waits for its own result"));
  EXPECT_THAT(onnx_import_message_of(onnx_import_parsed(proto)),
              HasSubstr("\"a\" (Add) -> \"b\" (Relu) -> \"a\" (Add)"));
}

TEST(OnnxImport, RefusesValuesThatNobodyMakes) {
  auto proto = empty_model();
  add_node(proto.mutable_graph()->mutable_node(), "Add", {"x", "ghost"}, {"y"}).set_name("sum");
  EXPECT_THAT(onnx_import_message_of(onnx_import_parsed(proto)),
              HasSubstr("node \"sum\" (Add) reads the value \"ghost\", which nobody makes"));
  EXPECT_THAT(onnx_import_message_of(onnx_import_parsed(empty_model())),
              HasSubstr("graph output \"y\""));
}

TEST(OnnxImport, RefusesValuesMadeTwice) {
  auto proto = relu_model();
  add_node(proto.mutable_graph()->mutable_node(), "Tanh", {"x"}, {"y"}).set_name("other");
  EXPECT_THAT(onnx_import_message_of(onnx_import_parsed(proto)),
              HasSubstr("node \"other\" (Tanh) makes the value \"y\", which already is made by"));
}

TEST(OnnxImport, RefusesValuesWithoutAName) {
  auto proto = relu_model();
  proto.mutable_graph()->mutable_input(0)->set_name("");
  proto.mutable_graph()->mutable_node(0)->set_input(0, "");
  EXPECT_THAT(onnx_import_message_of(onnx_import_parsed(proto)),
              HasSubstr("a graph input has no name"));
  auto other = relu_model();
  add_tensor(other, "", OnnxImportTypes::FLOAT, {1}).add_float_data(1);
  EXPECT_THAT(onnx_import_message_of(onnx_import_parsed(other)),
              HasSubstr("an initialiser has no name"));
}

TEST(OnnxImport, RefusesTwoInputsOfAName) {
  auto proto = relu_model();
  test::add_value(*proto.mutable_graph()->add_input(), "x", {2});
  EXPECT_THAT(onnx_import_message_of(onnx_import_parsed(proto)),
              HasSubstr("there are two graph inputs \"x\""));
}

TEST(OnnxImport, KeepsTheTypesThatAFileStates) {
  auto proto = empty_model();
  auto* nodes = proto.mutable_graph()->mutable_node();
  add_node(nodes, "Relu", {"x"}, {"a"});
  add_node(nodes, "Relu", {"a"}, {"y"});
  test::add_value(*proto.mutable_graph()->add_value_info(), "a", {2, 3});
  auto& free = *proto.mutable_graph()->add_value_info();
  test::add_value(free, "b", {});
  free.mutable_type()->mutable_tensor_type()->mutable_shape()->add_dim()->set_dim_param("n");
  const auto model = onnx_import_parsed(proto);
  ASSERT_TRUE(model) << onnx_import_message_of(model);
  EXPECT_EQ(model->graph.types.at("a"), (TensorType{DataType::kFloat32, {2, 3}}));
  EXPECT_EQ(model->graph.types.at("y"), (TensorType{DataType::kFloat32, {2}}));
  EXPECT_FALSE(model->graph.types.contains("b"));
}

TEST(OnnxImport, RefusesWhatIsNoModel) {
  const auto message = [](std::string_view bytes) {
    return onnx_import_message_of(parse_onnx(bytes, "f", ""));
  };
  EXPECT_THAT(message(""), HasSubstr("\"f\" is empty"));
  EXPECT_THAT(message("a text file\n"), HasSubstr("\"f\" is not an ONNX model"));
  std::string noise;
  for (uint32_t i = 1; i < 4000; ++i) noise += static_cast<char>((i * 2654435761U) >> 24);
  EXPECT_THAT(message(noise), HasSubstr("\"f\" is not an ONNX model"));
  OnnxImportTypes tensor;
  tensor.add_dims(1);
  tensor.set_data_type(OnnxImportTypes::FLOAT);
  tensor.add_float_data(1);
  EXPECT_THAT(message(tensor.SerializeAsString()), HasSubstr("one tensor (TensorProto)"));
  EXPECT_THAT(onnx_import_message_of(read_onnx("/")), HasSubstr("\"/\": Is a directory"));
  EXPECT_THAT(onnx_import_message_of(read_onnx("/no.onnx")),
              HasSubstr("\"/no.onnx\": No such file"));
}

TEST(OnnxImport, SaysWhenAFileIsTruncated) {
  auto proto = relu_model();
  proto.set_producer_name("someone");
  const std::string bytes = proto.SerializeAsString();
  for (size_t size = 2; size < bytes.size(); ++size) {
    const auto model = parse_onnx(std::string_view(bytes).substr(0, size), "f", "");
    EXPECT_THAT(onnx_import_message_of(model), HasSubstr("\"f\" is truncated")) << size;
  }
  EXPECT_TRUE(parse_onnx(bytes, "f", ""));
}

TEST(OnnxImport, SurvivesDamage) {
  auto proto = relu_model();
  add_tensor(proto, "w", OnnxImportTypes::FLOAT, {2, 2}).set_raw_data(std::string(16, 'a'));
  const std::string bytes = proto.SerializeAsString();
  for (size_t i = 0; i < bytes.size(); ++i) {
    for (const int bit : {0, 2, 3, 7}) {
      std::string damaged = bytes;
      damaged[i] = static_cast<char>(damaged[i] ^ (1 << bit));
      const auto model = parse_onnx(damaged, "f", "");
      EXPECT_TRUE(model || model.error().code == ErrorCode::kInvalidInput);
    }
  }
}

}  // namespace
}  // namespace opbench

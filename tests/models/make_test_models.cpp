// make-test-models FOLDER: writes small ONNX files that are odd in one way each.

#include <onnx/onnx_pb.h>

#include <filesystem>
#include <fstream>
#include <iostream>
#include <string>

#include "onnx_models.h"

namespace opbench::test {
namespace {

namespace fs = std::filesystem;

void write(const fs::path& path, const std::string& bytes) {
  std::ofstream(path, std::ios::binary) << bytes;
}

void set_data_type(onnx::ValueInfoProto& value, onnx::TensorProto::DataType type) {
  value.mutable_type()->mutable_tensor_type()->set_elem_type(type);
}

/// Three operators that `halide` does not know, one of another domain, among two that it does.
onnx::ModelProto model_with_unknown_operators() {
  onnx::ModelProto model = relu_model();
  onnx::OperatorSetIdProto& domain = *model.add_opset_import();
  domain.set_domain("com.acme");
  domain.set_version(3);
  auto* nodes = model.mutable_graph()->mutable_node();
  nodes->Mutable(0)->set_output(0, "a");
  add_node(nodes, "Det", {"a"}, {"b"}).set_name("determinant");
  add_node(nodes, "Blur", {"b"}, {"c"}).set_domain("com.acme");
  add_node(nodes, "Relu", {"c"}, {"d"});
  add_node(nodes, "Unique", {"d"}, {"y"}).set_name("uniq");
  return model;
}

/// y[2, n] = where x is not 0, after a ReLU: an extent that only a run tells.
onnx::ModelProto model_for_onnxruntime_only() {
  onnx::ModelProto model = relu_model();
  model.mutable_graph()->mutable_node(0)->set_output(0, "a");
  model.mutable_graph()->mutable_node(0)->set_name("rectify");
  add_node(model.mutable_graph()->mutable_node(), "NonZero", {"a"}, {"y"}).set_name("find");
  onnx::ValueInfoProto& output = *model.mutable_graph()->mutable_output(0);
  output.clear_type();
  add_value(output, "y", {1});
  set_data_type(output, onnx::TensorProto::INT64);
  output.mutable_type()->mutable_tensor_type()->mutable_shape()->add_dim()->set_dim_param("n");
  return model;
}

onnx::ModelProto model_with_free_dimensions() {
  onnx::ModelProto model = relu_model();
  for (onnx::ValueInfoProto* value :
       {model.mutable_graph()->mutable_input(0), model.mutable_graph()->mutable_output(0)}) {
    auto& shape = *value->mutable_type()->mutable_tensor_type()->mutable_shape();
    shape.mutable_dim(0)->set_dim_param("batch");
    shape.add_dim();
    shape.add_dim()->set_dim_value(8);
  }
  return model;
}

onnx::ModelProto model_without_its_data() {
  onnx::ModelProto model = empty_model();
  onnx::TensorProto& weight = add_tensor(model, "w", onnx::TensorProto::FLOAT, {2});
  weight.set_data_location(onnx::TensorProto::EXTERNAL);
  onnx::StringStringEntryProto& location = *weight.add_external_data();
  location.set_key("location");
  location.set_value("weights.bin");
  add_node(model.mutable_graph()->mutable_node(), "Add", {"x", "w"}, {"y"});
  return model;
}

void add_filter(onnx::ModelProto& model, const std::string& name) {
  onnx::TensorProto& filter = add_tensor(model, name, onnx::TensorProto::FLOAT, {16, 16, 1, 1});
  for (int i = 0; i < 256; ++i) filter.add_float_data(0.01F * static_cast<float>(i % 7 - 3));
}

/// y = conv(relu(a)) + conv(a) with a = conv(x): the ReLU is a unit that takes the layout it finds.
onnx::ModelProto model_with_layout_changes() {
  onnx::ModelProto model = empty_model();
  onnx::GraphProto& graph = *model.mutable_graph();
  graph.clear_input();
  graph.clear_output();
  add_value(*graph.add_input(), "x", {1, 16, 12, 12});
  add_value(*graph.add_output(), "y", {1, 16, 12, 12});
  for (const std::string name : {"v", "w", "u"}) add_filter(model, name);
  add_node(graph.mutable_node(), "Conv", {"x", "v"}, {"a"});
  add_node(graph.mutable_node(), "Relu", {"a"}, {"b"});
  add_node(graph.mutable_node(), "Conv", {"b", "w"}, {"c"});
  add_node(graph.mutable_node(), "Conv", {"a", "u"}, {"d"});
  add_node(graph.mutable_node(), "Add", {"c", "d"}, {"y"});
  return model;
}

void write_all(const fs::path& folder) {
  fs::create_directories(folder);
  const std::string relu = relu_model().SerializeAsString();
  write(folder / "relu.onnx", relu);
  write(folder / "truncated.onnx", relu.substr(0, relu.size() * 2 / 3));
  write(folder / "empty.onnx", "");
  write(folder / "unknown_operators.onnx", model_with_unknown_operators().SerializeAsString());
  write(folder / "nonzero.onnx", model_for_onnxruntime_only().SerializeAsString());
  write(folder / "free_dimensions.onnx", model_with_free_dimensions().SerializeAsString());
  write(folder / "layouts.onnx", model_with_layout_changes().SerializeAsString());
  write(folder / "no_data.onnx", model_without_its_data().SerializeAsString());
}

}  // namespace
}  // namespace opbench::test

int main(int argc, char** argv) {
  if (argc != 2) {
    std::cerr << "usage: make-test-models FOLDER\n";
    return 2;
  }
  opbench::test::write_all(argv[1]);
  return 0;
}

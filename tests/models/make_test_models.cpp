// make-test-models FOLDER: writes small ONNX files that are odd in one way each.

#include <onnx/onnx_pb.h>

#include <filesystem>
#include <fstream>
#include <iostream>
#include <string>
#include <vector>

#include "loop_models.h"
#include "onnx_models.h"
#include "onnx_text.h"
#include "report_models.h"

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
  add_node(nodes, "Bernoulli", {"a"}, {"b"}).set_name("coin");
  add_node(nodes, "Blur", {"b"}, {"c"}).set_domain("com.acme");
  add_node(nodes, "Relu", {"c"}, {"d"});
  add_node(nodes, "Multinomial", {"d"}, {"y"}).set_name("draw");
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

void set_shape(onnx::ValueInfoProto& value, const std::vector<std::string>& dimensions) {
  auto& type = *value.mutable_type()->mutable_tensor_type();
  type.clear_shape();
  type.mutable_shape();
  for (const std::string& dimension : dimensions) {
    auto& dim = *type.mutable_shape()->add_dim();
    const bool is_number = dimension.find_first_not_of("0123456789") == std::string::npos;
    if (is_number && !dimension.empty()) dim.set_dim_value(std::stoll(dimension));
    if (!is_number) dim.set_dim_param(dimension);
  }
}

onnx::ValueInfoProto& add_input(onnx::ModelProto& model, const std::string& name,
                                onnx::TensorProto::DataType type,
                                const std::vector<std::string>& dimensions) {
  onnx::ValueInfoProto& input = *model.mutable_graph()->add_input();
  add_value(input, name, {});
  set_data_type(input, type);
  set_shape(input, dimensions);
  return input;
}

/// y = max(relu(x)): the order of the values between does not matter.
onnx::ModelProto model_that_forgets_order() {
  onnx::ModelProto model = relu_model();
  onnx::GraphProto& graph = *model.mutable_graph();
  set_shape(*graph.mutable_input(0), {"16"});
  set_shape(*graph.mutable_output(0), {"1"});
  graph.mutable_node(0)->set_output(0, "a");
  add_node(graph.mutable_node(), "ReduceMax", {"a"}, {"y"});
  return model;
}

/// y = relu(x), x being called `a=b` and its dimensions `n` and `m=k`.
onnx::ModelProto model_with_equals_signs() {
  onnx::ModelProto model = relu_model();
  onnx::GraphProto& graph = *model.mutable_graph();
  graph.mutable_input(0)->set_name("a=b");
  set_shape(*graph.mutable_input(0), {"n", "m=k"});
  graph.mutable_node(0)->set_input(0, "a=b");
  graph.mutable_output(0)->mutable_type()->mutable_tensor_type()->clear_shape();
  return model;
}

/// y = x + w, where the initialiser w is an input too: its default.
onnx::ModelProto model_with_default() {
  onnx::ModelProto model = empty_model();
  add_value(*model.mutable_graph()->add_input(), "w", {2});
  onnx::TensorProto& w = add_tensor(model, "w", onnx::TensorProto::FLOAT, {2});
  w.add_float_data(1);
  w.add_float_data(2);
  add_node(model.mutable_graph()->mutable_node(), "Add", {"x", "w"}, {"y"});
  return model;
}

/// y = relu(x) of an image whose extents have no names.
onnx::ModelProto model_of_any_image() {
  onnx::ModelProto model = relu_model();
  set_shape(*model.mutable_graph()->mutable_input(0), {"", "3", "", ""});
  model.mutable_graph()->mutable_output(0)->mutable_type()->mutable_tensor_type()->clear_shape();
  return model;
}

/// y = (flag ? x * gain : x) * rate, as audio models have them: scalars of three types.
onnx::ModelProto model_with_scalars() {
  using Types = onnx::TensorProto;
  onnx::ModelProto model = empty_model();
  model.mutable_graph()->clear_input();
  add_input(model, "x", Types::FLOAT, {"batch_size", "samples"});
  add_input(model, "sr", Types::INT64, {});
  add_input(model, "gain", Types::FLOAT, {""});
  add_input(model, "flag", Types::BOOL, {});
  model.mutable_graph()->mutable_output(0)->mutable_type()->mutable_tensor_type()->clear_shape();
  auto* nodes = model.mutable_graph()->mutable_node();
  onnx::NodeProto& cast = add_node(nodes, "Cast", {"sr"}, {"rate"});
  add_attribute(cast, "to", onnx::AttributeProto::INT).set_i(Types::FLOAT);
  add_node(nodes, "Mul", {"x", "gain"}, {"louder"});
  add_node(nodes, "Where", {"flag", "louder", "x"}, {"chosen"});
  add_node(nodes, "Mul", {"chosen", "rate"}, {"y"});
  return model;
}

/// 120 nodes of one operator that `halide` does not know.
onnx::ModelProto model_with_many_unknown_nodes() {
  onnx::ModelProto model = relu_model();
  auto* nodes = model.mutable_graph()->mutable_node();
  nodes->Mutable(0)->set_output(0, "v0");
  for (int i = 0; i < 120; ++i) {
    add_node(nodes, "Bernoulli", {"v" + std::to_string(i)}, {"v" + std::to_string(i + 1)});
  }
  add_node(nodes, "Relu", {"v120"}, {"y"});
  return model;
}

/// y = If(flag, tanh(blur(relu(x))), relu(x)): the body reads what was made around it.
onnx::ModelProto model_with_subgraphs() {
  onnx::ModelProto model = relu_model();
  add_input(model, "flag", onnx::TensorProto::BOOL, {});
  auto* nodes = model.mutable_graph()->mutable_node();
  nodes->Mutable(0)->set_output(0, "a");
  onnx::NodeProto& branch = add_node(nodes, "If", {"flag"}, {"y"});
  branch.set_name("choice");
  for (const std::string name : {"then_branch", "else_branch"}) {
    onnx::GraphProto& body = *add_attribute(branch, name, onnx::AttributeProto::GRAPH).mutable_g();
    body.set_name(name);
    const bool is_then = name == "then_branch";
    if (is_then) {
      add_node(body.mutable_node(), "Blur", {"a"}, {"b"}).set_domain("com.acme");
      add_node(body.mutable_node(), "Tanh", {"b"}, {"t"});
    } else {
      add_node(body.mutable_node(), "Identity", {"a"}, {"e"});
    }
    add_value(*body.add_output(), is_then ? "t" : "e", {2});
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

onnx::ModelProto model_of_opset(int64_t opset) {
  onnx::ModelProto model = relu_model();
  model.mutable_opset_import(0)->set_version(opset);
  return model;
}

onnx::ModelProto model_with_two_inputs_of_a_name() {
  onnx::ModelProto model = relu_model();
  add_value(*model.mutable_graph()->add_input(), "x", {2});
  return model;
}

onnx::ModelProto model_with_a_cycle() {
  onnx::ModelProto model = empty_model();
  auto* nodes = model.mutable_graph()->mutable_node();
  add_node(nodes, "Add", {"x", "b"}, {"a"});
  add_node(nodes, "Relu", {"a"}, {"b"});
  add_node(nodes, "Relu", {"b"}, {"y"});
  return model;
}

onnx::ModelProto model_without_outputs() {
  onnx::ModelProto model = relu_model();
  model.mutable_graph()->clear_output();
  return model;
}

/// The input handed out.
onnx::ModelProto model_without_nodes() {
  onnx::ModelProto model = empty_model();
  model.mutable_graph()->mutable_output(0)->set_name("x");
  return model;
}

onnx::ModelProto model_with_a_negative_dimension() {
  onnx::ModelProto model = relu_model();
  onnx::ValueInfoProto& input = *model.mutable_graph()->mutable_input(0);
  input.clear_type();
  add_value(input, "x", {-5, 3});
  model.mutable_graph()->mutable_output(0)->mutable_type()->mutable_tensor_type()->clear_shape();
  return model;
}

/// y = f(x) by a function of the model, whose one node is of `type` and, if that is `name`, itself.
onnx::ModelProto model_with_function(const std::string& name, const std::string& type) {
  onnx::ModelProto model = empty_model();
  onnx::OperatorSetIdProto& domain = *model.add_opset_import();
  domain.set_domain("own");
  domain.set_version(1);
  add_node(model.mutable_graph()->mutable_node(), name, {"x"}, {"y"}).set_domain("own");
  onnx::FunctionProto& function = *model.add_functions();
  function.set_name(name);
  function.set_domain("own");
  function.add_input("a");
  function.add_output("b");
  onnx::NodeProto& node = add_node(function.mutable_node(), type, {"a"}, {"b"});
  if (type == name) node.set_domain("own");
  return model;
}

/// Names with a line break, a colour and `more`.
onnx::ModelProto model_with_odd_names(const std::string& type, const std::string& more = "") {
  onnx::ModelProto model = empty_model();
  const std::string name = "a\n  fake: \x1b[31m ü" + more;
  model.mutable_graph()->mutable_input(0)->set_name(name);
  add_node(model.mutable_graph()->mutable_node(), type, {name}, {"y"}).set_name(name);
  return model;
}

void write_odd_files(const fs::path& folder) {
  const auto write_model = [&](const std::string& name, const onnx::ModelProto& model) {
    write(folder / (name + ".onnx"), model.SerializePartialAsString());
  };
  write_model("opset_1", model_of_opset(1));
  write_model("opset_99", model_of_opset(99));
  write_model("a name ü", relu_model());
  write_model("two_inputs", model_with_two_inputs_of_a_name());
  write_model("cycle", model_with_a_cycle());
  write_model("no_outputs", model_without_outputs());
  write_model("no_nodes", empty_model());
  write_model("input_is_output", model_without_nodes());
  write_model("negative_dimension", model_with_a_negative_dimension());
  write_model("function", model_with_function("Twice", "Relu"));
  write_model("calls_itself", model_with_function("Again", "Again"));
  write_model("odd_names", model_with_odd_names("Relu"));
  write_model("no_utf8", model_with_odd_names("Relu", "\xff"));
  write_model("unknown_odd_name", model_with_odd_names("Frobnicate"));
}

/// A NumPy file of float32 zeros.
void write_numpy(const fs::path& path, const std::vector<int64_t>& shape) {
  constexpr size_t kAlignment = 64;
  constexpr size_t kStart = 10;
  std::string header = "{'descr': '<f4', 'fortran_order': False, 'shape': (";
  size_t count = 1;
  for (const int64_t extent : shape) {
    header += std::to_string(extent) + ", ";
    count *= static_cast<size_t>(extent);
  }
  header += "), }";
  while ((kStart + header.size() + 1) % kAlignment != 0) header += ' ';
  header += '\n';
  std::string bytes = "\x93NUMPY";
  bytes += {'\1', '\0', static_cast<char>(header.size()), '\0'};
  write(path, bytes + header + std::string(count * sizeof(float), '\0'));
}

void write_all(const fs::path& folder) {
  fs::create_directories(folder);
  const std::string relu = relu_model().SerializeAsString();
  write(folder / "relu.onnx", relu);
  write(folder / "truncated.onnx", relu.substr(0, relu.size() * 2 / 3));
  write(folder / "empty.onnx", "");
  write(folder / "unknown_operators.onnx", model_with_unknown_operators().SerializeAsString());
  write(folder / "many_unknown.onnx", model_with_many_unknown_nodes().SerializeAsString());
  write(folder / "subgraphs.onnx", model_with_subgraphs().SerializeAsString());
  write(folder / "any_image.onnx", model_of_any_image().SerializeAsString());
  write(folder / "equals.onnx", model_with_equals_signs().SerializeAsString());
  write(folder / "default.onnx", model_with_default().SerializeAsString());
  write_numpy(folder / "w_2.npy", {2});
  write_numpy(folder / "x_2x2x2x2.npy", {2, 2, 2, 2});
  write(folder / "scalars.onnx", model_with_scalars().SerializeAsString());
  write_odd_files(folder);
  write_numpy(folder / "x_2x4x8.npy", {2, 4, 8});
  write_numpy(folder / "x_3x4x8.npy", {3, 4, 8});
  write_numpy(folder / "samples.npy", {2, 16});
  write(folder / "nonzero.onnx", model_for_onnxruntime_only().SerializeAsString());
  write(folder / "free_dimensions.onnx", model_with_free_dimensions().SerializeAsString());
  write(folder / "any_order.onnx", model_that_forgets_order().SerializeAsString());
  write(folder / "layouts.onnx", model_with_layout_changes().SerializeAsString());
  write(folder / "no_data.onnx", model_without_its_data().SerializeAsString());
  for (const auto& [name, text] : loop_models()) {
    write(folder / (name + ".onnx"), onnx_of_text(text));
  }
  for (const auto& [name, text] : report_models()) {
    write(folder / (name + ".onnx"), onnx_of_text(text));
  }
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

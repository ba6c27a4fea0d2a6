#pragma once

#include <onnx/onnx_pb.h>

#include <string>
#include <vector>

// Small models put together by hand.

namespace opbench::test {

inline void add_value(onnx::ValueInfoProto& value, const std::string& name,
                      const std::vector<int64_t>& shape) {
  value.set_name(name);
  auto& type = *value.mutable_type()->mutable_tensor_type();
  type.set_elem_type(onnx::TensorProto::FLOAT);
  type.mutable_shape();
  for (const int64_t extent : shape) type.mutable_shape()->add_dim()->set_dim_value(extent);
}

inline onnx::NodeProto& add_node(google::protobuf::RepeatedPtrField<onnx::NodeProto>* nodes,
                                 const std::string& type, const std::vector<std::string>& inputs,
                                 const std::vector<std::string>& outputs) {
  onnx::NodeProto& node = *nodes->Add();
  node.set_op_type(type);
  for (const std::string& input : inputs) node.add_input(input);
  for (const std::string& output : outputs) node.add_output(output);
  return node;
}

inline onnx::AttributeProto& add_attribute(onnx::NodeProto& node, const std::string& name,
                                           onnx::AttributeProto::AttributeType type) {
  onnx::AttributeProto& attribute = *node.add_attribute();
  attribute.set_name(name);
  attribute.set_type(type);
  return attribute;
}

inline onnx::TensorProto& add_tensor(onnx::ModelProto& model, const std::string& name,
                                     onnx::TensorProto::DataType type,
                                     const std::vector<int64_t>& shape) {
  onnx::TensorProto& tensor = *model.mutable_graph()->add_initializer();
  tensor.set_name(name);
  tensor.set_data_type(type);
  for (const int64_t extent : shape) tensor.add_dims(extent);
  return tensor;
}

/// IR 8, opset 17, input `x` and output `y` of 2 elements, no nodes.
inline onnx::ModelProto empty_model() {
  onnx::ModelProto model;
  model.set_ir_version(8);
  model.add_opset_import()->set_version(17);
  model.mutable_graph()->set_name("g");
  add_value(*model.mutable_graph()->add_input(), "x", {2});
  add_value(*model.mutable_graph()->add_output(), "y", {2});
  return model;
}

/// The same with y = Relu(x).
inline onnx::ModelProto relu_model() {
  onnx::ModelProto model = empty_model();
  add_node(model.mutable_graph()->mutable_node(), "Relu", {"x"}, {"y"});
  return model;
}

}  // namespace opbench::test

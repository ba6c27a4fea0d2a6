#pragma once

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "base/errors/error.h"
#include "model/operators/operator.h"

namespace opbench {

/// A node of `operands` operands and `results` outputs.
inline Node node_with(const std::string& type, size_t operands, size_t results,
                      Attributes attributes = {}) {
  Node node;
  node.type = node.name = type;
  node.attributes = std::move(attributes);
  for (size_t i = 0; i < operands; ++i) node.inputs.push_back(fmt::format("x{}", i));
  for (size_t i = 0; i < results; ++i) node.outputs.push_back(fmt::format("y{}", i));
  return node;
}

inline Tensor real_tensor(Shape shape, const std::vector<float>& values) {
  return Tensor::of<float>(DataType::kFloat32, std::move(shape), values);
}

inline Tensor whole_tensor(Shape shape, const std::vector<int64_t>& values) {
  return Tensor::of<int64_t>(DataType::kInt64, std::move(shape), values);
}

/// Stands for an omitted operand.
inline Tensor left_out() { return Tensor{{DataType::kUndefined, {}}, {}}; }

/// All outputs of a node whose operands are all known. Outputs of empty name are left empty.
inline Result<std::vector<Tensor>> results_of(const Node& node, const std::vector<Tensor>& inputs,
                                              int64_t opset = 17) {
  OperatorCall call{.node = &node, .opset = opset, .inputs = {}, .constants = {}};
  std::vector<TensorView> operands;
  for (const Tensor& input : inputs) {
    const bool is_there = input.type.data_type != DataType::kUndefined;
    call.inputs.push_back(is_there ? &input.type : nullptr);
    call.constants.push_back(is_there ? &input : nullptr);
    auto* data = const_cast<std::byte*>(input.data.data());
    operands.push_back({input.type, is_there ? data : nullptr});
  }
  const OperatorDef& def = *operator_of(node);
  OPBENCH_TRY(const auto types, def.infer(call));
  EXPECT_EQ(types.size(), node.outputs.size());
  std::vector<Tensor> results;
  std::vector<TensorView> views;
  for (size_t i = 0; i < types.size(); ++i) {
    const bool is_read = !node.outputs[i].empty();
    results.push_back(is_read ? Tensor::empty(types[i]) : Tensor{types[i], {}});
  }
  for (Tensor& result : results) {
    views.push_back({result.type, result.data.empty() ? nullptr : result.data.data()});
  }
  OPBENCH_CHECK(def.run(call, operands, views));
  return results;
}

/// Why the node cannot be; empty if it can.
inline std::string refusal_of(const Node& node, const std::vector<Tensor>& inputs,
                              int64_t opset = 17) {
  const auto results = results_of(node, inputs, opset);
  return results ? "" : results.error().message;
}

inline std::vector<float> floats_of(const Tensor& tensor) {
  return {tensor.as<float>().begin(), tensor.as<float>().end()};
}

}  // namespace opbench

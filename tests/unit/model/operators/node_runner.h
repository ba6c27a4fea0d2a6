#pragma once

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "base/tensors/half.h"
#include "made_tensors.h"
#include "model/operators/operator.h"

namespace opbench {

template <class T>
std::vector<T> values_of(const Tensor& tensor) {
  return {tensor.as<T>().begin(), tensor.as<T>().end()};
}

/// A node of this type with `outputs` outputs.
inline Node node_of(const std::string& type, Attributes attributes = {}, size_t outputs = 1) {
  Node node;
  node.type = type;
  node.name = type;
  node.attributes = std::move(attributes);
  for (size_t i = 0; i < outputs; ++i) node.outputs.push_back("y" + std::to_string(i));
  return node;
}

/// The call of a node over these operands, which are all known before the run.
inline OperatorCall call_over(const Node& node, const std::vector<Tensor>& inputs, int64_t opset) {
  OperatorCall call{.node = &node, .opset = opset, .inputs = {}, .constants = {}};
  for (const Tensor& input : inputs) {
    const bool is_there = input.type.data_type != DataType::kUndefined;
    call.inputs.push_back(is_there ? &input.type : nullptr);
    call.constants.push_back(is_there ? &input : nullptr);
  }
  return call;
}

/// Infers and runs a node over these operands: all its outputs, or the first error. A name that is
/// empty stands for an output that nobody reads, whose memory is null.
inline Result<std::vector<Tensor>> run_node(const Node& node, const std::vector<Tensor>& inputs,
                                            int64_t opset = 17) {
  const OperatorCall call = call_over(node, inputs, opset);
  const OperatorDef* def = operator_of(node);
  OPBENCH_TRY(const auto types, def->infer(call));
  EXPECT_EQ(types.size(), node.outputs.size());
  std::vector<Tensor> results;
  std::vector<TensorView> views;
  for (const Tensor& input : inputs) {
    const bool is_there = input.type.data_type != DataType::kUndefined;
    views.push_back({input.type, is_there ? const_cast<std::byte*>(input.data.data()) : nullptr});
  }
  for (const TensorType& type : types) results.push_back(Tensor::empty(type));
  std::vector<TensorView> outputs;
  for (size_t i = 0; i < results.size(); ++i) {
    const bool is_read = !node.outputs[i].empty();
    outputs.push_back({types[i], is_read ? results[i].data.data() : nullptr});
  }
  OPBENCH_CHECK(def->run(call, views, outputs));
  return results;
}

/// The only output's values.
template <class T = float>
std::vector<T> result_of(const Node& node, const std::vector<Tensor>& inputs, int64_t opset = 17) {
  const auto results = run_node(node, inputs, opset);
  EXPECT_TRUE(results) << to_text(results.error());
  return results ? values_of<T>(results->at(0)) : std::vector<T>();
}

/// Why a node is refused; empty if it is not.
inline std::string refusal(const Node& node, const std::vector<Tensor>& inputs,
                           int64_t opset = 17) {
  const auto results = run_node(node, inputs, opset);
  return results ? "" : results.error().message;
}

}  // namespace opbench

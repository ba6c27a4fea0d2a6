#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <span>
#include <string>
#include <vector>

#include "made_tensors.h"
#include "model/operators/operator.h"
#include "model/operators/workloads/workload.h"

namespace opbench {

/// A node with its attributes and as many outputs.
inline Node make_node(const std::string& type, Attributes attributes = {}, size_t outputs = 1) {
  Node node;
  node.name = type;
  node.type = type;
  node.attributes = std::move(attributes);
  for (size_t i = 0; i < outputs; ++i) node.outputs.push_back("y" + std::to_string(i));
  return node;
}

inline Tensor int_tensor(const Shape& shape, const std::vector<int64_t>& values) {
  return tensor_of(DataType::kInt64, shape, values);
}

inline Tensor bool_tensor(const Shape& shape, const std::vector<uint8_t>& values) {
  return tensor_of(DataType::kBool, shape, values);
}

/// One node on operands that are all known before the run.
class NodeOnTensors {
 public:
  NodeOnTensors(Node node, std::vector<Tensor> operands, int64_t opset = 17)
      : node_(std::move(node)), operands_(std::move(operands)) {
    call_.node = &node_;
    call_.opset = opset;
    for (size_t i = 0; i < operands_.size(); ++i) {
      const bool is_there = operands_[i].type.data_type != DataType::kUndefined;
      node_.inputs.push_back(is_there ? "x" + std::to_string(i) : "");
      call_.inputs.push_back(is_there ? &operands_[i].type : nullptr);
      call_.constants.push_back(is_there ? &operands_[i] : nullptr);
    }
  }
  NodeOnTensors(const NodeOnTensors&) = delete;
  NodeOnTensors& operator=(const NodeOnTensors&) = delete;

  const OperatorCall& call() const { return call_; }
  const OperatorDef& definition() const { return *operator_of(node_); }

  Result<std::vector<TensorType>> types() const { return definition().infer(call_); }

  Result<std::vector<Tensor>> results() const {
    OPBENCH_TRY(const std::vector<TensorType> types, this->types());
    std::vector<Tensor> results;
    std::vector<TensorView> outputs;
    for (const TensorType& type : types) results.push_back(Tensor::empty(type));
    for (Tensor& result : results) outputs.push_back({result.type, result.data.data()});
    OPBENCH_CHECK(run_into(outputs));
    return results;
  }

  /// Runs it with outputs of the caller's, whose data may be null.
  Result<void> run_into(const std::vector<TensorView>& outputs) const {
    std::vector<TensorView> inputs;
    for (const Tensor& operand : operands_) {
      const bool is_there = operand.type.data_type != DataType::kUndefined;
      inputs.push_back(is_there
                           ? TensorView{operand.type, const_cast<std::byte*>(operand.data.data())}
                           : TensorView{});
    }
    return definition().run(call_, inputs, outputs);
  }

  /// The only result, which must be float32.
  std::vector<float> floats() const {
    const auto all = results();
    EXPECT_TRUE(all) << to_text(all.error());
    if (!all) return {};
    return {(*all)[0].as<float>().begin(), (*all)[0].as<float>().end()};
  }

  /// The only result, which must be integers or truth values.
  std::vector<int64_t> integers() const {
    const auto all = results();
    EXPECT_TRUE(all) << to_text(all.error());
    return all ? opbench::integers((*all)[0]) : std::vector<int64_t>{};
  }

  /// Why there is no result; empty when there is one.
  std::string refusal() const {
    const auto all = results();
    return all ? "" : all.error().message;
  }

 private:
  Node node_;
  std::vector<Tensor> operands_;
  OperatorCall call_;
};

/// Why there is no workload of this text; empty when there is one.
inline std::string refusal_of(const std::string& text) {
  const auto workload = parse_workload(text);
  return workload ? "" : workload.error().message;
}

/// The text of the workload with this text.
inline std::string normal_text(const std::string& text) {
  const auto workload = parse_workload(text);
  EXPECT_TRUE(workload) << to_text(workload.error());
  return workload ? text_of(*workload) : "";
}

}  // namespace opbench

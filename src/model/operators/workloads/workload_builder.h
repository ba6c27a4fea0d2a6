#pragma once

#include <string>
#include <utility>

#include "model/operators/workloads/workload.h"

namespace opbench {

/// The opset whose rules workloads follow, unless an operator needs a younger one.
constexpr int64_t kWorkloadOpset = 17;

/// Makes a workload step by step, with the canonical value names: operands x0, x1, … in the order
/// of their use, results t0, t1, …, the last one y. Further outputs of the last step are y1, y2, ….
class WorkloadBuilder {
 public:
  WorkloadBuilder();

  /// An operand that enters from outside; returns its name.
  std::string add_input(const TensorType& type, bool is_weight);
  std::string add_constant(Tensor tensor);

  /// A step over operands of these names, whose attributes become normal and whose result types are
  /// inferred. Its outputs are named here: the first one always, further ones of the last step
  /// where `node.outputs` has a name. The operator's error when the operands do not fit.
  Result<void> add_node(Node node, bool is_last);

  /// The type of y, when it cannot be inferred.
  void set_output(const TensorType& type);

  /// The type of further output `index` of the last step, when it cannot be inferred.
  void add_output(size_t index, const TensorType& type);

  /// The result of the last step; empty before the first.
  std::string previous() const;

  /// The types of what was added so far.
  const Graph& graph() const { return workload_.graph; }

  Workload take() && { return std::move(workload_); }

 private:
  Workload workload_;
  int count_ = 0;
};

}  // namespace opbench

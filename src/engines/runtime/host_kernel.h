#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "model/operators/operator.h"
#include "model/operators/workloads/workload.h"

namespace opbench {

/// A workload computed by its operators' plain references: for units that have no schedule.
class HostKernel {
 public:
  /// `arguments` are the memory of the workload's inputs in order, `results` of its outputs; they
  /// must stay where they are. `kInvalidInput` if the text is no workload or has another number of
  /// either.
  static Result<HostKernel> make(const std::string& workload, std::vector<void*> arguments,
                                 std::vector<void*> results);

  Result<void> run();

 private:
  struct NodeCall {
    const OperatorDef* definition = nullptr;
    OperatorCall call;
    std::vector<TensorView> inputs;
    std::vector<TensorView> outputs;
  };
  HostKernel() = default;
  Result<void> bind_node(const Node& node, std::map<std::string, void*>& memory);

  std::unique_ptr<Workload> workload_;            // calls point into it
  std::vector<std::unique_ptr<Tensor>> tensors_;  // intermediate results and known weights
  std::vector<NodeCall> calls_;
};

}  // namespace opbench

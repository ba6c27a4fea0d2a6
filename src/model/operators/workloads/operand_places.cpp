#include "model/operators/workloads/operand_places.h"

namespace opbench {

std::vector<size_t> operands_of(const Workload& workload, bool weights) {
  std::vector<size_t> places;
  for (size_t i = 0; i < workload.graph.inputs.size(); ++i) {
    if (workload.is_weight(workload.graph.inputs[i].name) == weights) places.push_back(i);
  }
  return places;
}

}  // namespace opbench

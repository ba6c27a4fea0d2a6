#include "model/operators/recurrent/recurrent_steps.h"
#include "prediction/workloads/effort.h"

namespace opbench {
namespace {

/// Each step reads all weights again.
void adjust_recurrent_steps(const KernelSpec& spec, KernelWork& work) {
  const Graph& graph = spec.workload.graph;
  const auto& inputs = graph.nodes.front().inputs;
  const RecurrentStepsExtents extents =
      recurrent_steps_extents(graph.types.at(inputs[0]).shape, graph.types.at(inputs[1]).shape);
  work.repeated_bytes = work.weight_bytes * static_cast<double>(extents.steps - 1);
}

}  // namespace

EffortDef recurrent_steps_effort() { return {"recurrent_steps", adjust_recurrent_steps}; }

}  // namespace opbench

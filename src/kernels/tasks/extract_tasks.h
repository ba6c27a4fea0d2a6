#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "kernels/tasks/template.h"
#include "model/graph/graph.h"

namespace opbench {

/// The tasks of a model with complete types, in the order in which AutoTVM's extraction meets them
/// (docs/reference/config-spaces.md, "Order of tasks"): fused operators in post-order of the graph,
/// every implementation that the target's strategy has for an anchor in the order of the strategy,
/// each task at its first sight. Arguments carry plain NCHW and OIHW shapes, whatever layout
/// kernels use here.
std::vector<Task> extract_tasks(const Model& model, const Target& target);

/// A task, and how often the model has it.
struct CountedTask {
  Task task;
  int64_t uses = 1;
};

/// The same tasks, counted.
std::vector<CountedTask> count_tasks(const Model& model, const Target& target);

}  // namespace opbench

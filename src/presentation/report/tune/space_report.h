#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "kernels/space/config_space.h"
#include "kernels/tasks/template.h"
#include "presentation/report/tables/text_table.h"

/// The tuning tasks of a model as text and data.
namespace opbench {

/// A task, its place among the model's, and what can be chosen for it.
struct TaskSpace {
  size_t number = 0;  ///< from 0, in the order of extraction
  Task task;
  ConfigSpace space;
  uint64_t size = 0;
};

/// For people: each task with its arguments as logs have them, then its space as TVM prints it.
std::string space_text(const std::vector<TaskSpace>& spaces);

/// The spaces alone as TVM prints them, one behind the other without a newline between them.
std::string printed_spaces(const std::vector<TaskSpace>& spaces);

/// A row a task: number, task, args (JSON, as logs have them), size, knobs.
TextTable space_table(const std::vector<TaskSpace>& spaces);

/// {"schema": "opbench.space/1", "model", "target", "tasks": [{"task", "args", "size", "knobs":
/// [{"name", "kind", "policy", "product", "num_outputs", "size"}]}]}; kinds are sp, re, an and ot
/// as in logs, and null stands where a kind of knob has no such property.
std::string space_json(const std::string& model, const Target& target,
                       const std::vector<TaskSpace>& spaces);

/// A config as TVM prints it: `[('tile_ic', [-1, 1]), ('unroll_kw', True)],None,0`.
std::string config_text(const KnobConfig& config);

/// Its knobs, a row each: knob, kind, value (JSON).
TextTable config_table(const KnobConfig& config);

/// {"schema": "opbench.config/1", "model", "target", "task", "args", "index", "entity"}, the last
/// three as logs have them.
std::string config_json(const std::string& model, const TaskSpace& space, const KnobConfig& config);

}  // namespace opbench

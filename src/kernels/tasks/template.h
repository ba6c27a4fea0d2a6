#pragma once

#include <string>
#include <vector>

#include "base/errors/error.h"
#include "base/tables/table.h"
#include "kernels/space/argument.h"
#include "kernels/space/config_space.h"
#include "machine/target/target.h"

/// AutoTVM's templates (docs/reference/config-spaces.md, "x86 templates"): what can be chosen for
/// an operator with given arguments. A template is one file,
/// `src/kernels/tasks/templates/<target>/<x>_template.cpp`, that defines `TemplateDef
/// <x>_template()`; nothing else is edited. How its configs run is told elsewhere.
namespace opbench {

/// What is tuned: a template with its arguments on a target.
struct Task {
  std::string name;                 ///< of the template: conv2d_NCHWc.x86
  std::vector<Argument> arguments;  ///< in AutoTVM's order
  Target target;
};

struct TemplateDef {
  std::string name;  ///< as logs have it
  /// The config space for these arguments. `kInvalidInput` for arguments that the template does not
  /// take, naming the first, and for a space with no config.
  Result<ConfigSpace> (*space)(const std::vector<Argument>& arguments,
                               const Target& target) = nullptr;
  /// Operations that AutoTVM counts for one call (docs/reference/config-spaces.md, "Operations of a
  /// task"): what its GFLOP/s and cost-model labels are made of. Null where it counts the stages of
  /// a schedule that is not here.
  Result<double> (*flops)(const std::vector<Argument>& arguments, const Target& target) = nullptr;
  /// Values that TVM takes for a workload without a record, in the order of the knobs; splits with
  /// their real outer extent. Null: the first entity of every knob.
  Result<std::vector<KnobValue>> (*fallback)(const std::vector<Argument>& arguments,
                                             const Target& target) = nullptr;
};

/// Every template, from the files `<x>_template.cpp`.
const Table<TemplateDef>& template_table();

/// The space of a task. `kInvalidInput` also for a name that no template has, with a guess.
Result<ConfigSpace> space_of(const Task& task);

/// What TVM runs for a task without a record (docs/reference/config-spaces.md, "Default configs"),
/// where no reference log enters into it. Its index is that of the config with these values, or 0:
/// a fallback may lie outside the space. `kInvalidInput` when the task has no space.
Result<KnobConfig> fallback_of(const Task& task);

}  // namespace opbench

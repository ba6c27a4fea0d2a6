#pragma once

#include <string>
#include <vector>

#include "base/tables/table.h"
#include "kernels/loops/nest_loops.h"
#include "kernels/space/argument.h"
#include "kernels/space/knob_config.h"

namespace opbench {

/// What a template's configs are as loops: one file, `src/kernels/loops/<x>_nest.cpp`, that defines
/// `NestDef <x>_nest()`; nothing else is edited. Loops that have one iteration at every config are
/// left out, as they tell configs apart in nothing.
struct NestDef {
  std::string name;  ///< of the template
  /// The loops as TVM lowers the config to look at it: weights are packed, input padding is not,
  /// and nothing sets sums to zero. Every config of a task has the same number of loops and
  /// accesses. `kInvalidInput` for arguments that the template does not take, and a config of
  /// another.
  Result<LoopNest> (*nest)(const std::vector<Argument>& arguments,
                           const KnobConfig& config) = nullptr;
};

/// Every nest, from the files `<x>_nest.cpp`.
const Table<NestDef>& nest_table();

/// Whether there is a nest for the template.
bool has_nest(const std::string& template_name);

}  // namespace opbench

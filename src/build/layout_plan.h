#pragma once

#include <set>
#include <string>
#include <vector>

#include "opbench/hardware/target.h"
#include "opbench/passes/passes.h"
#include "opbench/schedule/schedule.h"

namespace opbench {

/// A value of the graph in one layout.
struct PlannedValue {
  std::string name;
  int block = 0;  ///< channel block; 0: dense row-major
  auto operator<=>(const PlannedValue&) const = default;
};

/// One kernel call with the layouts of its operands chosen.
struct PlannedStep {
  KernelSpec spec;  ///< `schedule` empty: the operators' references run on the host
  std::vector<PlannedValue> operands;  ///< of the workload's inputs in order
  PlannedValue output;
  std::vector<std::string> nodes;  ///< names of the model's nodes; empty for a layout change
};

/// The units of a model with layouts: channel-blocked from convolution to convolution, layout
/// changes (Identity workloads) put where a value is needed in a layout that it does not have.
///
/// Graph inputs, graph outputs and what has no blocked kernel are dense. A unit gets the first of
/// its possible layouts for which a schedule exists: blocked in and out, dense in and blocked out,
/// dense. `refused` are the texts of kernels that could not be built: they are not chosen, and a
/// value whose layout change is among them stays dense. `kInvalidInput` for a value that no unit
/// makes (a second output of a node).
Result<std::vector<PlannedStep>> plan_layouts(const Model& model, const std::vector<Unit>& units,
                                              const Target& target,
                                              const std::set<std::string>& refused = {});

}  // namespace opbench

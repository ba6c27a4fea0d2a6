#pragma once

#include <optional>
#include <string>
#include <vector>

#include "model/operators/workloads/workload.h"

namespace opbench {

/// What a unit is. The maker of a package makes it once; later stages hold it as it is.
struct UnitIdentity {
  std::string operator_text;         ///< conv2d+add+relu; "layout" for a change of layout
  std::optional<Workload> workload;  ///< nothing: an engine's own node, of which none is known
  std::vector<int> blocks;  ///< channel block of every operand, then of the output; 0: dense
  std::string schedule;     ///< "reference" when its operators' references run; empty: not ours
  std::string origin;       ///< of the choice that gave the kernel; empty: the default config
  std::vector<std::string> nodes;  ///< of the model; empty for a change of layout
};

/// The values of the graph that a unit reads and makes.
struct UnitValues {
  std::vector<std::string> operands;  ///< the workload's inputs
  std::string output;
  std::vector<std::string> further_outputs;  ///< that it makes besides
};

}  // namespace opbench

#pragma once

#include <cstddef>
#include <vector>

#include "measuring/results/profile_result.h"

namespace opbench {

/// One occurrence of a unit in a call of the model.
struct CallStep {
  const UnitResult* unit = nullptr;
  const UnitOccurrence* occurrence = nullptr;
  double ms = 0;              ///< in the model; 0: not known
  std::vector<size_t> needs;  ///< earlier steps, from the nodes of the model
};

/// One call, in order.
struct CallSteps {
  std::vector<CallStep> steps;
  /// False: the report does not tell it, and steps are in the table's order.
  bool has_order = true;
  bool has_needs = false;
};

/// The steps of a call of an engine's model. Order is that of `step`, else that of the model's
/// nodes. A step needs those whose results reach it, also through nodes that no unit has
/// (constants, folded ones). `nodes` may be empty: then no needs are known.
CallSteps steps_of(const EngineResult& run, const std::vector<ModelNode>& nodes);

}  // namespace opbench

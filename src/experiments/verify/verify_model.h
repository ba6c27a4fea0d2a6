#pragma once

#include <string>
#include <utility>
#include <vector>

#include "experiments/sessions/check/check.h"
#include "experiments/verify/verify_case.h"
#include "model/graph/graph.h"

namespace opbench {

/// A case that is ready to run.
struct VerifyModel {
  Model model;             ///< extents bound to those of the inputs, types complete
  NamedTensors inputs;     ///< what the model still reads
  NamedTensors expected;   ///< by the names of the graph's outputs
  bool has_types = false;  ///< false: only engines that find types themselves can run it
  Error types_error;       ///< why it has none
};

/// Reads a case. Inputs that an operator must know before the run, such as a Reshape's shape,
/// become constants of the model. Where shapes depend on further values, those become constants
/// too. `kInvalidInput` as the readers say, and for values that are no tensors.
Result<VerifyModel> load_case(const VerifyCase& wanted);

}  // namespace opbench

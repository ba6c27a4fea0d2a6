#pragma once

#include <string>
#include <vector>

#include "experiments/sessions/request/run_request.h"

namespace opbench {

/// A model or a single workload whose units meet.
struct InterferenceSubject {
  std::string model;  ///< path, URL or name of the zoo; empty for a workload
  bool model_is_zoo = false;
  std::string workload;                    ///< canonical text; empty for a model
  std::vector<int> layouts = {};           ///< of a workload, as ModelSpec has them
  std::vector<KernelChoice> kernels = {};  ///< in place of the request's; empty: those
};

/// All that determines an `interference` run.
struct InterferenceRequest {
  RunRequest run;  ///< of each of `subjects` in turn
  std::vector<InterferenceSubject> subjects;
  int units = 6;           ///< of each subject, the heaviest ones
  bool has_pairs = true;   ///< false: beside the neighbour only
  double threshold = 1.1;  ///< a pair hurts above this slow-down
};

}  // namespace opbench

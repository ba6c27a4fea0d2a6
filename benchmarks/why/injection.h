#pragma once

#include <string>
#include <vector>

#include "experiments/sessions/request/profile_request.h"

namespace opbench {

/// A cause put into a run, and the same run without it.
struct Injection {
  std::string cause;    ///< its name
  ProfileRequest with;  ///< a single workload
  ProfileRequest without;
  bool explains_layout = false;  ///< the row that changes a layout counts, not the largest other
};

/// Every cause that can be put into a run at will. `budget_s`: of a run.
std::vector<Injection> injections(double budget_s);

}  // namespace opbench

#pragma once

#include <functional>
#include <string>
#include <vector>

#include "base/errors/error.h"
#include "experiments/sessions/request/run_request.h"
#include "planning/plans/plan_file.h"

namespace opbench {

/// A model's units with their times on every size of team.
struct TimedModel {
  PlanFile file;      ///< graph and facts of the units; one step after the other
  std::string noise;  ///< of this machine before units were timed; empty: they were not timed
  std::vector<std::string> warnings;
};

/// Times the units of the request's model for so many workers, or takes their times from a report
/// of `profile --format json`; its name is empty where there is none.
using TimeUnits = std::function<Result<TimedModel>(const RunRequest& request, int workers,
                                                   const std::string& profile_name,
                                                   const std::string& profile_text)>;

}  // namespace opbench

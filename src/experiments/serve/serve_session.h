#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/errors/error.h"
#include "experiments/serve/serving_request.h"
#include "experiments/unit_times/timed_model.h"
#include "planning/serve/serving_study.h"
#include "prediction/serve/group_errors.h"

namespace opbench {

/// Where a model's times come from.
struct ServedFacts {
  std::string name;
  std::string source;  ///< zoo, or the path as given
  std::string sha256;
  size_t units = 0;
  std::string times;  ///< measured in the model, by which run or report
};

struct ServeResult {
  ServingSystem system;
  std::vector<ServedFacts> facts;  ///< by model
  std::string target;
  std::vector<int> cpus;
  std::string slow_down;                    ///< where slow-downs come from: declared, or predicted
  std::optional<GroupJudgement> judgement;  ///< of their predictor, on pairs that it has not seen
  StudyOptions options;
  ServingStudy study;                    ///< simulated
  std::optional<ServingStudy> measured;  ///< the same queries, served by an engine
  bool has_raised_priority = true;       ///< the system let that engine before others
  std::string noise;  ///< of this machine before models were timed; empty: they were not timed
  std::vector<std::string> warnings;
};

/// Cuts the models into segments with the times that `time_units` gives, on every size of team,
/// and simulates the policies. Where that is asked for, an engine then times the segments anew,
/// which the simulation takes, and serves the same queries. Errors are those of time_units and
/// study_serving; `kInvalidInput` also where there is not one profile a model, and of
/// parse_measured_pairs. Policies and loads are checked before anything is measured.
Result<ServeResult> run_serve(const ServeRequest& request, const TimeUnits& time_units);

}  // namespace opbench

#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/errors/error.h"
#include "experiments/sessions/profile_request.h"
#include "planning/serving/serving_study.h"
#include "prediction/segment_groups/group_errors.h"

namespace opbench {

/// A report of `profile --format json`, or of another command.
struct ProfileText {
  std::string name;  ///< for messages
  std::string text;
};

struct ServedName {
  std::string name;  ///< path or URL of an ONNX file, or a name of the zoo
  bool is_zoo = false;
};

/// What determines a comparison of serving policies.
struct ServeRequest {
  ProfileRequest profile;  ///< CPUs, target, budget …; its model, engines and threads are not used
  std::vector<ServedName> models;
  int workers = 2;
  std::vector<ProfileText> profiles;  ///< one a model, in their order; empty: times are measured
  int most_segments = 16;             ///< of a model
  double slow_down = 1;               ///< of a segment beside any other: declared, not measured
  ProfileText pairs;   ///< a report of interference that slow-downs are learnt from instead; its
                       ///< name is empty: none
  StudyOptions study;  ///< but for its slow-downs and progress
};

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
  ServingStudy study;  ///< simulated
  std::vector<std::string> warnings;
};

/// Cuts the models into segments with times measured in the running model, on every size of team,
/// and simulates the policies. Errors are those of run_plan and study_serving; `kInvalidInput` also
/// where there is not one profile a model, and of parse_measured_pairs. Policies and loads are
/// checked before anything is measured.
Result<ServeResult> run_serve(const ServeRequest& request);

}  // namespace opbench

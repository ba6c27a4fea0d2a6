#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "experiments/sessions/request/run_request.h"
#include "planning/serve/serving_study.h"

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
  RunRequest run;  ///< of each of `models` in turn
  std::vector<ServedName> models;
  int workers = 2;
  std::vector<ProfileText> profiles;  ///< one a model, in their order; empty: times are measured
  int most_segments = 16;             ///< of a model
  double slow_down = 1;               ///< of a segment beside any other: declared, not measured
  ProfileText pairs;  ///< a report of interference that slow-downs are learnt from instead; its
                      ///< name is empty: none
  bool is_measured = false;  ///< the same queries are served by an engine, too
  size_t in_flight = 16;     ///< queries of a model that have begun, at most; where measured
  StudyOptions study;        ///< but for its slow-downs and progress
};

}  // namespace opbench

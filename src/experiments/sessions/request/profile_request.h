#pragma once

#include <string>
#include <vector>

#include "experiments/sessions/request/measure_options.h"
#include "experiments/sessions/request/model_spec.h"
#include "experiments/sessions/request/record_notes.h"
#include "experiments/sessions/request/run_hooks.h"
#include "experiments/sessions/request/run_settings.h"

namespace opbench {

/// All that determines a `profile` of a model or an `op` of one workload. Nothing is read from the
/// surroundings (files of settings, variables): what counts stands here.
struct ProfileRequest {
  ModelSpec model;
  std::vector<std::string> engines = {"halide"};
  std::vector<int> threads = {1};  ///< one result an engine and entry; each at least 1
  RunSettings settings;
  MeasureOptions measure;
  RunHooks hooks;
  RecordNotes notes;
};

}  // namespace opbench

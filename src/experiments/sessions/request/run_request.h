#pragma once

#include <string>
#include <vector>

#include "experiments/sessions/request/profile_request.h"

namespace opbench {

/// A run of one model for commands that choose engines and thread counts themselves.
struct RunRequest {
  ModelSpec model;
  RunSettings settings;
  MeasureOptions measure;
  RunHooks hooks;
  RecordNotes notes;
};

/// The request without its engines and thread counts.
RunRequest run_of(ProfileRequest request);

/// The run on these engines at these thread counts.
ProfileRequest profile_of(RunRequest run, std::vector<std::string> engines,
                          std::vector<int> threads);

}  // namespace opbench

#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "base/errors/error.h"
#include "presentation/cli/arguments.h"
#include "presentation/cli/terminal.h"
#include "tuning/trials/tune_run.h"

namespace opbench {

/// Configs that the trials of the default store promise for a task, for TuneRequest::promising: the
/// three best by prediction, none where the store knows too little of its template.
std::function<std::vector<uint64_t>(const TunableTask&)> promising_from_store(const Target& target);

/// `tune --zero-shot`: a config for each task of the request without a trial, from the default
/// store, into the file `path` for --tuning-log. Of tasks that compute one unit the first, whose
/// schedule is the unit's default. `kNoMatch` with the reasons when no task gets one.
Result<void> tune_without_trials(const TuneRequest& request, const Target& target,
                                 const std::string& path, const Arguments& arguments,
                                 Terminal& terminal);

}  // namespace opbench

#pragma once

#include <string>
#include <vector>

#include "base/errors/error.h"
#include "presentation/cli/terminal.h"
#include "presentation/report/predict/predict_report.h"

namespace opbench {

/// Appends a prediction as records of kind `predicted` to `file` and to the default store, as
/// keep_records does. `argv`: the command line. Its machine is this one.
Result<void> keep_prediction(const PredictReport& report, const std::vector<std::string>& argv,
                             const std::string& file, Terminal& terminal);

}  // namespace opbench

#pragma once

#include <vector>

#include "experiments/sessions/request/profile_request.h"
#include "presentation/cli/arguments.h"
#include "presentation/report/predict/predict_report.h"

namespace opbench {

/// --from, --to and --pairs of `predict`.
std::vector<OptionDef> configuration_options();

/// Whether the command line asks for another configuration. `kInvalidInput`: --from without --to,
/// --to or --pairs without --from, an option that does not go with them.
Result<bool> asks_for_configuration(const Arguments& arguments);

/// What is predicted for another configuration of this machine (predict_configured). Its errors.
Result<PredictReport> configured_report(const Arguments& arguments, ProfileRequest model,
                                        double level);

}  // namespace opbench

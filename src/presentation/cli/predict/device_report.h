#pragma once

#include <vector>

#include "experiments/sessions/request/profile_request.h"
#include "presentation/cli/arguments.h"
#include "presentation/cli/predict/predictor_option.h"
#include "presentation/report/predict/predict_report.h"

namespace opbench {

/// --device, --probe and --labels of `predict`.
std::vector<OptionDef> device_options();

/// Whether the command line asks for another device. `kInvalidInput`: --device without --probe and
/// --labels, one of these without --device, an option that does not go with them.
Result<bool> asks_for_device(const Arguments& arguments);

/// What is predicted for a device from its probes and labels and from the predictors of the folder
/// (predict_device). Its errors, and those of load_predictor.
Result<PredictReport> device_report(const Arguments& arguments, const PredictorChoice& choice,
                                    ProfileRequest model, double level);

}  // namespace opbench

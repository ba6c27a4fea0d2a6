#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "prediction/predict/unit_predictor.h"
#include "presentation/cli/arguments.h"

namespace opbench {

/// --engine, --threads and --predictors of the commands that use predictors.
std::vector<OptionDef> predictor_options();

/// What these options say.
struct PredictorChoice {
  std::string engine;
  int threads = 1;
  std::filesystem::path folder;
  std::string machine_hash;  ///< of this machine
};
Result<PredictorChoice> predictor_choice(const Arguments& arguments);

/// The predictor that is chosen. Errors as those of load_predictor.
Result<UnitPredictor> chosen_predictor(const PredictorChoice& choice);

}  // namespace opbench

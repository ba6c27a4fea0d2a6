#pragma once

#include <string>
#include <vector>

#include "base/errors/error.h"
#include "benchmarks/common/benchmark.h"

namespace opbench {

/// One part of `./dev bench predict`: an option that names its data, and what it does with it. A
/// part is one file `predict_X.cpp` with a function `PredictPart predict_X()`, declared below and
/// listed in bench_predict.cpp.
struct PredictPart {
  OptionDef option;                     ///< what asks for it, with its data
  std::vector<OptionDef> options = {};  ///< others of its own
  /// Data of the shared folder that it takes when no part is asked for; empty: then it does not
  /// run.
  std::string data = {};
  Result<void> (*run)(const std::string& given, const Arguments& arguments,
                      Report& report) = nullptr;
};

PredictPart predict_models();
PredictPart predict_few_shot();
PredictPart predict_zero_shot();
PredictPart predict_configurations();
PredictPart predict_at_home();
PredictPart predict_training();
PredictPart predict_prices();
PredictPart predict_sampling();
PredictPart predict_speed();

}  // namespace opbench

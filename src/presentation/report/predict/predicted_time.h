#pragma once

#include <string>

#include "base/json/json.h"
#include "prediction/predict/unit_predictor.h"

namespace opbench {

/// `[12.9, 15.8]`, in ms.
std::string bracket_text(const PredictedTime& time);

/// The same with `assumed` behind it where it is a mere factor of two.
std::string range_text(const PredictedTime& time);

/// `median_ms`, `low_ms`, `high_ms`, `is_interval_assumed`.
Json json_of(const PredictedTime& time);

}  // namespace opbench

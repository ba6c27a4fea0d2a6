#include "presentation/report/predict/predicted_time.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "presentation/report/text/number_text.h"

namespace opbench {
namespace {

constexpr double kPredictedTimeMs = 1e3;

}  // namespace

std::string bracket_text(const PredictedTime& time) {
  return fmt::format("[{}, {}]", ms_text(time.low_s * kPredictedTimeMs),
                     ms_text(time.high_s * kPredictedTimeMs));
}

std::string range_text(const PredictedTime& time) {
  return bracket_text(time) + (time.is_assumed ? " assumed" : "");
}

Json json_of(const PredictedTime& time) {
  return {{"median_ms", time.median_s * kPredictedTimeMs},
          {"low_ms", time.low_s * kPredictedTimeMs},
          {"high_ms", time.high_s * kPredictedTimeMs},
          {"is_interval_assumed", time.is_assumed}};
}

}  // namespace opbench

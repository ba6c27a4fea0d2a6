#include "presentation/report/predict/predicted_time.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "presentation/report/number_text.h"

namespace opbench {
namespace {

constexpr double kMs = 1e3;

}  // namespace

std::string range_text(const PredictedTime& time) {
  return fmt::format("[{}, {}]", ms_text(time.low_s * kMs), ms_text(time.high_s * kMs));
}

Json json_of(const PredictedTime& time) {
  return {{"median_ms", time.median_s * kMs},
          {"low_ms", time.low_s * kMs},
          {"high_ms", time.high_s * kMs}};
}

}  // namespace opbench

#include "presentation/report/predict/predicted_time.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/system/seconds.h"
#include "presentation/report/text/number_text.h"

namespace opbench {

std::string bracket_text(const PredictedTime& time) {
  return fmt::format("[{}, {}]", ms_text(s_to_ms(time.low_s)), ms_text(s_to_ms(time.high_s)));
}

std::string range_text(const PredictedTime& time) {
  return bracket_text(time) + (time.is_assumed ? " assumed" : "");
}

Json json_of(const PredictedTime& time) {
  return {{"median_ms", s_to_ms(time.median_s)},
          {"low_ms", s_to_ms(time.low_s)},
          {"high_ms", s_to_ms(time.high_s)},
          {"is_interval_assumed", time.is_assumed}};
}

}  // namespace opbench

#include "measuring/results/device_time.h"

#include <algorithm>
#include <vector>

#include "base/system/seconds.h"

namespace opbench {

std::optional<double> device_ms(const Measurement& time) {
  std::vector<double> values;
  for (const Sample& sample : time.samples) {
    if (sample.device_s && sample.flag.empty()) values.push_back(s_to_ms(*sample.device_s));
  }
  if (values.empty()) return std::nullopt;
  std::ranges::sort(values);
  const size_t middle = values.size() / 2;
  return values.size() % 2 == 1 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
}

}  // namespace opbench

#include "measuring/results/percentiles.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/system/seconds.h"
#include "measuring/results/sample_flags.h"
#include "measuring/results/statistics.h"

namespace opbench {

std::vector<Percentile> percentiles_of(const Measurement& time,
                                       const std::vector<double>& percents) {
  constexpr double kBeyond = 10;
  int last_process = -1;
  for (const Sample& sample : time.samples) last_process = std::max(last_process, sample.process);
  std::vector<double> times;
  for (int process = 0; process <= last_process; ++process) {
    const UsableTimes usable = usable_times(time.samples, process);
    times.insert(times.end(), usable.wall_s.begin(), usable.wall_s.end());
  }
  std::vector<Percentile> result;
  for (const double percent : percents) {
    const double share = percent / 100;
    Percentile one{.percent = percent, .taken = static_cast<int64_t>(times.size())};
    one.needed = std::llround(std::ceil(kBeyond / std::min(share, 1 - share) - 1e-9));
    if (one.taken >= one.needed) one.ms = s_to_ms(quantile(times, share));
    result.push_back(one);
  }
  return result;
}

std::string percentile_name(double percent) { return fmt::format("p{:g}", percent); }

std::optional<double> device_ms(const Measurement& time) {
  std::vector<Sample> on_device;
  int last_process = -1;
  for (const Sample& sample : time.samples) {
    if (!sample.device_s) continue;
    on_device.push_back(sample);
    on_device.back().wall_s = *sample.device_s;
    last_process = std::max(last_process, sample.process);
  }
  std::vector<double> medians;
  for (int process = 0; process <= last_process; ++process) {
    const std::vector<double> usable = usable_times(on_device, process).wall_s;
    if (!usable.empty()) medians.push_back(median(usable));
  }
  if (medians.empty()) return std::nullopt;
  return s_to_ms(median(medians));
}

}  // namespace opbench

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
  std::vector<double> clean, all;
  for (const Sample& sample : time.samples) {
    if (!sample.device_s || sample.flag == "warm_up") continue;
    all.push_back(s_to_ms(*sample.device_s));
    if (sample.flag.empty()) clean.push_back(all.back());
  }
  std::vector<double>& values = clean.empty() ? all : clean;
  if (values.empty()) return std::nullopt;
  std::ranges::sort(values);
  const size_t middle = values.size() / 2;
  return values.size() % 2 == 1 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
}

}  // namespace opbench

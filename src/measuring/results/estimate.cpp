#include "measuring/results/estimate.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "base/system/seconds.h"
#include "measuring/results/sample_flags.h"
#include "measuring/results/statistics.h"

namespace opbench {
namespace {

void add_spread(const std::vector<double>& times, Measurement& result) {
  if (times.empty()) return;
  result.min_ms = s_to_ms(*std::ranges::min_element(times));
  result.q1_ms = s_to_ms(quantile(times, 0.25));
  result.q3_ms = s_to_ms(quantile(times, 0.75));
  result.mad_ms = s_to_ms(median_absolute_deviation(times));
  result.mean_ms = s_to_ms(mean(times));
  result.std_ms = s_to_ms(standard_deviation(times));
  result.cv = result.mean_ms > 0 ? result.std_ms / result.mean_ms : 0;
}

}  // namespace

Measurement estimate(std::vector<Sample> samples, uint64_t seed) {
  Measurement result;
  int last_process = -1;
  for (const Sample& sample : samples) {
    last_process = std::max(last_process, sample.process);
    if (!sample.flag.empty()) ++result.dropped[sample.flag];
  }
  std::vector<std::vector<double>> groups;
  std::vector<double> all;
  for (int process = 0; process <= last_process; ++process) {
    UsableTimes usable = usable_times(samples, process);
    if (usable.wall_s.empty()) continue;
    result.steady = result.steady && !usable.all_flagged;
    result.effective_n += effective_sample_size(usable.wall_s);
    all.insert(all.end(), usable.wall_s.begin(), usable.wall_s.end());
    groups.push_back(std::move(usable.wall_s));
  }
  const Estimate centre = estimate_over_groups(groups, seed);
  result.median_ms = s_to_ms(centre.value);
  result.low_ms = s_to_ms(centre.interval.low);
  result.high_ms = s_to_ms(centre.interval.high);
  result.processes = static_cast<int>(groups.size());
  add_spread(all, result);
  // A time is positive: a bound that is not, from few and scattered samples, says no more than
  // this.
  if (result.low_ms <= 0) result.low_ms = std::min(result.min_ms, result.median_ms);
  if (!samples.empty()) result.clock = samples.front().clock;
  result.samples = std::move(samples);
  return result;
}

double relative_half_width(const Measurement& measurement) {
  if (!(measurement.median_ms > 0)) return std::numeric_limits<double>::infinity();
  return (measurement.high_ms - measurement.low_ms) / 2 / measurement.median_ms;
}

}  // namespace opbench

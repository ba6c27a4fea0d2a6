#include "measuring/results/time_interval.h"

namespace opbench {

std::optional<Interval> interval_of(const Measurement& time) {
  const Interval interval{time.low_ms, time.high_ms};
  if (interval.low < interval.high) return interval;
  std::optional<double> first;
  int equal = 0;
  for (const Sample& sample : time.samples) {
    if (sample.flag == "warm_up") continue;
    if (!first) first = sample.wall_s;
    if (sample.wall_s != *first) return {};
    ++equal;
  }
  return equal > 1 ? std::optional(interval) : std::nullopt;
}

}  // namespace opbench

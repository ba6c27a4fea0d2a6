#include "measuring/results/time_interval.h"

namespace opbench {

std::optional<Interval> interval_of(const Measurement& time) {
  const Interval interval{time.low_ms, time.high_ms};
  if (interval.low < interval.high) return interval;
  // A report whose bounds are null is read as 0 to 0, where no time above 0 lies.
  if (interval.high <= 0 && time.median_ms > 0) return {};
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

#include "measuring/results/percentiles.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/system/seconds.h"
#include "measuring/results/sample_flags.h"
#include "measuring/results/statistics.h"

namespace opbench {
namespace {

/// The median over process medians of what `seconds_of` finds in samples; those without it do not
/// count.
template <class SecondsOf>
std::optional<double> median_ms(const Measurement& time, SecondsOf seconds_of) {
  std::vector<Sample> found;
  int last_process = -1;
  for (const Sample& sample : time.samples) {
    const std::optional<double> seconds = seconds_of(sample);
    if (!seconds) continue;
    found.push_back(sample);
    found.back().wall_s = *seconds;
    last_process = std::max(last_process, sample.process);
  }
  std::vector<double> medians;
  for (int process = 0; process <= last_process; ++process) {
    const std::vector<double> usable = usable_times(found, process).wall_s;
    if (!usable.empty()) medians.push_back(median(usable));
  }
  if (medians.empty()) return std::nullopt;
  return s_to_ms(median(medians));
}

}  // namespace

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
  if (time.device_ms) return time.device_ms;
  return median_ms(time, [](const Sample& sample) { return sample.device_s; });
}

std::optional<double> copies_ms(const Measurement& time) {
  if (time.copies_ms) return time.copies_ms;
  return median_ms(time, [](const Sample& sample) { return sample.copies_s; });
}

std::optional<double> without_copies_ms(const Measurement& time) {
  if (time.without_copies_ms) return time.without_copies_ms;
  return median_ms(time, [](const Sample& sample) -> std::optional<double> {
    if (!sample.copies_s) return std::nullopt;
    return std::max(0.0, sample.wall_s - *sample.copies_s);
  });
}

std::string device_name(const std::map<std::string, std::string>& device) {
  const auto fact = [&](const char* name) {
    const auto found = device.find(name);
    return found == device.end() ? std::string() : found->second;
  };
  const std::string name = fact("description"), platform = fact("platform");
  if (name.empty()) return platform.empty() ? fact("kind") : platform;
  return platform.empty() ? name : name + ", " + platform;
}

}  // namespace opbench

#include "measuring/sampling/sampling_plan.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "measuring/results/statistics.h"

namespace opbench {
namespace {

constexpr double kSamplingPlanLongCall = 0.02;
constexpr int kWarmUpCalls = 3;

}  // namespace

Seconds shortest_repeat(const SamplingOptions& options) {
  if (options.times_single_calls) return 1000 * options.clock_resolution;
  const Seconds by_noise(options.noise == NoiseClass::kQuiet ? 2e-3 : 5e-3);
  return std::max(by_noise, 1000 * options.clock_resolution);
}

double cost_s(const Sample& sample) { return std::max(sample.wall_s, sample.spent_s); }

int64_t calls_per_repeat(double call_s, Seconds repeat) {
  if (call_s >= kSamplingPlanLongCall || call_s >= repeat.count()) return 1;
  constexpr double kShortest = 1e-9;
  return static_cast<int64_t>(std::ceil(repeat.count() / std::max(call_s, kShortest)));
}

Seconds cost_of(const Effort& effort, double call_s, int processes, double visit_s) {
  const double warm_up = std::max(effort.warm_up.count(), kWarmUpCalls * call_s);
  const auto number = static_cast<double>(calls_per_repeat(call_s, effort.repeat));
  const double sampling = effort.samples * number * call_s;
  return Seconds(processes * (warm_up + sampling + visit_s));
}

Effort affordable_effort(std::span<const double> call_s, const SamplingOptions& options,
                         double visit_s) {
  const Seconds repeat = shortest_repeat(options);
  const Seconds floor = std::min(repeat, std::max(repeat / 4, 1000 * options.clock_resolution));
  const int samples = options.min_samples;
  const std::array<Effort, 6> ladder = {{{samples, Seconds(0.03), repeat},
                                         {samples, Seconds(0.01), repeat},
                                         {samples, Seconds(0.005), repeat / 2},
                                         {std::min(samples, 6), Seconds(0.005), repeat / 2},
                                         {std::min(samples, 4), Seconds(0.002), floor},
                                         {std::min(samples, 3), Seconds(0), floor}}};
  for (Effort effort : ladder) {
    effort.repeat = std::max(effort.repeat, floor);
    Seconds cost{0};
    for (const double call : call_s) cost += cost_of(effort, call, options.processes, visit_s);
    if (cost <= 0.8 * options.budget) return effort;
  }
  return ladder.back();
}

bool is_steady(std::span<const double> times, size_t window) {
  if (window == 0 || times.size() < 2 * window) return false;
  const auto last = times.last(window);
  const auto before = times.last(2 * window).first(window);
  const double difference = std::abs(median(last) - median(before));
  if (difference <= 0.01 * median(before)) return true;
  // 1.4826 MAD estimates the deviation, 1.2533 / sqrt(n) makes it that of a median.
  const double last_error = 1.4826 * median_absolute_deviation(last);
  const double error_before = 1.4826 * median_absolute_deviation(before);
  const double error =
      1.2533 * std::hypot(last_error, error_before) / std::sqrt(static_cast<double>(window));
  return difference <= 2 * error;
}

std::string StopRule::judge(int64_t fewest, int64_t total, double half_width) {
  if (fewest < min_samples_) return {};
  if (half_width <= precision_) return "precision";
  if (last_total_ == 0) {
    last_total_ = total;
    last_half_width_ = half_width;
    return {};
  }
  if (total < 2 * last_total_) return {};
  if (half_width > 0.9 * last_half_width_) return "plateau";
  last_total_ = total;
  last_half_width_ = half_width;
  return {};
}

}  // namespace opbench

#include "measuring/sampling/noise.h"

#include <fmt/format.h>
#include <sched.h>
#include <sys/resource.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "base/system/monotonic_clock.h"
#include "measuring/results/sample_flags.h"
#include "measuring/results/statistics.h"

namespace opbench {
namespace {

constexpr int kRepeats = 200;
constexpr Seconds kShortestLook{0.05};
constexpr Seconds kLongestLook{0.5};
constexpr double kRepeatSeconds = 2e-3;

/// Smallest positive step, and mean time, of 2000 clock readings.
void read_clock(Preflight& preflight) {
  constexpr int kReadings = 2000;
  const double start = monotonic_s();
  double last = start;
  double step = 1;
  for (int i = 0; i < kReadings; ++i) {
    const double now = monotonic_s();
    if (now > last) step = std::min(step, now - last);
    last = now;
  }
  preflight.clock_overhead = Seconds((last - start) / kReadings);
  preflight.clock_resolution = Seconds(std::max(step, 1e-9));
}

double variation(const std::vector<double>& times) {
  const double centre = mean(times);
  return centre > 0 ? standard_deviation(times) / centre : 0;
}

std::string advice_for(const Preflight& preflight) {
  std::string found = fmt::format(
      "{} machine: the reference kernel varies by {:.1f} %, {:.0f} % of its repeats were disturbed",
      name_of(preflight.noise), preflight.cv_percent, 100 * preflight.flagged_share);
  switch (preflight.noise) {
    case NoiseClass::kQuiet:
      return found;
    case NoiseClass::kShared:
      return found + "; disturbed samples are retaken";
    case NoiseClass::kHostile:
      break;
  }
  return found + "; end other programs, use fewer threads or raise --budget";
}

}  // namespace

std::string_view name_of(NoiseClass noise) {
  switch (noise) {
    case NoiseClass::kQuiet:
      return "quiet";
    case NoiseClass::kShared:
      return "shared";
    case NoiseClass::kHostile:
      break;
  }
  return "hostile";
}

Preflight judge_noise(std::span<const Sample> repeats) {
  Preflight result;
  std::vector<double> all;
  std::vector<double> clean;
  FlagContext context;
  context.usual_faults = usual_faults(repeats);
  for (const Sample& sample : repeats) {
    all.push_back(sample.wall_s);
    if (flag_of(sample, context).empty()) clean.push_back(sample.wall_s);
    context.last_cpu = sample.cpu;
  }
  if (all.empty()) return result;
  result.reference_s = median(clean.empty() ? all : clean);
  result.flagged_share =
      static_cast<double>(all.size() - clean.size()) / static_cast<double>(all.size());
  result.cv_percent = 100 * variation(all);
  result.clean_cv_percent = 100 * variation(clean);
  if (result.flagged_share > 0.5 || result.clean_cv_percent > 5) {
    result.noise = NoiseClass::kHostile;
  } else if (result.cv_percent < 1 && result.flagged_share <= 0.02) {
    result.noise = NoiseClass::kQuiet;
  } else {
    result.noise = NoiseClass::kShared;
  }
  result.advice = advice_for(result);
  return result;
}

ReferenceKernel::ReferenceKernel() {
  double best = 1;  // of a few tries the shortest counts, as delays only add
  for (int i = 0; i < 8; ++i) best = std::min(best, repeat().wall_s);
  passes_ =
      std::max<int64_t>(1, std::llround(kRepeatSeconds / best * static_cast<double>(passes_)));
}

Sample ReferenceKernel::repeat() {
  rusage before{};
  rusage after{};
  getrusage(RUSAGE_THREAD, &before);
  const double cpu = thread_cpu_s();
  const double wall = monotonic_s();
  for (int64_t pass = 0; pass < passes_; ++pass) {
    for (float& value : values_) value = value * 0.999F + 0.001F;
    asm volatile("" : : "r"(values_.data()) : "memory");  // the result is needed after every pass
  }
  Sample sample;
  sample.wall_s = monotonic_s() - wall;
  sample.cpu_s = thread_cpu_s() - cpu;
  getrusage(RUSAGE_THREAD, &after);
  sample.involuntary_switches = after.ru_nivcsw - before.ru_nivcsw;
  sample.minor_faults = after.ru_minflt - before.ru_minflt;
  sample.cpu = sched_getcpu();
  return sample;
}

Preflight run_preflight(Seconds budget) {
  const Seconds limit = std::clamp(budget / 4, kShortestLook, kLongestLook);
  ReferenceKernel kernel;
  const double start = monotonic_s();
  std::vector<Sample> repeats;
  repeats.reserve(kRepeats);
  while (repeats.size() < kRepeats && monotonic_s() - start < limit.count()) {
    repeats.push_back(kernel.repeat());
  }
  Preflight result = judge_noise(repeats);
  read_clock(result);
  return result;
}

}  // namespace opbench

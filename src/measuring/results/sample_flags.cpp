#include "measuring/results/sample_flags.h"

#include "measuring/results/statistics.h"

namespace opbench {
namespace {

constexpr double kTolerated = 0.005;
constexpr double kFaultSeconds = 0.7e-6;
constexpr double kTurnSeconds =
    10e-6;  ///< a launch, in which a driver's thread and ours take turns
constexpr size_t kFewest = 3;

}  // namespace

std::string flag_of(const Sample& sample, const FlagContext& context) {
  if (sample.flag == kFreshFlag) return kFreshFlag;
  // What disturbs the program that simulates does not change the time that it finds.
  if (sample.clock == TimeClock::kSimulated) return {};
  const double repeat_s = sample.wall_s * static_cast<double>(context.number);
  const auto launches = static_cast<double>(context.number * context.launches);
  const double turns_s = sample.device_s ? kTurnSeconds * launches : 0;
  const bool is_short_wait = sample.waited_s && *sample.waited_s <= kTolerated * repeat_s + turns_s;
  if (sample.involuntary_switches > 0 && !is_short_wait) return "preempted";
  // A thread that waits for a device leaves its CPU.
  const bool cpu_known = sample.cpu_s > 0 && !sample.device_s;
  const double gap = sample.wall_s - sample.cpu_s;
  // A thread that waits for a device may give its CPU away.
  const bool is_of_cpu = context.threads == 1 && cpu_known && !sample.device_s;
  if (is_of_cpu && gap > kTolerated * sample.wall_s) return "preempted";
  const bool moved = sample.cpu >= 0 && context.last_cpu >= 0 && sample.cpu != context.last_cpu;
  if (context.threads == 1 && moved) return "migrated";
  const double faults = static_cast<double>(sample.minor_faults) - context.usual_faults;
  if (faults * kFaultSeconds > kTolerated * repeat_s) return "faulted";
  return {};
}

double usual_faults(std::span<const Sample> samples) {
  std::vector<double> faults;
  for (const Sample& sample : samples) faults.push_back(static_cast<double>(sample.minor_faults));
  return median(faults);
}

UsableTimes usable_times(std::span<const Sample> samples, int process) {
  UsableTimes clean;
  UsableTimes any;
  for (const Sample& sample : samples) {
    const bool is_other = sample.flag == "warm_up" || sample.flag == kFreshFlag;
    if (sample.process != process || is_other) continue;
    any.wall_s.push_back(sample.wall_s);
    if (sample.flag.empty()) clean.wall_s.push_back(sample.wall_s);
  }
  any.all_flagged = !any.wall_s.empty();
  const bool enough = clean.wall_s.size() >= kFewest || clean.wall_s.size() == any.wall_s.size();
  return enough ? clean : any;
}

}  // namespace opbench

#include "measuring/sampling/in_place.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <optional>
#include <string>
#include <utility>

#include "base/errors/suggestion.h"
#include "base/system/seconds.h"
#include "measuring/results/estimate.h"
#include "measuring/results/sample_flags.h"
#include "measuring/results/sample_json.h"
#include "measuring/results/statistics.h"

namespace opbench {
namespace {

constexpr size_t kRunsToSpareOne = 5;

tl::unexpected<Failure> bad_reply(const std::string& why) {
  return tl::make_unexpected(
      Failure{FailureKind::kRunError, "the engine's reply to profile " + why});
}

std::vector<Sample> plain_samples(const std::vector<ProfileRun>& runs) {
  std::vector<Sample> samples;
  for (const ProfileRun& run : runs) samples.push_back(run.plain);
  return samples;
}

std::vector<Sample> instrumented_samples(const std::vector<ProfileRun>& runs) {
  std::vector<Sample> samples;
  for (const ProfileRun& run : runs) samples.push_back(run.instrumented);
  return samples;
}

/// The causes for which runs of one kind in one process do not count, in their order. On a device a
/// run launches each of `units`.
std::vector<std::string> flags_of(const std::vector<Sample>& runs, int threads, size_t units) {
  FlagContext context{.launches = static_cast<int64_t>(units),
                      .threads = threads,
                      .usual_faults = usual_faults(runs)};
  std::vector<std::string> flags;
  for (const Sample& run : runs) {
    flags.push_back(flag_of(run, context));
    context.last_cpu = run.cpu;
  }
  return flags;
}

/// The pairs of all processes that count.
struct Pairs {
  std::vector<Sample> plain;  ///< of every pair, flagged with the cause for which it does not count
  std::vector<const ProfileRun*> counting;
};

void collect(const std::vector<ProfileRun>& runs, int process, int threads, bool first_is_warm_up,
             Pairs& pairs) {
  const size_t units = runs.empty() ? 0 : runs.front().units_s.size();
  const std::vector<std::string> plain = flags_of(plain_samples(runs), threads, units);
  const std::vector<std::string> instrumented =
      flags_of(instrumented_samples(runs), threads, units);
  std::vector<Sample> samples;
  for (size_t i = 0; i < runs.size(); ++i) {
    Sample sample = runs[i].plain;
    sample.process = process;
    const bool is_warm_up = first_is_warm_up && i == 0 && runs.size() > kRunsToSpareOne;
    sample.flag = is_warm_up ? "warm_up" : plain[i].empty() ? instrumented[i] : plain[i];
    samples.push_back(std::move(sample));
  }
  const bool counts_flagged = usable_times(samples, process).all_flagged;
  for (size_t i = 0; i < runs.size(); ++i) {
    const std::string& flag = samples[i].flag;
    if (flag.empty() || (counts_flagged && flag != "warm_up")) pairs.counting.push_back(&runs[i]);
  }
  pairs.plain.insert(pairs.plain.end(), samples.begin(), samples.end());
}

double slow_down(const ProfileRun& run) { return run.instrumented.wall_s / run.plain.wall_s; }

/// The fifth of the pairs, five at least if there are so many, that is nearest to a plain time and
/// a slow-down.
std::vector<const ProfileRun*> nearest(std::vector<const ProfileRun*> pairs, double plain_s,
                                       double typical_slow_down) {
  const double instrumented_s = plain_s * typical_slow_down;
  std::ranges::stable_sort(pairs, {}, [&](const ProfileRun* run) {
    return std::max(std::abs(std::log(run->plain.wall_s / plain_s)),
                    std::abs(std::log(run->instrumented.wall_s / instrumented_s)));
  });
  pairs.resize(std::min(pairs.size(), std::max<size_t>(5, (pairs.size() + 4) / 5)));
  return pairs;
}

/// Why so many pairs were disturbed, or the machine was so restless, that a gap between two sums
/// over different runs says nothing; else empty.
std::string disturbance(const std::vector<Sample>& pairs, double noise_percent) {
  constexpr size_t kFewestClean = 3;
  constexpr size_t kCleanOneIn = 5;
  constexpr double kMostNoise = 10;
  size_t clean = 0;
  std::map<std::string, size_t> causes;
  for (const Sample& pair : pairs) {
    if (pair.flag.empty()) ++clean;
    if (!pair.flag.empty() && pair.flag != "warm_up") ++causes[pair.flag];
  }
  size_t disturbed = 0;
  std::vector<std::string> parts;
  for (const auto& [cause, count] : causes) {
    disturbed += count;
    parts.push_back(cause + " " + std::to_string(count));
  }
  const size_t all = clean + disturbed;
  if (disturbed > 0 && (clean < kFewestClean || clean * kCleanOneIn < all)) {
    const std::string how_many =
        clean == 0 ? "every run" : fmt::format("{} of {} runs", disturbed, all);
    return fmt::format("{} of the model disturbed ({})", how_many, join(parts));
  }
  if (noise_percent >= kMostNoise) {
    return fmt::format("the machine is restless: its reference kernel varies by {:.1f} %",
                       noise_percent);
  }
  return {};
}

/// The step of the profiler's clock: a microsecond where the times of units differ by whole ones,
/// else unknown and 0. An engine may add half a microsecond to a time that was cut to a whole one.
double profile_step_ms(const std::vector<const ProfileRun*>& runs) {
  const std::vector<double>& first = runs.front()->units_s;
  if (first.empty()) return 0;
  const auto is_whole_steps_away = [&](double unit_s) {
    return std::abs(std::remainder((unit_s - first.front()) * 1e6, 1.0)) < 1e-4;
  };
  const bool counts_microseconds = std::ranges::all_of(runs, [&](const ProfileRun* run) {
    return std::ranges::all_of(run->units_s, is_whole_steps_away);
  });
  return counts_microseconds ? 1e-3 : 0;
}

/// What a model's run takes, in milliseconds.
struct RunCosts {
  double end_to_end = 0, gap = 0, call = 0, clock = 0, profiler = 0;
};

/// Why a gap says nothing of so short a run; empty where it does, and where there is none to speak
/// of.
std::string too_short(const RunCosts& ms) {
  constexpr double kClosed = 0.03;
  constexpr double kShortMs = 0.2;
  constexpr double kMicroseconds = 1e3;
  const double gap = std::abs(ms.gap);
  if (gap <= kClosed * ms.end_to_end) return {};
  if (gap <= ms.call + ms.clock) {
    return fmt::format(
        "end to end and sum are {:.1f} µs apart, within the call overhead ({:.1f} µs) and the "
        "clock's steps ({:.1f} µs)",
        gap * kMicroseconds, ms.call * kMicroseconds, ms.clock * kMicroseconds);
  }
  if (ms.end_to_end > kShortMs || ms.profiler < gap / 2) return {};
  return fmt::format("a run of {:.1f} µs is too short for the profiler, which adds {:.1f} µs",
                     ms.end_to_end * kMicroseconds, ms.profiler * kMicroseconds);
}

std::optional<ProfileRun> parse_in_place_run(const Json& entry) {
  const auto plain = entry.find("plain");
  const auto instrumented = entry.find("instrumented");
  const auto units = entry.find("units_s");
  if (plain == entry.end() || instrumented == entry.end() || units == entry.end() ||
      !units->is_array()) {
    return std::nullopt;
  }
  const auto plain_sample = parse_sample(*plain);
  const auto instrumented_sample = parse_sample(*instrumented);
  if (!plain_sample || !instrumented_sample) return std::nullopt;
  ProfileRun run{.plain = *plain_sample, .instrumented = *instrumented_sample};
  for (const Json& unit : *units) {
    if (!unit.is_number() || unit.get<double>() < 0) return std::nullopt;
    run.units_s.push_back(unit.get<double>());
  }
  const auto order = entry.find("order");
  if (order != entry.end() && order->is_number_integer()) run.order = order->get<int>();
  return run;
}

/// The standard error of a unit's mean over the runs; 0 for one run.
double error_of_mean_ms(const std::vector<const ProfileRun*>& runs, size_t unit, double mean_ms) {
  if (runs.size() < 2) return 0;
  double squares = 0;
  for (const ProfileRun* run : runs) {
    const double apart = s_to_ms(run->units_s[unit]) - mean_ms;
    squares += apart * apart;
  }
  const auto count = static_cast<double>(runs.size());
  return std::sqrt(squares / (count - 1) / count);
}

}  // namespace

Outcome<std::vector<ProfileRun>> parse_profile_runs(const Json& result) {
  const auto list = result.find("runs");
  if (list == result.end() || !list->is_array() || list->empty()) return bad_reply("has no runs");
  std::vector<ProfileRun> runs;
  for (const Json& entry : *list) {
    auto run = parse_in_place_run(entry);
    if (!run) return bad_reply("has the run " + entry.dump().substr(0, 200));
    if (!runs.empty() && runs.front().units_s.size() != run->units_s.size()) {
      return bad_reply("has runs of " + std::to_string(runs.front().units_s.size()) + " and of " +
                       std::to_string(run->units_s.size()) + " units");
    }
    runs.push_back(std::move(*run));
  }
  return runs;
}

Outcome<InPlace> in_place_times(const std::vector<std::vector<ProfileRun>>& by_process, int threads,
                                uint64_t seed, const UnitSumOptions& options) {
  Pairs pairs;
  for (size_t process = 0; process < by_process.size(); ++process) {
    collect(by_process[process], static_cast<int>(process), threads, options.first_is_warm_up,
            pairs);
  }
  if (pairs.counting.empty()) {
    return tl::make_unexpected(Failure{FailureKind::kRunError, "no profiled runs"});
  }
  std::vector<double> slow_downs;
  for (const ProfileRun* run : pairs.counting) slow_downs.push_back(slow_down(*run));
  const double typical_slow_down = median(slow_downs);
  const size_t units = pairs.counting.front()->units_s.size();
  const auto has_units = [&](const ProfileRun* run) { return run->units_s.size() == units; };
  if (!std::ranges::all_of(pairs.counting, has_units)) {
    return bad_reply("differs between processes in the number of units");
  }

  InPlace result;
  result.runs = static_cast<int64_t>(pairs.counting.size());
  const double clock_step_ms = std::max(options.clock_step_ms, profile_step_ms(pairs.counting));
  result.inconclusive = disturbance(pairs.plain, options.noise_percent);
  result.end_to_end = estimate(std::move(pairs.plain), seed);
  result.end_to_end.stop_reason = "budget";
  const double end_to_end_ms = result.end_to_end.median_ms;
  const auto chosen = nearest(pairs.counting, ms_to_s(end_to_end_ms), typical_slow_down);
  result.chosen = static_cast<int64_t>(chosen.size());
  result.units_ms.resize(units);
  const double weight = kMsPerSecond / static_cast<double>(chosen.size());
  double total_ms = 0;
  for (const ProfileRun* run : chosen) {
    for (size_t i = 0; i < units; ++i) result.units_ms[i] += run->units_s[i] * weight;
    total_ms += run->instrumented.wall_s * weight;
  }
  for (size_t i = 0; i < units; ++i) {
    result.units_error_ms.push_back(error_of_mean_ms(chosen, i, result.units_ms[i]));
  }
  result.sum_ms = std::accumulate(result.units_ms.begin(), result.units_ms.end(), 0.0);
  result.call_overhead_ms = std::clamp(total_ms - result.sum_ms, 0.0, options.call_floor_ms);
  result.dispatch_ms = total_ms - result.sum_ms - result.call_overhead_ms;
  const double gap_ms = end_to_end_ms - total_ms;
  result.gap_percent = 100 * gap_ms / end_to_end_ms;
  if (result.inconclusive.empty()) {
    // Two readings a unit, and a pair for the run.
    const double steps = 2 * static_cast<double>(units + 1);
    result.inconclusive = too_short({.end_to_end = end_to_end_ms,
                                     .gap = gap_ms,
                                     .call = options.call_floor_ms,
                                     .clock = clock_step_ms * steps,
                                     .profiler = (typical_slow_down - 1) * end_to_end_ms});
  }
  result.profiler_slowdown_percent = 100 * (typical_slow_down - 1);
  return result;
}

}  // namespace opbench

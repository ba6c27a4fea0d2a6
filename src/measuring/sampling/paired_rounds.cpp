#include "measuring/sampling/paired_rounds.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace opbench {
namespace {

constexpr size_t kPairedRoundsFewestClean = 3;
constexpr double kPairedRoundsLongCall = 0.02;
constexpr double kVeryLongCall = 0.1;
constexpr int kUntimedCalls = 1;        ///< of a visit, by the engine protocol
constexpr double kVisitSeconds = 5e-4;  ///< request, reply and wake-up of an engine
constexpr double kVisitTimed = 5e-3;
constexpr int kFewestRepeats = 2;
constexpr double kFirstShare = 0.5;
constexpr int kMostRepeats = 8;

double typical_call(std::span<const double> call_s) {
  double log_sum = 0;
  for (const double call : call_s) log_sum += std::log(std::max(call, 1e-9));
  return std::exp(log_sum / static_cast<double>(call_s.size()));
}

/// `value_of` a round, over all of them.
template <class Value>
Estimate estimate_of(std::span<const PairedRound> rounds, uint64_t seed, const Value& value_of) {
  std::map<int, std::vector<double>> by_process;
  std::vector<double> all;
  for (const PairedRound& round : rounds) {
    all.push_back(value_of(round));
    by_process[round.process].push_back(all.back());
  }
  std::vector<std::vector<double>> groups;
  for (auto& [process, values] : by_process) groups.push_back(std::move(values));
  Estimate result = estimate_over_like_groups(groups, seed);
  // Disturbances need not meet the sides alike: such ratios say nothing about chance.
  const bool is_disturbed =
      std::ranges::any_of(rounds, [](const PairedRound& round) { return !round.cause.empty(); });
  if (is_disturbed) result.error = result.degrees = 0;
  const Interval sign_test = order_statistic_interval(all);
  const double before = result.interval.high - result.interval.low;
  result.interval.low = std::min(result.interval.low, sign_test.low);
  result.interval.high = std::max(result.interval.high, sign_test.high);
  if (before > 0) result.error *= (result.interval.high - result.interval.low) / before;
  return result;
}

}  // namespace

std::vector<PairedRound> usable_rounds(std::span<const PairedRound> rounds) {
  std::vector<PairedRound> clean;
  std::ranges::copy_if(rounds, std::back_inserter(clean),
                       [](const PairedRound& round) { return round.cause.empty(); });
  if (clean.size() >= std::min(kPairedRoundsFewestClean, rounds.size())) return clean;
  return {rounds.begin(), rounds.end()};
}

Estimate log_ratio_of(std::span<const PairedRound> rounds, size_t side, uint64_t seed,
                      size_t base) {
  return estimate_of(rounds, seed, [&](const PairedRound& round) {
    return round.log_s.at(side) - round.log_s.at(base);
  });
}

Estimate log_time_of(std::span<const PairedRound> rounds, size_t side, uint64_t seed) {
  return estimate_of(rounds, seed, [&](const PairedRound& round) { return round.log_s.at(side); });
}

std::map<std::string, int64_t> dropped_rounds(std::span<const PairedRound> rounds) {
  std::map<std::string, int64_t> dropped;
  for (const PairedRound& round : rounds) {
    if (!round.cause.empty()) ++dropped[round.cause];
  }
  return dropped;
}

int64_t paired_number(std::span<const double> call_s, Seconds repeat) {
  if (call_s.empty()) return 1;
  const auto [fastest, slowest] = std::ranges::minmax(call_s);
  if (slowest >= kPairedRoundsLongCall) return 1;
  return std::max(calls_per_repeat(typical_call(call_s), repeat),
                  calls_per_repeat(fastest, repeat / 4));
}

int visit_repeats(std::span<const double> call_s, int64_t number) {
  if (call_s.empty() || std::ranges::max(call_s) >= kVeryLongCall) return 1;
  const double repeat = static_cast<double>(number) * typical_call(call_s);
  return static_cast<int>(
      std::clamp<double>(std::round(kVisitTimed / repeat), kFewestRepeats, kMostRepeats));
}

int warm_up_calls(double call_s) { return call_s < kVeryLongCall ? 3 : 1; }

Seconds round_cost(std::span<const double> call_s, int64_t number) {
  const auto calls = static_cast<double>(visit_repeats(call_s, number) * number + kUntimedCalls);
  double cost = 0;
  for (const double call : call_s) cost += 2 * (calls * call + kVisitSeconds);
  return Seconds(cost);
}

Seconds warm_up_cost(std::span<const double> call_s, const PairedEffort& effort) {
  const auto number = static_cast<double>(paired_number(call_s, effort.repeat));
  double cost = 0;
  for (const double call : call_s) {
    const double timed = effort.steady_samples * number * call;
    cost += std::max(effort.warm_up.count() - timed, warm_up_calls(call) * call);
    cost += timed + kVisitSeconds;
  }
  return Seconds(cost);
}

PairedEffort paired_effort(std::span<const std::vector<double>> calls,
                           const SamplingOptions& options) {
  const Seconds shortest = 1000 * options.clock_resolution;
  const Seconds repeat = std::max(PairedEffort{}.repeat, shortest);
  const Seconds floor = std::max(repeat / 4, shortest);
  const int rounds = std::max(1, options.min_samples);
  const int fewest = (3 + options.processes - 1) / std::max(options.processes, 1);
  const std::array<PairedEffort, 7> ladder = {
      {{rounds, Seconds(0.03), 6, repeat},
       {rounds, Seconds(0.01), 6, repeat},
       {rounds, Seconds(0.005), 6, repeat / 2},
       {std::min(rounds, 4), Seconds(0.005), 6, repeat / 2},
       {std::min(rounds, 3), Seconds(0.002), 3, floor},
       {std::min(rounds, std::max(2, fewest)), Seconds(0), 1, floor},
       {std::min(rounds, fewest), Seconds(0), 1, floor}}};
  for (PairedEffort effort : ladder) {
    effort.repeat = std::max(effort.repeat, floor);
    Seconds cost{0};
    for (const std::vector<double>& item : calls) {
      const Seconds round = round_cost(item, paired_number(item, effort.repeat));
      cost += options.processes * (warm_up_cost(item, effort) + effort.rounds * round);
    }
    if (cost <= kFirstShare * options.budget) return effort;
  }
  return ladder.back();
}

namespace {

constexpr int kLeastProcesses = 2;
constexpr int kLeastRounds = 3;

/// Of the least that an item gets.
Seconds least_cost(const std::vector<double>& calls, int processes, Seconds clock_resolution) {
  const PairedEffort least{.rounds = 1,
                           .warm_up = Seconds(0),
                           .steady_samples = 1,
                           .repeat = std::max(PairedEffort{}.repeat / 4, 1000 * clock_resolution)};
  const Seconds round = round_cost(calls, paired_number(calls, least.repeat));
  return processes * warm_up_cost(calls, least) + std::max(kLeastRounds, processes) * round;
}

}  // namespace

int affordable_processes(std::span<const std::vector<double>> calls, Seconds time, int most,
                         Seconds clock_resolution) {
  int processes = most;
  for (; processes > kLeastProcesses; --processes) {
    Seconds cost{0};
    for (const std::vector<double>& item : calls) {
      cost += least_cost(item, processes, clock_resolution);
    }
    if (cost <= time) break;
  }
  return processes;
}

size_t affordable_items(std::span<const std::vector<double>> calls, Seconds time,
                        Seconds clock_resolution) {
  size_t count = 0;
  for (Seconds cost{0}; count < calls.size(); ++count) {
    cost += least_cost(calls[count], kLeastProcesses, clock_resolution);
    if (cost > time && count > 0) break;
  }
  return count;
}

bool PlateauRule::judge(size_t rounds, double half_width) {
  bool is_flat = false;
  for (const auto& [before, width] : seen_) {
    is_flat = is_flat || (rounds >= 4 * before && half_width > 0.9 * width);
  }
  seen_.emplace_back(rounds, half_width);
  return is_flat;
}

}  // namespace opbench

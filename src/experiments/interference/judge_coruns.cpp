#include "experiments/interference/judge_coruns.h"

#include <fmt/format.h>

#include "base/system/seconds.h"

namespace opbench {
namespace {

using JudgeCorunsKind = CorunParty::Kind;

std::string reason_of(const CorunItem& item) {
  if (item.failure) return to_text(*item.failure);
  if (item.visits == 0) return "the budget ended before it";
  int64_t dropped = 0;
  for (const auto& [cause, rounds] : item.dropped) dropped += rounds;
  return fmt::format("{} of {} rounds were undisturbed, {} are needed", item.rounds.size(),
                     static_cast<int64_t>(item.rounds.size()) + dropped, kFewestRounds);
}

void place(const CorunItem& item, const MeasuredCorun& corun, InterferenceResult& result) {
  const CorunParty& first = item.parties[0];
  const CorunParty& second = item.parties[1];
  if (first.kind == JudgeCorunsKind::kCompute) {
    result.control = corun;
  } else if (first.kind == JudgeCorunsKind::kLevel) {
    result.levels.at(second.index).probe = corun;
  } else if (second.kind == JudgeCorunsKind::kLevel) {
    result.beside.at(first.index).at(second.index) = corun;
  } else {
    result.pairs.push_back({first.index, second.index, corun, {}});
  }
}

/// The median over the medians of the unit's co-runs.
double alone_ms_of(size_t unit, const InterferenceResult& result) {
  std::vector<double> times;
  const auto add = [&](double ms) {
    if (ms > 0) times.push_back(ms);
  };
  for (const MeasuredCorun& one : result.beside.at(unit)) add(one.solo_ms[0]);
  for (const InterferencePair& pair : result.pairs) {
    if (pair.first == unit) add(pair.corun.solo_ms[0]);
    if (pair.second == unit) add(pair.corun.solo_ms[1]);
  }
  return median(times);
}

void add_forecasts(InterferenceResult& result) {
  constexpr double kBytes = 1e9;
  std::vector<std::optional<UnitPressure>> known;
  for (size_t unit = 0; unit < result.units.size(); ++unit) {
    known.push_back(pressure_of_unit(unit, result));
  }
  std::vector<JudgedForecast> judged;
  for (InterferencePair& pair : result.pairs) {
    const auto& first = known[pair.first];
    const auto& second = known[pair.second];
    if (!first || !second) continue;
    const double peak = result.peak_gbytes_per_s * kBytes;
    pair.forecasts = std::array{forecast(*first, *second, peak), forecast(*second, *first, peak)};
    for (const size_t side : {size_t{0}, size_t{1}}) {
      const auto& measured = pair.corun.slowdowns[side];
      if (measured) judged.push_back({(*pair.forecasts)[side], *measured});
    }
  }
  result.errors = forecast_errors(judged, result.threshold);
  result.noise_floor = noise_floor(judged);
  result.undecided = undecided(judged, result.threshold);
  result.judged = judged.size();
}

}  // namespace

std::optional<UnitPressure> pressure_of_unit(size_t unit, const InterferenceResult& result) {
  const auto pressure = result.pressure_of(unit);
  if (!pressure) return std::nullopt;
  std::vector<SensitivityPoint> points;
  for (size_t level = 0; level < result.levels.size(); ++level) {
    const auto& probe = result.levels[level].probe.slowdowns[0];
    const auto& slowdown = result.beside.at(unit)[level].slowdowns[0];
    if (probe && slowdown) points.push_back({probe->ratio, slowdown->ratio});
  }
  constexpr size_t kFewestPoints = 2;
  if (points.size() < kFewestPoints) return std::nullopt;
  UnitPressure known{SensitivityCurve(std::move(points)), pressure->ratio, {}};
  const InterferenceUnit& facts = result.units.at(unit);
  if (facts.bytes && facts.alone_ms > 0)
    known.bytes_per_s = *facts.bytes / (ms_to_s(facts.alone_ms));
  return known;
}

MeasuredCorun measured_corun(const CorunItem& item, uint64_t seed) {
  MeasuredCorun corun;
  for (const size_t side : {size_t{0}, size_t{1}}) {
    corun.slowdowns[side] = slowdown_of(item.rounds, side, seed + side);
    corun.solo_ms[side] = s_to_ms(solo_seconds(item.rounds, side));
  }
  corun.kept = std::ssize(item.rounds);
  corun.dropped = item.dropped;
  corun.disturbed_turns = item.disturbed_turns;
  if (!corun.slowdowns[0] || !corun.slowdowns[1]) corun.reason = reason_of(item);
  return corun;
}

void judge_coruns(const std::vector<CorunItem>& items, uint64_t seed, InterferenceResult& result) {
  result.beside.assign(result.units.size(), std::vector<MeasuredCorun>(result.levels.size()));
  result.pairs.clear();
  for (const CorunItem& item : items) {
    const MeasuredCorun corun = measured_corun(item, seed);
    result.kept += corun.kept;
    result.dropped += corun.dropped_rounds();
    result.disturbed_turns += corun.disturbed_turns;
    for (const auto& [cause, rounds] : corun.dropped) result.causes[cause] += rounds;
    place(item, corun, result);
  }
  for (size_t unit = 0; unit < result.units.size(); ++unit) {
    result.units[unit].alone_ms = alone_ms_of(unit, result);
  }
  if (result.has_pairs) add_forecasts(result);
}

Result<void> refuse_nothing(const InterferenceResult& result) {
  if (result.kept > 0) return {};
  if (!result.failures.empty()) {
    return Error{ErrorCode::kPartial, "every co-run failed"}.with("first", result.failures.front());
  }
  if (result.dropped == 0) {
    return Error{ErrorCode::kTimeBudget, "the budget ended before the first round"};
  }
  Error error{ErrorCode::kEnvironment,
              fmt::format("not one of {} rounds was undisturbed", result.dropped)};
  for (const auto& [cause, rounds] : result.causes) {
    error = std::move(error).with(cause, fmt::format("{} rounds", rounds));
  }
  return std::move(error).with("what helps",
                               "a quiet machine: end other programs, or give a longer --budget");
}

}  // namespace opbench

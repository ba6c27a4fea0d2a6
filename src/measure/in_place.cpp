#include "opbench/measure/in_place.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <numeric>
#include <span>
#include <string>
#include <utility>

#include "opbench/measure/estimate.h"
#include "opbench/measure/statistics.h"

namespace opbench {
namespace {

constexpr double kMilliseconds = 1e3;
constexpr size_t kRunsToSpareOne = 5;

tl::unexpected<Failure> bad_reply(const std::string& why) {
  return tl::make_unexpected(
      Failure{FailureKind::kRunError, "the engine's reply to profile " + why});
}

/// A positive number, or 0 for anything else.
double positive(const Json& object, const char* key) {
  const auto field = object.find(key);
  const double value = field != object.end() && field->is_number() ? field->get<double>() : 0;
  return value > 0 ? value : 0;
}

/// The indices of the central fifth of `values` by rank, at least five if there are so many.
std::vector<size_t> central_runs(const std::vector<double>& values) {
  std::vector<size_t> order(values.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::ranges::stable_sort(order, {}, [&](size_t i) { return values[i]; });
  const size_t kept = std::min(values.size(), std::max<size_t>(5, (values.size() + 4) / 5));
  const size_t first = (values.size() - kept) / 2;
  const auto begin = order.begin() + static_cast<std::ptrdiff_t>(first);
  return {begin, begin + static_cast<std::ptrdiff_t>(kept)};
}

double mean_of(const std::vector<double>& values, const std::vector<size_t>& chosen) {
  std::vector<double> picked;
  for (const size_t i : chosen) picked.push_back(values[i]);
  return mean(picked);
}

/// The runs of all processes that count, by kind.
struct Runs {
  std::vector<Sample> plain;
  std::vector<double> plain_s;
  std::vector<double> instrumented_s;
  std::vector<std::vector<double>> units_s;
};

Runs collect(const std::vector<std::vector<ProfileRun>>& by_process) {
  Runs result;
  for (size_t process = 0; process < by_process.size(); ++process) {
    const std::vector<ProfileRun>& runs = by_process[process];
    for (size_t i = 0; i < runs.size(); ++i) {
      Sample sample;
      sample.wall_s = runs[i].plain_s;
      sample.process = static_cast<int>(process);
      if (i == 0 && runs.size() > kRunsToSpareOne) sample.flag = "warm_up";
      result.plain.push_back(sample);
      if (!sample.flag.empty()) continue;
      result.plain_s.push_back(runs[i].plain_s);
      result.instrumented_s.push_back(runs[i].instrumented_s);
      result.units_s.push_back(runs[i].units_s);
    }
  }
  return result;
}

}  // namespace

Outcome<std::vector<ProfileRun>> parse_profile_runs(const Json& result) {
  const auto list = result.find("runs");
  if (list == result.end() || !list->is_array() || list->empty()) return bad_reply("has no runs");
  std::vector<ProfileRun> runs;
  for (const Json& entry : *list) {
    ProfileRun run;
    run.plain_s = positive(entry, "plain_s");
    run.instrumented_s = positive(entry, "instrumented_s");
    const auto units = entry.find("units_s");
    if (run.plain_s == 0 || run.instrumented_s == 0 || units == entry.end() || !units->is_array()) {
      return bad_reply("has the run " + entry.dump().substr(0, 100));
    }
    for (const Json& unit : *units) {
      if (!unit.is_number() || unit.get<double>() < 0) {
        return bad_reply("has the unit time " + unit.dump());
      }
      run.units_s.push_back(unit.get<double>());
    }
    const auto order = entry.find("order");
    if (order != entry.end() && order->is_number_integer()) run.order = order->get<int>();
    if (!runs.empty() && runs.front().units_s.size() != run.units_s.size()) {
      return bad_reply("has runs of " + std::to_string(runs.front().units_s.size()) + " and of " +
                       std::to_string(run.units_s.size()) + " units");
    }
    runs.push_back(std::move(run));
  }
  return runs;
}

Outcome<InPlace> in_place_times(const std::vector<std::vector<ProfileRun>>& by_process,
                                uint64_t seed) {
  Runs runs = collect(by_process);
  if (runs.plain_s.empty()) {
    return tl::make_unexpected(Failure{FailureKind::kRunError, "no profiled runs"});
  }
  const std::vector<size_t> chosen = central_runs(runs.instrumented_s);
  InPlace result;
  result.runs = static_cast<int64_t>(runs.plain_s.size());
  result.chosen = static_cast<int64_t>(chosen.size());
  const size_t units = runs.units_s.front().size();
  for (size_t unit = 0; unit < units; ++unit) {
    double sum_s = 0;
    for (const size_t run : chosen) {
      if (runs.units_s[run].size() != units) {
        return bad_reply("differs between processes in the number of units");
      }
      sum_s += runs.units_s[run][unit];
    }
    result.units_ms.push_back(sum_s / static_cast<double>(chosen.size()) * kMilliseconds);
    result.sum_ms += result.units_ms.back();
  }
  const double total_ms = mean_of(runs.instrumented_s, chosen) * kMilliseconds;
  result.dispatch_ms = total_ms - result.sum_ms;
  result.end_to_end = estimate(std::move(runs.plain), seed);
  result.end_to_end.stop_reason = "budget";
  const double end_to_end_ms = result.end_to_end.median_ms;
  result.gap_percent = 100 * (end_to_end_ms - total_ms) / end_to_end_ms;
  const double plain_ms = mean_of(runs.plain_s, central_runs(runs.plain_s)) * kMilliseconds;
  result.profiler_slowdown_percent = 100 * (total_ms / plain_ms - 1);
  return result;
}

}  // namespace opbench

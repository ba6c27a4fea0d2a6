#include "experiments/unit_times/unit_times.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>
#include <utility>

#include "base/json/json.h"
#include "engines/catalog/engine_choice.h"
#include "measuring/results/profile_json.h"

namespace opbench {
namespace {

/// Of a normal distribution with these quartiles.
double spread_of(double median, double q1, double q3) {
  constexpr double kQuartiles = 1.349;
  return median > 0 ? std::max(0.0, (q3 - q1) / kQuartiles / median) : 0;
}

UnitRow row_of(const UnitResult& unit) {
  UnitRow row{unit.identity, {}, {}};
  for (const UnitOccurrence& occurrence : unit.occurrences) {
    if (occurrence.in_place_ms) row.in_place_ms.push_back(*occurrence.in_place_ms);
    if (occurrence.in_place_error_ms) row.errors_ms.push_back(*occurrence.in_place_error_ms);
  }
  if (row.in_place_ms.empty() && unit.in_place_ms) row.in_place_ms.push_back(*unit.in_place_ms);
  return row;
}

constexpr double kFewestRunsOfUnits = 5;  // that a mean is over, see in_place.h

using RowKey = std::tuple<std::string, std::vector<int>, std::string>;

RowKey row_key_of(const UnitIdentity& unit) {
  return {workload_text(unit), layouts_of(unit), unit.schedule};
}

}  // namespace

ProfileTimes times_of(const ProfileResult& result) {
  ProfileTimes times{result.model, result.sha256, result.run_id, {}};
  for (const EngineResult& engine : result.engines) {
    if (engine.engine != package_engine().name) continue;
    ThreadTimes one{.threads = engine.threads};
    for (const UnitResult& unit : engine.units) {
      UnitRow row = row_of(unit);
      if (!row.in_place_ms.empty()) one.rows.push_back(std::move(row));
    }
    one.disturbance = engine.model.inconclusive;
    if (const auto& time = engine.model.end_to_end; time) {
      one.end_to_end_ms = time->median_ms;
      one.spread = spread_of(time->median_ms, time->q1_ms, time->q3_ms);
    }
    times.threads.push_back(std::move(one));
  }
  return times;
}

Result<ProfileTimes> parse_profile_times(const std::string& text, const std::string& what) {
  OPBENCH_TRY(const Json json, parse_json(text, what));
  const auto refuse = [&](const std::string& why) {
    return invalid_input(fmt::format("\"{}\" {}", what, why))
        .with("to make one", "opbench profile MODEL --threads 1,2 --format json -o FILE");
  };
  if (json.is_array()) return refuse("holds profiles of several models");
  if (!is_profile(json)) return refuse("is no profile");
  const ProfileResult result = profile_of(json);
  if (result.scope != "model") return refuse("is of a single workload");
  ProfileTimes times = times_of(result);
  std::erase_if(times.threads,
                [](const ThreadTimes& one) { return one.threads <= 0 || one.rows.empty(); });
  if (times.threads.empty()) return refuse("has no in-model times of OpBench's kernels");
  return times;
}

Result<std::vector<TimeWithError>> times_of_units(const ThreadTimes& times,
                                                  const EngineRun& engine_run) {
  std::map<RowKey, const UnitRow*> rows;
  for (const UnitRow& row : times.rows) rows[row_key_of(row.identity)] = &row;
  std::map<RowKey, size_t> met;
  std::vector<TimeWithError> result;
  for (const PreparedUnit& unit : engine_run.built.units) {
    const RowKey key = row_key_of(unit.identity);
    const auto row = rows.find(key);
    const size_t at = met[key]++;
    const bool is_known = row != rows.end() && (at < row->second->in_place_ms.size() ||
                                                row->second->in_place_ms.size() == 1);
    if (!is_known) {
      return invalid_input(fmt::format("the profile has no in-model time of a unit on {} thread{}",
                                       times.threads, times.threads == 1 ? "" : "s"))
          .with("unit", unit.identity.operator_text)
          .with("workload", std::get<0>(key))
          .with("schedule", unit.identity.schedule)
          .with("reason", "it is of another model, or kernels have changed since");
    }
    const UnitRow& found = *row->second;
    const size_t place = found.in_place_ms.size() == 1 ? 0 : at;
    const double ms = found.in_place_ms[place];
    const bool has_error = found.errors_ms.size() == found.in_place_ms.size();
    result.push_back({ms, has_error ? found.errors_ms[place]
                                    : ms * times.spread / std::sqrt(kFewestRunsOfUnits)});
  }
  return result;
}

std::vector<int> team_sizes(int workers) {
  std::vector<int> sizes;
  for (int size = 1; size < workers; size *= 2) sizes.push_back(size);
  sizes.push_back(workers);
  return sizes;
}

}  // namespace opbench

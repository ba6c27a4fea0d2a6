#include "experiments/regress/kept_samples.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <map>
#include <set>

#include "experiments/regress/night_rows.h"
#include "records/store/database/database.h"
#include "records/store/database/views.h"
#include "records/store/parts/drop_samples.h"

namespace opbench {
namespace {

constexpr int kNightsWithSamples = 60;  ///< of the present segment, as the noise of a row looks at

/// SQL over benchmarks: what a label says.
std::string label_sql(const char* name) {
  return fmt::format("map_extract(labels, '{}')[1]", name);
}

/// SQL over benchmarks: results of these nights, of all where none is named.
std::string condition_of(const SampleScope& scope, const std::vector<std::string>& nights) {
  std::string condition =
      fmt::format("{} = {} AND {} = {} AND machine_hash = {}", label_sql(night_label::kSuite),
                  sql_text(scope.suite), label_sql(night_label::kBranch), sql_text(scope.branch),
                  sql_text(scope.machine));
  if (!nights.empty()) {
    condition +=
        fmt::format(" AND list_contains({}, {})", sql_list(nights), label_sql(night_label::kNight));
  }
  return condition;
}

/// Samples in the store: of each night, and of all results under the empty name.
Result<std::map<std::string, double>> samples_by_night(StoreFolder& store,
                                                       const SampleScope& scope) {
  OPBENCH_TRY(
      const QueryResult found,
      query_store(store, fmt::format("SELECT CASE WHEN {} THEN {} ELSE '' END AS night, "
                                     "sum(len(runtime_raw_ms))::DOUBLE FROM benchmarks GROUP BY 1",
                                     condition_of(scope, {}), label_sql(night_label::kNight))));
  std::map<std::string, double> samples;
  double all = 0;
  for (const std::vector<Json>& row : found.rows) {
    const double count = row[1].is_number() ? row[1].get<double>() : 0;
    all += count;
    if (row[0].is_string() && !row[0].get<std::string>().empty()) {
      samples[row[0].get<std::string>()] = count;
    }
  }
  samples[""] = all;
  return samples;
}

/// The next nights, as many as seem to take `over` bytes; taken out of `nights`.
std::vector<std::string> take_nights(std::vector<std::string>& nights, double over,
                                     double bytes_a_sample,
                                     const std::map<std::string, double>& samples) {
  std::vector<std::string> taken;
  double freed = 0;
  size_t at = 0;
  for (; at < nights.size() && freed < over; ++at) {
    const auto found = samples.find(nights[at]);
    if (found == samples.end() || found->second == 0) continue;
    freed += found->second * bytes_a_sample;
    taken.push_back(nights[at]);
  }
  nights.erase(nights.begin(), nights.begin() + static_cast<std::ptrdiff_t>(at));
  return taken;
}

}  // namespace

std::vector<std::string> nights_without_need(const History& history,
                                             const std::vector<Alert>& alerts) {
  std::set<int> needed;
  int count = 0;
  for (auto night = history.nights.rbegin(); night != history.nights.rend(); ++night) {
    const Night& last = history.nights.back();
    const bool is_present = night->environment == last.environment && night->method == last.method;
    if (!is_present || count++ == kNightsWithSamples) break;
    needed.insert(night->index);
  }
  for (const Alert& alert : alerts) {
    if (!is_open(alert)) continue;
    for (int i = alert.range.good_night; i <= alert.range.bad_night; ++i) needed.insert(i);
  }
  std::vector<std::string> names;
  for (const Night& night : history.nights) {
    if (!needed.contains(night.index)) names.push_back(night.date);
  }
  return names;
}

Result<PrunedSamples> prune_samples(StoreFolder& store, const SampleScope& scope,
                                    const std::vector<std::string>& nights, double bytes) {
  PrunedSamples pruned;
  OPBENCH_TRY(const int64_t before, bytes_of_results(store));
  pruned.bytes = static_cast<double>(before);
  std::vector<std::string> rest = nights;
  while (pruned.bytes > bytes && !rest.empty()) {
    OPBENCH_TRY(const auto samples, samples_by_night(store, scope));
    const double bytes_a_sample = pruned.bytes / std::max(1.0, samples.at(""));
    const std::vector<std::string> next =
        take_nights(rest, pruned.bytes - bytes, bytes_a_sample, samples);
    if (next.empty()) break;
    OPBENCH_TRY(const SampleDrop dropped, drop_samples(store, condition_of(scope, next)));
    pruned.is_elsewhere = dropped.is_elsewhere;
    if (dropped.is_elsewhere) break;
    pruned.nights += std::ssize(next);
    pruned.bytes = static_cast<double>(dropped.bytes_after);
  }
  pruned.freed_bytes = static_cast<double>(before) - pruned.bytes;
  return pruned;
}

}  // namespace opbench

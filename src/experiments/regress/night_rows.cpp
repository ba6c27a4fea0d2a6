#include "experiments/regress/night_rows.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <cmath>

#include "base/numbers/number.h"
#include "measuring/results/time_clock.h"
#include "records/store/database/views.h"
#include "records/store/parts/drop_samples.h"

namespace opbench {
namespace {

constexpr const char* kNightColumns =
    "SELECT CAST(\"timestamp\" AS VARCHAR) AS taken, machine_hash, engine, num_cpu_threads, scope, "
    "workload, nodes, runtime_raw_ms, runtime_ms_median, runtime_ms_mean, labels, code_hash, "
    "execution_config.timer AS clock FROM benchmarks WHERE "
    "len(map_extract(labels, 'watch_suite')) > 0 AND map_extract(labels, "
    "'watch_suite')[1] = {} ORDER BY taken, record_id";

std::string text_at(const Json& cell) { return cell.is_string() ? cell.get<std::string>() : ""; }

std::vector<double> numbers_at(const Json& cell) {
  std::vector<double> numbers;
  if (!cell.is_array()) return numbers;
  for (const Json& number : cell) {
    if (number.is_number()) numbers.push_back(number.get<double>());
  }
  return numbers;
}

/// Samples that were dropped: three with the same median and deviation stand for them.
void add_dropped_samples(const Json& labels, std::vector<double>& values) {
  if (!labels.is_object()) return;
  const auto center = parse_number(text_at(labels.value(kDroppedMedianLabel, Json())));
  const auto deviation = parse_number(text_at(labels.value(kDroppedDeviationLabel, Json())));
  if (!center || !deviation || *center <= 0) return;
  values = {*center * std::exp(-*deviation), *center, *center * std::exp(*deviation)};
}

NightResult result_of_row(const std::vector<Json>& row) {
  enum {
    kAt,
    kMachine,
    kEngine,
    kThreads,
    kScope,
    kWorkload,
    kNodes,
    kRaw,
    kMedian,
    kMean,
    kLabels,
    kHash,
    kClock
  };
  const Json& labels = row[kLabels];
  const auto label = [&](const char* name) {
    return labels.is_object() ? text_at(labels.value(name, Json())) : std::string();
  };
  NightResult result{.labels = {.suite = label(night_label::kSuite),
                                .branch = label(night_label::kBranch),
                                .night = label(night_label::kNight),
                                .commit = label(night_label::kCommit),
                                .method = label(night_label::kMethod),
                                .surroundings = label(night_label::kSurroundings),
                                .frozen = label(night_label::kFrozen),
                                .filled_for = label(night_label::kFilledFor)},
                     .subject = label(night_label::kSubject),
                     .timestamp = text_at(row[kAt]),
                     .machine = text_at(row[kMachine]),
                     .engine = text_at(row[kEngine]),
                     .threads = row[kThreads].is_number() ? row[kThreads].get<int>() : 1,
                     .scope = text_at(row[kScope]),
                     .identity = {.texts = {.workload = text_at(row[kWorkload])}},
                     .values = numbers_at(row[kRaw]),
                     .code_hash = text_at(row[kHash])};
  const auto clock = time_clock_named(text_at(row[kClock]));
  if (clock && *clock != TimeClock::kWall) result.clock = name_of(*clock);
  for (const size_t column : {kMedian, kMean}) {
    if (result.values.empty() && row[column].is_number()) {
      result.values.push_back(row[column].get<double>());
    }
  }
  if (!row[kRaw].is_array()) add_dropped_samples(row[kLabels], result.values);
  if (row[kNodes].is_array()) {
    for (const Json& node : row[kNodes]) result.identity.nodes.push_back(text_at(node));
  }
  return result;
}

}  // namespace

std::map<std::string, std::string> labels_of(const NightLabels& labels,
                                             const std::string& subject) {
  std::map<std::string, std::string> texts = {
      {night_label::kSuite, labels.suite},   {night_label::kBranch, labels.branch},
      {night_label::kNight, labels.night},   {night_label::kCommit, labels.commit},
      {night_label::kMethod, labels.method}, {night_label::kSurroundings, labels.surroundings},
      {night_label::kSubject, subject}};
  if (!labels.frozen.empty()) texts[night_label::kFrozen] = labels.frozen;
  if (!labels.filled_for.empty()) texts[night_label::kFilledFor] = labels.filled_for;
  return texts;
}

Result<std::vector<NightResult>> night_results(StoreFolder& store, const std::string& suite) {
  OPBENCH_TRY(const std::vector<StorePart> parts, store.live_parts(RecordKind::kBenchmark));
  if (parts.empty()) return std::vector<NightResult>();
  const auto found = query_store(store, fmt::format(kNightColumns, sql_text(suite)));
  // Parts from before records had the column hold no nights.
  const bool lacks_column =
      !found && to_text(found.error()).find("column \"code_hash\" not found") != std::string::npos;
  if (lacks_column) return std::vector<NightResult>();
  if (!found) return found.error();
  std::vector<NightResult> results;
  for (const std::vector<Json>& row : found->rows) results.push_back(result_of_row(row));
  return results;
}

}  // namespace opbench

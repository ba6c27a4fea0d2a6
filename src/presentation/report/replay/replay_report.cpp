#include "presentation/report/replay/replay_report.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "base/errors/suggestion.h"
#include "base/text/display_width.h"
#include "measuring/results/time_interval.h"
#include "presentation/report/text/number_text.h"

namespace opbench {
namespace {

constexpr const char* kReplaySchema = "opbench.replay/1";

/// A time that may have no interval.
struct Span {
  double median_ms = 0;
  std::optional<double> low_ms, high_ms;
};

std::optional<Span> span_then(const BenchmarkRecord& record) {
  const auto centre = record.runtime_ms_median ? record.runtime_ms_median : record.runtime_ms_mean;
  if (!centre) return {};
  return Span{*centre, record.runtime_ms_low, record.runtime_ms_high};
}

std::optional<Span> span_now(const ReplayRow& row) {
  if (!row.now) return {};
  const std::optional<Interval> interval = interval_of(*row.now);
  if (!interval) return Span{row.now->median_ms, {}, {}};
  return Span{row.now->median_ms, interval->low, interval->high};
}

std::string span_text(const std::optional<Span>& span) {
  if (!span) return "-";
  std::string text = ms_text(span->median_ms);
  if (span->low_ms && span->high_ms) {
    text += fmt::format(" [{}, {}]", ms_text(*span->low_ms), ms_text(*span->high_ms));
  }
  return text;
}

std::optional<double> replay_report_ratio_of(const ReplayRow& row) {
  const auto then = span_then(row.item.record);
  if (!then || !row.now || then->median_ms <= 0) return {};
  return row.now->median_ms / then->median_ms;
}

/// `conv2d+relu 64x56x56 k3 s1 -> 64x56x56`, or a model's name.
std::string name_of_record(const BenchmarkRecord& record) {
  if (record.scope != "unit" || !record.workload_args) return printable(record.workload);
  const Json args = Json::parse(record.workload_args->text);
  const auto member = [&](const char* key) {
    const auto value = args.find(key);
    return value != args.end() && value->is_string() ? value->get<std::string>() : std::string();
  };
  const std::string text = member("operator");
  if (text.empty()) return printable(record.workload);
  const std::string shapes = member("shapes");
  return printable(shapes.empty() ? text : text + " " + shapes);
}

Json span_json(const std::optional<Span>& span) {
  if (!span) return {};
  Json json = {{"median", span->median_ms}, {"low", nullptr}, {"high", nullptr}};
  if (span->low_ms) json["low"] = *span->low_ms;
  if (span->high_ms) json["high"] = *span->high_ms;
  return json;
}

Json differences_json(const std::vector<EnvironmentDifference>& differences) {
  Json list = Json::array();
  for (const EnvironmentDifference& difference : differences) {
    list.push_back({{"field", difference.field},
                    {"then", Json::parse(difference.before, nullptr, false)},
                    {"now", Json::parse(difference.now, nullptr, false)}});
  }
  return list;
}

/// Environments that differ in the same way, with the numbers of their records.
using Differing = std::pair<std::vector<EnvironmentDifference>, std::vector<std::string>>;

std::vector<Differing> differing_environments(const ReplayResult& result) {
  std::vector<Differing> all;
  for (const ReplayRow& row : result.rows) {
    if (row.verdict.outcome == ReplayOutcome::kReproduced || row.verdict.differences.empty()) {
      continue;
    }
    const auto known = std::ranges::find(all, row.verdict.differences, &Differing::first);
    Differing& entry = known == all.end()
                           ? all.emplace_back(row.verdict.differences, std::vector<std::string>())
                           : *known;
    entry.second.push_back(std::to_string(row.number));
  }
  return all;
}

std::string differences_text(const ReplayResult& result, int width, const TextStyle& style) {
  constexpr int kNarrowest = 20;
  std::string text;
  for (const auto& [differences, numbers] : differing_environments(result)) {
    text += fmt::format("\nwhat differs from record{} {}:\n", numbers.size() > 1 ? "s" : "",
                        join(numbers));
    TextTable table{.columns = {{.header = "field"},
                                {.header = "then", .shrinks_to = kNarrowest},
                                {.header = "now", .shrinks_to = kNarrowest}}};
    for (const EnvironmentDifference& difference : differences) {
      table.rows.push_back(
          {{printable(difference.field), printable(difference.before), printable(difference.now)}});
    }
    text += aligned_text(table, width, style);
  }
  return text;
}

}  // namespace

TextTable replay_table(const ReplayResult& result) {
  constexpr int kNarrowest = 16;
  TextTable table{
      .columns = {{.header = "record", .is_right_aligned = true},
                  {.header = "what", .shrinks_to = kNarrowest},
                  {.header = "engine", .drop_order = 1},
                  {.header = "threads", .is_right_aligned = true, .drop_order = 2},
                  {.header = "then", .unit = "ms", .numbers = {"then", "then low", "then high"}},
                  {.header = "now", .unit = "ms", .numbers = {"now", "now low", "now high"}},
                  {.header = "ratio", .is_right_aligned = true},
                  {.header = "verdict"}}};
  for (const ReplayRow& row : result.rows) {
    const auto ratio = replay_report_ratio_of(row);
    TextRow cells{.cells = {std::to_string(row.number), name_of_record(row.item.record),
                            printable(row.item.record.engine), std::to_string(row.item.threads),
                            span_text(span_then(row.item.record)), span_text(span_now(row)),
                            ratio ? fmt::format("{:.3f}", *ratio) : "-",
                            std::string(name_of(row.verdict.outcome))}};
    if (row.verdict.outcome != ReplayOutcome::kReproduced) {
      cells.below.push_back(printable(row.verdict.reason));
    }
    table.rows.push_back(std::move(cells));
  }
  return table;
}

std::string replay_text(const ReplayResult& result, int width, const TextStyle& style) {
  std::string text = aligned_text(replay_table(result), width, style);
  text += differences_text(result, width, style);
  const size_t good = count_of(result, ReplayOutcome::kReproduced);
  return text + fmt::format("\n{} of {} records reproduced\n", good, result.rows.size());
}

Json replay_json(const ReplayResult& result) {
  Json records = Json::array();
  for (const ReplayRow& row : result.rows) {
    const BenchmarkRecord& record = row.item.record;
    Json json = {{"record", row.number},
                 {"record_id", record.record_id ? Json(*record.record_id) : Json()},
                 {"scope", record.scope},
                 {"workload", record.workload},
                 {"engine", record.engine},
                 {"threads", row.item.threads},
                 {"then_ms", span_json(span_then(record))},
                 {"now_ms", span_json(span_now(row))},
                 {"ratio", nullptr},
                 {"margin", row.verdict.margin},
                 {"verdict", name_of(row.verdict.outcome)},
                 {"reason", row.verdict.reason},
                 {"differences", differences_json(row.verdict.differences)}};
    if (const auto ratio = replay_report_ratio_of(row)) json["ratio"] = *ratio;
    records.push_back(std::move(json));
  }
  return {{"schema", kReplaySchema},
          {"records", std::move(records)},
          {"reproduced", count_of(result, ReplayOutcome::kReproduced)},
          {"total", result.rows.size()}};
}

std::string replay_summary(const ReplayResult& result) {
  std::vector<std::string> parts;
  for (const auto& [outcome, words] :
       {std::pair{ReplayOutcome::kFailed, "failed"},
        std::pair{ReplayOutcome::kNotReproduced, "were not reproduced"},
        std::pair{ReplayOutcome::kNotComparable, "are not comparable"}}) {
    const size_t count = count_of(result, outcome);
    if (count == 0) continue;
    parts.push_back(fmt::format("{} of {} {}", count, result.rows.size(), words));
  }
  return join(parts);
}

size_t count_of(const ReplayResult& result, ReplayOutcome outcome) {
  return static_cast<size_t>(std::ranges::count_if(
      result.rows, [&](const ReplayRow& row) { return row.verdict.outcome == outcome; }));
}

}  // namespace opbench

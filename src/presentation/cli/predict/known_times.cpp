#include "presentation/cli/predict/known_times.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>

#include "base/files/text_file.h"
#include "base/json/json.h"
#include "base/numbers/number.h"
#include "base/system/seconds.h"
#include "presentation/cli/arguments.h"
#include "records/json/json_member.h"
#include "records/record/benchmark_record.h"

namespace opbench {
namespace {

using Times = std::map<std::string, KnownTime>;

PredictedTime time_of(double median_ms, std::optional<double> low_ms,
                      std::optional<double> high_ms) {
  return {.median_s = ms_to_s(median_ms),
          .low_s = ms_to_s(low_ms.value_or(median_ms)),
          .high_s = ms_to_s(high_ms.value_or(median_ms))};
}

void add_measured(const std::string& model, const PredictedTime& time, Times& times) {
  std::optional<PredictedTime>& kept = times[model].measured;
  if (!kept || time.median_s < kept->median_s) kept = time;
}

void add_record(const BenchmarkRecord& record, Times& times) {
  if (record.scope != "model" || record.status != "ok" || !record.model) return;
  if (!is_predicted(record)) {
    const auto median =
        record.runtime_ms_median ? record.runtime_ms_median : record.runtime_ms_mean;
    if (!median || *median <= 0) return;
    add_measured(*record.model, time_of(*median, record.runtime_ms_low, record.runtime_ms_high),
                 times);
    return;
  }
  const Json prediction = Json::parse(record.prediction.value_or(JsonText{}).text);
  const auto number = [&](const char* name) -> std::optional<double> {
    const Json value = member(prediction, name);
    return value.is_number() ? std::optional(value.get<double>()) : std::nullopt;
  };
  const auto median = number("median_ms");
  if (!median || *median <= 0) return;
  times[*record.model].predicted = time_of(*median, number("low_ms"), number("high_ms"));
}

/// The columns of a header by name.
std::map<std::string, size_t> known_times_columns_of(const std::string& header) {
  std::map<std::string, size_t> columns;
  const std::vector<std::string> names = split(header, ',');
  for (size_t i = 0; i < names.size(); ++i) columns.emplace(names[i], i);
  return columns;
}

Result<void> add_line(const std::string& line, const std::map<std::string, size_t>& columns,
                      Times& times) {
  const std::vector<std::string> cells = split(line, ',');
  const auto cell = [&](const char* name) -> std::string {
    const auto column = columns.find(name);
    return column == columns.end() || column->second >= cells.size() ? "" : cells[column->second];
  };
  std::map<std::string, std::optional<double>> numbers;
  for (const char* name : {"median_ms", "low_ms", "high_ms"}) {
    if (cell(name).empty()) continue;
    numbers[name] = parse_number(cell(name));
    if (!numbers[name] || *numbers[name] <= 0) {
      return Error{ErrorCode::kInvalidInput,
                   fmt::format("{} is \"{}\", which is no time", name, cell(name))};
    }
  }
  if (cell("model").empty() || !numbers["median_ms"]) {
    return Error{ErrorCode::kInvalidInput,
                 fmt::format("\"{}\" has no model or no median_ms", line)};
  }
  add_measured(cell("model"), time_of(*numbers["median_ms"], numbers["low_ms"], numbers["high_ms"]),
               times);
  return {};
}

Result<Times> from_csv(const std::string& text, const std::string& file) {
  std::vector<std::string> lines = split(text, '\n');
  for (std::string& line : lines) {
    if (line.ends_with('\r')) line.pop_back();
  }
  const std::map<std::string, size_t> columns =
      known_times_columns_of(lines.empty() ? "" : lines.front());
  if (!columns.contains("model") || !columns.contains("median_ms")) {
    return Error{ErrorCode::kInvalidInput, "these are no times of models"}
        .with("valid", "benchmark records, or CSV with the columns model, median_ms")
        .with("in", file);
  }
  Times times;
  for (size_t i = 1; i < lines.size(); ++i) {
    if (lines[i].empty()) continue;
    const Result<void> added = add_line(lines[i], columns, times);
    if (!added) return Error(added.error()).with("in", fmt::format("{}:{}", file, i + 1));
  }
  return times;
}

}  // namespace

Result<Times> read_device_times(const std::filesystem::path& file) {
  OPBENCH_TRY(const std::string text, read_text_file(file));
  const size_t begin = text.find_first_not_of(" \t\r\n");
  if (begin == std::string::npos || text[begin] != '{') return from_csv(text, file.string());
  const auto records = parse_record_lines(text);
  if (!records) return Error(records.error()).with("in", file.string());
  Times times;
  for (const BenchmarkRecord& record : *records) add_record(record, times);
  return times;
}

}  // namespace opbench

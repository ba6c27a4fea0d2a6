#include "experiments/analysis/swept_times.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <string_view>
#include <utility>

#include "base/errors/suggestion.h"
#include "base/numbers/number.h"

namespace opbench {
namespace {

std::vector<std::string> names_of(const std::vector<SweptKey>& columns) {
  std::vector<std::string> names;
  for (const SweptKey& column : columns) names.push_back(column.name);
  return names;
}

/// `threads` in `tvm_num_threads`, not in `threadsafe`.
bool has_word(std::string_view name, std::string_view word) {
  const auto is_edge = [&](size_t at) {
    return at >= name.size() || std::string_view("_.-").find(name[at]) != std::string_view::npos;
  };
  for (size_t at = name.find(word); at != std::string_view::npos; at = name.find(word, at + 1)) {
    if ((at == 0 || is_edge(at - 1)) && is_edge(at + word.size())) return true;
  }
  return false;
}

}  // namespace

void add_row(SweptTimes& table, const std::vector<std::string>& values,
             std::optional<double> time) {
  const bool is_usable = time && std::isfinite(*time) && *time > 0;
  if (!is_usable) {
    ++table.without_time;
    return;
  }
  for (size_t i = 0; i < table.keys.size(); ++i) table.keys[i].texts.push_back(values[i]);
  table.times.push_back(*time);
}

Result<SweptTimes> finished(SweptTimes table) {
  if (table.times.empty()) {
    return Error{ErrorCode::kInvalidInput,
                 fmt::format("\"{}\" has no row with a time", table.source)}
        .with("rows", std::to_string(table.without_time));
  }
  for (SweptKey& column : table.keys) {
    for (const std::string& text : column.texts) {
      const auto number = parse_number(text);
      if (!number) {
        column.numbers.clear();
        break;
      }
      column.numbers.push_back(*number);
    }
  }
  return table;
}

size_t distinct_of(const SweptKey& column) {
  if (column.is_numeric()) {
    return std::set<double>(column.numbers.begin(), column.numbers.end()).size();
  }
  return std::set<std::string>(column.texts.begin(), column.texts.end()).size();
}

Result<size_t> column_named(const SweptTimes& table, const std::string& name) {
  const auto exact = std::ranges::find(table.keys, name, &SweptKey::name);
  if (exact != table.keys.end()) return static_cast<size_t>(exact - table.keys.begin());
  std::vector<size_t> found;
  for (size_t i = 0; i < table.keys.size(); ++i) {
    if (has_word(table.keys[i].name, name)) found.push_back(i);
  }
  if (found.size() == 1) return found.front();
  return unknown_name("column", name, names_of(table.keys)).with("in", table.source);
}

SweptTimes rows_of(const SweepResult& result) {
  SweptTimes table{.source = "measured",
                   .subject = result.workload.empty() ? result.model : result.workload,
                   .time_name = "time",
                   .unit = "ms"};
  for (const SweepKey& key : result.keys) table.keys.push_back({key.name, {}, {}});
  for (const SweepPoint& point : result.points) {
    const bool is_usable = point.time && point.failure.empty();
    add_row(table, point.values, is_usable ? std::optional(point.time->median_ms) : std::nullopt);
  }
  return table;
}

SweptTimes swept_times_of(const SweepResult& result) {
  const SweptTimes table = rows_of(result);
  auto whole = finished(table);
  return whole ? *std::move(whole) : table;
}

}  // namespace opbench

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <utility>

#include "base/errors/suggestion.h"
#include "base/numbers/number.h"
#include "base/text/ascii.h"
#include "experiments/analysis/sweep_readers.h"

namespace opbench {
namespace {

/// The cells of a line: at commas, semicolons or tabs where the line of names has one, as in RFC
/// 4180; else at blanks.
class Cells {
 public:
  explicit Cells(std::string_view names) {
    for (const char candidate : {',', ';', '\t'}) {
      if (separator_ == ' ' && names.find(candidate) != std::string_view::npos) {
        separator_ = candidate;
      }
    }
  }

  std::vector<std::string> of(std::string_view line) const {
    std::vector<std::string> cells;
    std::string cell;
    bool is_quoted = false, has_cell = false;
    const auto close = [&] {
      if (separator_ != ' ' || has_cell) cells.push_back(std::exchange(cell, ""));
      has_cell = false;
    };
    for (const char c : line) {
      const bool is_blank = c == ' ' || (separator_ == ' ' && c == '\t');
      const bool is_end = separator_ == ' ' ? is_blank : c == separator_;
      if (c == '"') {
        // Two quotes inside a quoted cell are one quote of it.
        if (!is_quoted && has_cell && !cell.empty()) cell += c;
        is_quoted = !is_quoted;
        has_cell = true;
      } else if (is_end && !is_quoted) {
        close();
      } else if (c != '\r') {
        cell += c;
        has_cell = true;
      }
    }
    if (separator_ != ' ' || has_cell) close();
    return cells;
  }

 private:
  char separator_ = ' ';
};

std::string unit_of(std::string_view name) {
  for (const std::string_view unit : {"ms", "us", "ns", "s"}) {
    for (const char separator : {'_', '-', ' '}) {
      const std::string word = separator + std::string(unit);
      if (name.ends_with(word) || name.find(word + "_") != std::string_view::npos) {
        return std::string(unit);
      }
    }
  }
  return "";
}

/// The column of times by the names that programs give it.
std::optional<size_t> time_column_of(const std::vector<std::string>& names) {
  constexpr std::array kNames = {"median_ms", "time_ms", "runtime_ms_median", "total_time", "time"};
  for (const char* name : kNames) {
    const auto found = std::ranges::find(names, name);
    if (found != names.end()) return static_cast<size_t>(found - names.begin());
  }
  for (const char* part : {"time", "latency", "cost"}) {
    for (size_t i = names.size(); i-- > 0;) {
      if (names[i].find(part) != std::string::npos) return i;
    }
  }
  for (size_t i = names.size(); i-- > 0;) {
    if (!unit_of(names[i]).empty()) return i;
  }
  return {};
}

/// Columns that are no settings: in the CSV of `opbench sweep` all from the engine's version on.
std::vector<size_t> key_columns(const std::vector<std::string>& names, size_t time) {
  const bool is_ours = std::ranges::find(names, "time_of") != names.end() &&
                       std::ranges::find(names, "median_ms") != names.end();
  std::vector<size_t> keys;
  for (size_t i = 0; i < names.size(); ++i) {
    if (is_ours && names[i] == "engine") break;
    if (i != time) keys.push_back(i);
  }
  return keys;
}

Result<size_t> chosen_time(const std::vector<std::string>& names, const std::string& wanted,
                           const std::string& path) {
  if (!wanted.empty()) {
    const auto found = std::ranges::find(names, wanted);
    if (found != names.end()) return static_cast<size_t>(found - names.begin());
    return unknown_name("column of times", wanted, names).with("in", path);
  }
  if (const auto found = time_column_of(names)) return *found;
  return Error{ErrorCode::kInvalidInput, "\"" + path + "\" has no column of times"}
      .with("columns", join(names))
      .with("valid",
            "a first line of names, one of them time, total_time, median_ms, …; or --time "
            "COLUMN");
}

}  // namespace

Result<SweptTimes> read_text_sweep(std::string_view text, const std::string& path,
                                   const std::string& time_column) {
  SweptTimes table{.source = path};
  std::optional<Cells> cells;
  std::vector<size_t> keys;
  size_t time = 0, width = 0, number = 0;
  while (!text.empty()) {
    const std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(line.size() + 1, text.size()));
    ++number;
    if (line.starts_with('#') || line.find_first_not_of(" \t\r") == std::string_view::npos)
      continue;
    if (!cells) cells.emplace(line);
    std::vector<std::string> values = cells->of(line);
    for (std::string& value : values) value = std::string(trimmed(value));
    if (width == 0) {
      width = values.size();
      OPBENCH_TRY(time, chosen_time(values, time_column, path));
      keys = key_columns(values, time);
      table.time_name = values[time];
      table.unit = unit_of(values[time]);
      for (const size_t key : keys) {
        const bool is_prefixed = values[key].starts_with("over_");
        table.keys.push_back({is_prefixed ? values[key].substr(5) : values[key], {}, {}});
      }
      continue;
    }
    if (values.size() != width) {
      return Error{ErrorCode::kInvalidInput,
                   fmt::format("a line has {} cells, the first line {}", values.size(), width)}
          .with("in", fmt::format("{}:{}", path, number));
    }
    std::vector<std::string> own;
    for (const size_t key : keys) own.push_back(values[key]);
    add_row(table, own, parse_number(values[time]));
  }
  return finished(std::move(table));
}

}  // namespace opbench

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <set>

#include "base/errors/suggestion.h"
#include "base/numbers/date.h"
#include "base/numbers/number.h"
#include "base/text/ascii.h"
#include "watching/series/csv_text.h"
#include "watching/series/history_reader.h"

namespace opbench {
namespace {

const std::vector<std::string>& history_columns() {
  static const std::vector<std::string> names = {"series", "time",        "commit", "value",
                                                 "hash",   "environment", "method", "control",
                                                 "chain",  "engine",      "unit"};
  return names;
}

/// Times of one unit make another by a factor; other units stay as they are.
const std::map<std::string, double>& ms_of_time_units() {
  static const std::map<std::string, double> units = {
      {"s", 1e3}, {"ms", 1}, {"us", 1e-3}, {"µs", 1e-3}, {"ns", 1e-6}};
  return units;
}

/// Where a line belongs: nights are in order of `order`, then of their first lines.
struct CsvNight {
  double order = 0;
  std::string date;
  std::string commit;
};

struct CsvPoint {
  int64_t line = 0;
  size_t night = 0;
  size_t series = 0;
  double value = 0;
  std::string hash, environment, method;
};

class CsvHistory {
 public:
  explicit CsvHistory(std::vector<CsvLine> lines) : lines_(std::move(lines)) {}

  Result<History> read() {
    OPBENCH_CHECK(read_header());
    for (size_t i = 1; i < lines_.size(); ++i) {
      const Result<void> read = read_line(lines_[i]);
      if (!read) return Error(read.error()).with("line", std::to_string(lines_[i].number));
    }
    return build();
  }

 private:
  Result<void> read_header() {
    for (size_t i = 0; i < lines_[0].cells.size(); ++i) {
      const std::string name = lower_case(lines_[0].cells[i]);
      if (!columns_.emplace(name, i).second) {
        return invalid_input(fmt::format("the column \"{}\" stands twice", name));
      }
    }
    for (const char* needed : {"series", "value"}) {
      if (!columns_.contains(needed)) return missing_column(needed);
    }
    if (!columns_.contains("time") && !columns_.contains("commit")) {
      return missing_column("time");
    }
    return {};
  }

  Error missing_column(const std::string& name) const {
    Error error = invalid_input(fmt::format("the history has no column \"{}\"", name))
                      .with("found", join(lines_[0].cells))
                      .with("needed", "series, value, and time or commit")
                      .with("known", join(history_columns()));
    std::vector<std::string> found;
    for (const auto& [column, place] : columns_) found.push_back(column);
    const std::string near = nearest_name(name, found);
    if (near.empty()) return error;
    return std::move(error).with("did you mean", fmt::format("\"{}\" as \"{}\"?", near, name));
  }

  std::string cell(const CsvLine& line, const char* name) const {
    const auto column = columns_.find(name);
    return column == columns_.end() ? "" : line.cells[column->second];
  }

  Result<void> read_line(const CsvLine& line) {
    const std::string name = cell(line, "series");
    if (name.empty()) return invalid_input("a line has no series");
    const std::string text = cell(line, "value");
    if (text.empty()) {
      ++empty_values_;
      return {};
    }
    const std::optional<double> value = parse_number(text);
    if (!value || *value <= 0) {
      return invalid_input(
          fmt::format("a value of \"{}\" is \"{}\", which is no number above 0", name, text));
    }
    OPBENCH_TRY(const size_t night, night_of(line));
    OPBENCH_TRY(const size_t series, series_of(line, name));
    OPBENCH_TRY(const double factor, factor_of(line, name));
    points_.push_back({.line = line.number,
                       .night = night,
                       .series = series,
                       .value = *value * factor,
                       .hash = cell(line, "hash"),
                       .environment = cell(line, "environment"),
                       .method = cell(line, "method")});
    return {};
  }

  Result<size_t> night_of(const CsvLine& line) {
    const std::string time = cell(line, "time");
    const std::string commit = cell(line, "commit");
    if (time.empty() && commit.empty()) return invalid_input("a line has neither time nor commit");
    const std::optional<int> day = day_of_date(time);
    const std::optional<double> number = parse_number(time);
    if (!time.empty() && !day && !number) {
      return invalid_input(fmt::format("\"{}\" is no time", time))
          .with("valid", "2026-01-31, 2026-01-31T03:00:00Z or a number");
    }
    const std::string key = !commit.empty() ? commit : day ? time.substr(0, 10) : time;
    const auto [place, is_new] = night_places_.emplace(key, nights_.size());
    const double order = day ? *day : number.value_or(static_cast<double>(nights_.size()));
    if (is_new) nights_.push_back({order, day ? time.substr(0, 10) : time, commit});
    return place->second;
  }

  Result<size_t> series_of(const CsvLine& line, const std::string& name) {
    OPBENCH_TRY(const bool is_control, truth_of(cell(line, "control")));
    const auto [place, is_new] = series_places_.emplace(name, history_.series.size());
    if (!is_new) return place->second;
    Series series{.id = name, .engine = cell(line, "engine"), .is_control = is_control};
    const size_t first = name.find('/');
    const size_t last = name.rfind('/');
    if (first != last) {  // engine/model/unit
      if (series.engine.empty()) series.engine = name.substr(0, first);
      series.model = name.substr(first + 1, last - first - 1);
      series.unit = name.substr(last + 1);
    }
    series.chain = cell(line, "chain");
    history_.series.push_back(std::move(series));
    return place->second;
  }

  static Result<bool> truth_of(const std::string& text) {
    const std::string word = lower_case(text);
    if (word.empty() || word == "false" || word == "0" || word == "no") return false;
    if (word == "true" || word == "1" || word == "yes") return true;
    return invalid_input(fmt::format("control is \"{}\"", text)).with("valid", "true, false");
  }

  /// To milliseconds where the unit is one of time. One history has one unit.
  Result<double> factor_of(const CsvLine& line, const std::string& name) {
    const std::string unit = cell(line, "unit");
    if (unit.empty()) return 1;
    const auto known = ms_of_time_units().find(lower_case(unit));
    const std::string of_history = known == ms_of_time_units().end() ? unit : "ms";
    if (unit_.empty()) unit_ = of_history;
    if (unit_ != of_history) {
      return invalid_input(fmt::format("\"{}\" is in \"{}\", lines before it are in \"{}\"", name,
                                       unit, unit_))
          .with("valid", "one unit, or several of s, ms, us, ns");
    }
    return known == ms_of_time_units().end() ? 1 : known->second;
  }

  Result<History> build() {
    std::vector<size_t> order(nights_.size());
    for (size_t i = 0; i < order.size(); ++i) order[i] = i;
    std::ranges::stable_sort(order, {}, [&](size_t night) { return nights_[night].order; });
    std::vector<size_t> places(order.size());
    for (size_t i = 0; i < order.size(); ++i) {
      places[order[i]] = i;
      const CsvNight& night = nights_[order[i]];
      history_.nights.push_back({.index = static_cast<int>(i), .date = night.date});
      if (!night.commit.empty()) history_.nights.back().commits.push_back({night.commit, true});
      if (night.date.empty()) history_.nights.back().date = night.commit.substr(0, 12);
    }
    for (const CsvPoint& point : points_) {
      const Result<void> added = add_point(point, history_.nights[places[point.night]]);
      if (!added) return Error(added.error()).with("line", std::to_string(point.line));
    }
    OPBENCH_CHECK(check_scale());
    history_.unit = unit_;
    add_notes();
    return std::move(history_);
  }

  Result<void> add_point(const CsvPoint& point, Night& night) {
    for (auto [given, known, what] :
         {std::tuple(&point.environment, &night.environment, "environments"),
          std::tuple(&point.method, &night.method, "methods")}) {
      if (!known->empty() && *given != *known && !night.rows.empty()) {
        return invalid_input(
            fmt::format("{} has two {}, \"{}\" and \"{}\"", night.date, what, *known, *given));
      }
      *known = *given;
    }
    const auto series = static_cast<int>(point.series);
    const auto row = std::ranges::find(night.rows, series, &NightRow::series);
    if (row == night.rows.end()) {
      night.rows.push_back({.series = series, .hash = point.hash, .values = {point.value}});
      return {};
    }
    if (row->hash != point.hash) {
      return invalid_input(
          fmt::format("\"{}\" stands twice at {}, with the hashes \"{}\" and \"{}\"",
                      history_.series[point.series].id, night.date, row->hash, point.hash));
    }
    row->values.push_back(point.value);
    ++joined_;
    return {};
  }

  /// A factor of a thousand between two points is a unit, not a speed.
  Result<void> check_scale() const {
    std::vector<double> last(history_.series.size(), 0);
    for (const Night& night : history_.nights) {
      for (const NightRow& row : night.rows) {
        double& before = last[static_cast<size_t>(row.series)];
        const double ratio = before > 0 ? std::abs(std::log10(row.values[0] / before)) : 0;
        for (const double power : {3.0, 6.0}) {
          if (std::abs(ratio - power) > 0.1) continue;
          return invalid_input(
                     fmt::format("\"{}\" goes from {} to {} at {}: these look like two units",
                                 history_.series[static_cast<size_t>(row.series)].id, before,
                                 row.values[0], night.date))
              .with("needed", "a column \"unit\" with s, ms, us or ns");
        }
        before = row.values[0];
      }
    }
    return {};
  }

  void add_notes() {
    if (joined_ > 0) {
      history_.notes.push_back(fmt::format(
          "{} values share series and night with another: they count as samples of one point",
          joined_));
    }
    if (empty_values_ > 0) {
      history_.notes.push_back(fmt::format("{} lines have no value: left out", empty_values_));
    }
    std::vector<int> points(history_.series.size(), 0);
    for (const Night& night : history_.nights) {
      for (const NightRow& row : night.rows) ++points[static_cast<size_t>(row.series)];
    }
    const auto single = std::ranges::count(points, 1);
    if (single > 0) {
      history_.notes.push_back(fmt::format(
          "{} of {} series have one point: nothing can be said of them", single, points.size()));
    }
  }

  std::vector<CsvLine> lines_;
  std::map<std::string, size_t> columns_;
  std::map<std::string, size_t> night_places_, series_places_;
  std::vector<CsvNight> nights_;
  std::vector<CsvPoint> points_;
  std::string unit_;
  History history_;
  int64_t empty_values_ = 0, joined_ = 0;
};

}  // namespace

Result<History> history_of_csv(std::string_view text, const std::string& name) {
  Result<std::vector<CsvLine>> lines = csv_lines(text);
  if (!lines) return Error(lines.error()).with("in", name);
  if (lines->empty()) {
    return Error{ErrorCode::kNoMatch, fmt::format("\"{}\" holds no history: it is empty", name)};
  }
  Result<History> history = CsvHistory(std::move(*lines)).read();
  if (!history) return Error(history.error()).with("in", name);
  if (history->nights.empty()) {
    return Error{ErrorCode::kNoMatch, fmt::format("\"{}\" holds no point", name)};
  }
  return history;
}

}  // namespace opbench

#include "experiments/analysis/turning_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <utility>

#include "base/errors/suggestion.h"
#include "base/numbers/number.h"
#include "experiments/analysis/axis_effects.h"

namespace opbench {
namespace {

std::vector<size_t> varied_keys(const SweptTimes& table, bool is_numeric) {
  std::vector<size_t> keys;
  for (size_t i = 0; i < table.keys.size(); ++i) {
    const SweptKey& key = table.keys[i];
    if (key.is_numeric() == is_numeric && distinct_of(key) > 1) keys.push_back(i);
  }
  return keys;
}

/// `threads=8, batch=1`: columns that have one value.
std::string constants_text(const SweptTimes& table) {
  std::vector<std::string> parts;
  for (const SweptKey& key : table.keys) {
    if (distinct_of(key) == 1) parts.push_back(key.name + "=" + key.texts.front());
  }
  return join(parts);
}

SweptTimes rows_with(const SweptTimes& table, const std::vector<bool>& is_kept) {
  SweptTimes part = table;
  part.times.clear();
  for (SweptKey& key : part.keys) key = {key.name, {}, {}};
  for (size_t row = 0; row < table.times.size(); ++row) {
    if (!is_kept[row]) continue;
    part.times.push_back(table.times[row]);
    for (size_t i = 0; i < part.keys.size(); ++i) {
      part.keys[i].texts.push_back(table.keys[i].texts[row]);
      if (table.keys[i].is_numeric()) part.keys[i].numbers.push_back(table.keys[i].numbers[row]);
    }
  }
  return part;
}

/// Only the values asked for; a note for those that the table does not have.
Result<SweptTimes> with_values(const SweptTimes& table, size_t axis,
                               const std::vector<std::string>& values,
                               std::vector<std::string>& notes) {
  if (values.empty()) return table;
  std::set<double> wanted;
  for (const std::string& value : values) {
    if (const auto number = parse_number(value)) wanted.insert(*number);
  }
  const std::vector<double>& numbers = table.keys[axis].numbers;
  std::vector<bool> is_kept;
  std::set<double> found;
  for (const double number : numbers) {
    is_kept.push_back(wanted.contains(number));
    if (is_kept.back()) found.insert(number);
  }
  if (found.empty()) {
    const auto [least, greatest] = std::ranges::minmax(numbers);
    return invalid_input(
               fmt::format("no value of {} is among those asked for", table.keys[axis].name))
        .with("values", fmt::format("{:g} to {:g}", least, greatest))
        .with("in", table.source);
  }
  if (found.size() < wanted.size()) {
    notes.push_back(fmt::format("{} of {} values of {} are not in {}", wanted.size() - found.size(),
                                wanted.size(), table.keys[axis].name, table.source));
  }
  return rows_with(table, is_kept);
}

Result<void> check_axis(const SweptTimes& table, size_t axis) {
  const SweptKey& key = table.keys[axis];
  if (!key.is_numeric()) {
    return invalid_input(fmt::format("\"{}\" has words for values, such as \"{}\"", key.name,
                                     key.texts.front()))
        .with("needed", "an axis of numbers, as a turning point lies between two of them");
  }
  if (distinct_of(key) < 2) {
    return invalid_input(fmt::format("\"{}\" is not varied: it is {} in all {} rows", key.name,
                                     key.texts.front(), key.texts.size()))
        .with("in", table.source);
  }
  return {};
}

bool is_working_set(const std::string& axis) { return axis == "bytes" || axis == "working_set"; }

Curve per_item(Curve curve) {
  for (CurvePoint& point : curve) point.y /= point.x;
  return curve;
}

/// The names and rows of series: a choice of the other keys that vary.
std::map<std::string, std::vector<size_t>> series_rows(const SweptTimes& table, size_t axis) {
  std::map<std::string, std::vector<size_t>> series;
  for (size_t row = 0; row < table.times.size(); ++row) {
    std::vector<std::string> parts;
    for (size_t i = 0; i < table.keys.size(); ++i) {
      if (i == axis || distinct_of(table.keys[i]) < 2) continue;
      parts.push_back(table.keys[i].name + "=" + table.keys[i].texts[row]);
    }
    series[join(parts, " ")].push_back(row);
  }
  return series;
}

void look_with_probes(TurningSeries& series, const Curve& whole, const TurningRequest& request) {
  std::vector<double> values, times;
  for (const CurvePoint& point : whole) {
    values.push_back(point.x);
    times.push_back(point.y);
  }
  const auto search =
      search_with_probes(values, request.probes, request.options.tolerance,
                         [&](size_t index) -> Result<double> { return times.at(index); });
  if (!search) return;  // reading a known time has no error
  const double least = times[fastest_of(times)];
  series.curve = search->probes;
  series.probe_order = search->order;
  series.regret = search->fastest.y / least - 1;
  series.regret_enough = search->enough.y / least - 1;
}

/// Series of one axis.
Result<void> add_series(const SweptTimes& table, size_t axis, const TurningRequest& request,
                        TurningReport& report) {
  const SweptKey& key = table.keys[axis];
  for (const auto& [name, rows] : series_rows(table, axis)) {
    std::vector<CurvePoint> points;
    for (const size_t row : rows) points.push_back({key.numbers[row], table.times[row]});
    Curve curve = make_curve(std::move(points));
    if (report.is_per_item) curve = per_item(std::move(curve));
    report.series.push_back(turning_series(name, key.name, curve, request));
  }
  const bool none = std::ranges::none_of(
      report.series, [](const TurningSeries& series) { return series.point.has_value(); });
  if (!none) return {};
  const TurningSeries& first = report.series.front();
  return Error(turning_point_of(first.curve, request.options).error()).with("in", table.source);
}

/// The effects of several axes, and a series for each that has one.
Result<void> add_axes(const SweptTimes& table, const std::vector<size_t>& axes,
                      const TurningRequest& request, TurningReport& report) {
  OPBENCH_TRY(AxisModel model, axis_model(table, axes));
  report.unexplained = model.unexplained;
  report.is_surrogate = model.is_surrogate;
  std::vector<size_t> order(axes.size());
  for (size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::ranges::stable_sort(order, std::ranges::greater(),
                           [&](size_t i) { return model.effects[i].share; });
  for (const size_t i : order) {
    report.effects.push_back(model.effects[i]);
    if (!model.effects[i].has_effect) continue;
    report.series.push_back(turning_series("", model.effects[i].axis, model.curves[i], request));
  }
  return {};
}

}  // namespace

bool counts_items(const std::string& axis) {
  constexpr std::array kAxes = {"batch", "bytes", "items", "size", "working_set", "batch_size"};
  return std::ranges::find(kAxes, axis) != kAxes.end();
}

TurningSeries turning_series(const std::string& name, const std::string& axis, const Curve& curve,
                             const TurningRequest& request) {
  TurningSeries series{.name = name, .axis = axis, .curve = curve};
  if (request.probes > 0 && curve.size() >= 3) look_with_probes(series, curve, request);
  auto point = turning_point_of(series.curve, request.options);
  if (point) {
    series.point = *std::move(point);
  } else {
    series.failure = point.error().message;
  }
  if (is_working_set(axis)) series.rises = rises_of(curve, request.options.least_gain);
  return series;
}

Result<TurningReport> turning_report(const SweptTimes& table, const TurningRequest& request) {
  TurningReport report{.subject = table.subject,
                       .source = table.source,
                       .time_name = table.time_name,
                       .unit = table.unit,
                       .without_time = table.without_time};
  report.rows = table.times.size();
  if (table.times.empty()) {
    return invalid_input("no point has a time").with("in", table.source);
  }
  const std::vector<size_t> numeric = varied_keys(table, true);
  if (request.axis.empty() && numeric.empty()) {
    const std::string constants = constants_text(table);
    Error error = invalid_input("no column of numbers varies").with("in", table.source);
    return constants.empty() ? error : std::move(error).with("not varied", constants);
  }
  const bool is_grid = request.axis.empty() && numeric.size() > 1;
  size_t axis = numeric.empty() ? 0 : numeric.front();
  if (!request.axis.empty()) {
    OPBENCH_TRY(axis, column_named(table, request.axis));
  }
  OPBENCH_CHECK(check_axis(table, axis));
  const bool may_divide =
      table.keys[axis].numbers.front() > 0 && std::ranges::min(table.keys[axis].numbers) > 0;
  report.is_per_item =
      may_divide && !is_grid &&
      (request.measure == TurningMeasure::kPerItem ||
       (request.measure == TurningMeasure::kByAxis && counts_items(table.keys[axis].name)));
  if (is_grid) {
    OPBENCH_CHECK(add_axes(table, numeric, request, report));
    return report;
  }
  OPBENCH_TRY(const SweptTimes chosen, with_values(table, axis, request.values, report.notes));
  OPBENCH_CHECK(add_series(chosen, axis, request, report));
  return report;
}

}  // namespace opbench

#include "presentation/report/sweep/sweep_chart.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>

#include "base/errors/suggestion.h"
#include "base/text/display_width.h"
#include "presentation/report/chart/chart_svg.h"

namespace opbench {
namespace {

size_t x_key_of(const std::vector<SweepKey>& keys) {
  for (size_t i = keys.size(); i-- > 0;) {
    if (keys[i].is_numeric) return i;
  }
  return keys.size() - 1;
}

/// `halide, threads=2` without the key of the x axis.
std::string series_name(const std::vector<SweepKey>& keys, const SweepPoint& point, size_t x_key) {
  std::vector<std::string> parts;
  for (size_t i = 0; i < keys.size(); ++i) {
    if (i == x_key) continue;
    const std::string value = printable(point.values[i]);
    parts.push_back(keys[i].is_numeric ? printable(keys[i].name) + "=" + value : value);
  }
  return join(parts);
}

}  // namespace

Chart sweep_chart(const SweepResult& result) {
  Chart chart;
  chart.title = printable(result.workload.empty() ? result.model : result.workload);
  chart.y_label = "time of a call, ms";
  if (result.keys.empty()) return chart;
  const size_t x_key = x_key_of(result.keys);
  const SweepKey& key = result.keys[x_key];
  chart.x_label = printable(key.name);
  if (!key.is_numeric) {
    for (const std::string& value : key.values) chart.categories.push_back(printable(value));
  }
  for (const SweepPoint& point : result.points) {
    if (!point.time) continue;
    const std::string& value = point.values[x_key];
    const auto place = std::ranges::find(key.values, value) - key.values.begin();
    const double x = key.is_numeric ? std::stod(value) : static_cast<double>(place);
    const std::string name = series_name(result.keys, point, x_key);
    auto series = std::ranges::find(chart.series, name, &ChartSeries::name);
    if (series == chart.series.end()) series = chart.series.insert(series, {name, {}});
    const Measurement& time = *point.time;
    series->points.push_back({x, time.median_ms, time.low_ms, time.high_ms});
  }
  for (ChartSeries& series : chart.series) {
    std::ranges::stable_sort(series.points, {}, &ChartPoint::x);
  }
  return chart;
}

std::string sweep_svg(const SweepResult& result) { return chart_svg(sweep_chart(result)); }

}  // namespace opbench

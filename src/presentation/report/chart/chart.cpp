#include "presentation/report/chart/chart.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace opbench {
namespace {

constexpr double kLogFrom = 10;

/// 1, 2, 5 times powers of ten in [low, high]; thinned to 1, 3 where these are too many, then to
/// one a decade, then to one every second decade and so on.
std::vector<double> log_ticks(double low, double high, size_t most) {
  const int first = static_cast<int>(std::floor(std::log10(low)));
  const int last = static_cast<int>(std::ceil(std::log10(high)));
  std::vector<double> ticks;
  constexpr double kSlack = 1 + 1e-9;
  const auto add = [&](double value) {
    if (value * kSlack >= low && value <= high * kSlack) ticks.push_back(value);
  };
  for (const std::vector<double>& steps : {std::vector{1.0, 2.0, 5.0}, std::vector{1.0, 3.0}}) {
    if (!ticks.empty() && ticks.size() <= most) break;
    ticks.clear();
    for (int power = first; power <= last; ++power) {
      for (const double step : steps) add(step * std::pow(10, power));
    }
  }
  for (int stride = 1; ticks.size() > most; ++stride) {
    ticks.clear();
    for (int power = first; power <= last; power += stride) add(std::pow(10, power));
  }
  return ticks;
}

/// The smallest step of 1, 2, 5 times a power of ten that needs no more than `most` ticks.
double linear_step(double range, size_t most) {
  const double least = range / static_cast<double>(std::max<size_t>(most, 2) - 1);
  const double power = std::pow(10, std::floor(std::log10(least)));
  for (const double step : {1.0, 2.0, 5.0}) {
    if (step * power >= least * (1 - 1e-9)) return step * power;
  }
  return 10 * power;
}

}  // namespace

ChartAxis value_axis(double lowest, double highest, size_t most_ticks) {
  ChartAxis axis;
  if (!(highest > 0)) return axis;
  axis.is_log = lowest > 0 && highest / lowest > kLogFrom;
  if (axis.is_log) {
    constexpr double kMargin = 1.15;
    axis.low = lowest / kMargin;
    axis.high = highest * kMargin;
    axis.ticks = log_ticks(axis.low, axis.high, most_ticks);
    return axis;
  }
  const double step = linear_step(highest, most_ticks);
  axis.low = 0;
  axis.high = step * std::ceil(highest / step - 1e-9);
  const auto count = static_cast<int>(std::lround(axis.high / step));
  for (int i = 0; i <= count; ++i) axis.ticks.push_back(step * i);
  return axis;
}

ChartAxis sample_axis(std::vector<double> values, size_t most_ticks) {
  ChartAxis axis;
  std::ranges::sort(values);
  values.erase(std::unique(values.begin(), values.end()), values.end());
  if (values.empty()) return axis;
  const double first = values.front();
  const double last = values.back();
  constexpr double kMargin = 0.04;
  axis.is_log = first > 0 && last / first > kLogFrom;
  if (axis.is_log) {
    const double margin = std::pow(last / first, kMargin);
    axis.low = first / margin;
    axis.high = last * margin;
  } else {
    const double margin = last > first ? (last - first) * kMargin : 0.5;
    axis.low = first - margin;
    axis.high = last + margin;
  }
  const size_t stride = (values.size() + most_ticks - 1) / std::max<size_t>(most_ticks, 1);
  for (size_t i = 0; i < values.size(); i += std::max<size_t>(stride, 1)) {
    axis.ticks.push_back(values[i]);
  }
  return axis;
}

double place_on(const ChartAxis& axis, double value) {
  const double share =
      axis.is_log ? std::log(std::max(value, axis.low) / axis.low) / std::log(axis.high / axis.low)
                  : (value - axis.low) / (axis.high - axis.low);
  return std::clamp(share, 0.0, 1.0);
}

ChartAxis y_axis_of(const Chart& chart, size_t most_ticks) {
  double lowest = std::numeric_limits<double>::infinity();
  double highest = 0;
  for (const ChartSeries& series : chart.series) {
    for (const ChartPoint& point : series.points) {
      // An interval that reaches 0 must not stretch a logarithmic axis.
      const double low = point.low > point.y / 2 ? point.low : point.y;
      lowest = std::min(lowest, low);
      highest = std::max({highest, point.y, std::min(point.high, 2 * point.y)});
    }
  }
  return value_axis(lowest, highest, most_ticks);
}

ChartAxis x_axis_of(const Chart& chart, size_t most_ticks) {
  std::vector<double> values;
  for (size_t i = 0; i < chart.categories.size(); ++i) values.push_back(static_cast<double>(i));
  if (!chart.categories.empty()) {
    ChartAxis axis{-0.5, static_cast<double>(values.size()) - 0.5, false, values};
    return axis;
  }
  for (const ChartSeries& series : chart.series) {
    for (const ChartPoint& point : series.points) values.push_back(point.x);
  }
  return sample_axis(std::move(values), most_ticks);
}

std::string tick_text(double value) {
  constexpr double kTiny = 1e-12;
  if (std::fabs(value) < kTiny) return "0";
  return fmt::format("{:.6g}", value);
}

}  // namespace opbench

#pragma once

#include <string>
#include <vector>

namespace opbench {

struct ChartPoint {
  double x = 0;  ///< a number, or the index of a category
  double y = 0, low = 0, high = 0;
};

struct ChartSeries {
  std::string name;
  std::vector<ChartPoint> points;  ///< by x
};

/// Lines, or points above categories, to be drawn.
struct Chart {
  std::string title;
  std::string x_label, y_label;
  std::vector<std::string> categories;  ///< of x; empty: x is a number
  std::vector<ChartSeries> series;
};

/// One axis from its low end to its high one.
struct ChartAxis {
  double low = 0, high = 1;
  bool is_log = false;
  std::vector<double> ticks;
};

/// An axis for values above 0: logarithmic where they range over more than a factor of 10, else
/// from 0 on; with round ticks, at most `most_ticks`.
ChartAxis value_axis(double lowest, double highest, size_t most_ticks);

/// An axis whose ticks are some of the values themselves, with a margin at both ends.
ChartAxis sample_axis(std::vector<double> values, size_t most_ticks);

/// Where a value lies between the ends: 0 … 1.
double place_on(const ChartAxis& axis, double value);

/// The y axis of a chart: all points with their intervals.
ChartAxis y_axis_of(const Chart& chart, size_t most_ticks);
/// The x axis of a chart; categories are numbered.
ChartAxis x_axis_of(const Chart& chart, size_t most_ticks);

/// `0.05`, `2`, `1500`: a tick as short as it goes.
std::string tick_text(double value);

}  // namespace opbench

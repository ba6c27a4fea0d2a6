#pragma once

#include <string>
#include <string_view>

#include "presentation/report/chart/chart.h"

namespace opbench {

/// Charts whose x coordinates are percents of their width and whose y coordinates are pixels: they
/// fit any width, and their text keeps its size.

/// A logarithmic axis that holds all values from `low` to `high`, both above 0, with at most
/// `most_ticks` ticks: at 1, 2 and 5 times powers of 10 or at powers of 10 alone; below a factor of
/// 5 at equal steps.
ChartAxis log_axis(double low, double high, size_t most_ticks);

/// Where a value lies on a chart of the given height in pixels: 0 is the top.
double y_pixels(const ChartAxis& axis, double value, double height);

/// Where a value lies, in percent of the width.
double x_percent(const ChartAxis& axis, double value);

std::string svg_line(std::string_view style, double x1, double y1, double x2, double y2);
std::string svg_text(std::string_view style, double x, double y, std::string_view text,
                     double shift_x = 0);

/// Lines at the ticks of both axes with their labels; a name for each axis. `height` in pixels.
std::string axes_svg(const ChartAxis& x, const ChartAxis& y, std::string_view x_name,
                     std::string_view y_name, double height);

/// The chart around what was drawn, with a text for those who do not see it.
std::string chart_html(std::string_view description, double height, std::string_view content);

}  // namespace opbench

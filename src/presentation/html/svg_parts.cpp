#include "presentation/html/svg_parts.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "presentation/report/text/markup_text.h"

namespace opbench {

ChartAxis log_axis(double low, double high, size_t most_ticks) {
  ChartAxis axis{.low = low, .high = std::max(high, low * 1.0001), .is_log = true, .ticks = {}};
  const auto ticks_with = [&](std::initializer_list<double> steps) {
    std::vector<double> ticks;
    const int first = static_cast<int>(std::floor(std::log10(axis.low)));
    const int last = static_cast<int>(std::ceil(std::log10(axis.high)));
    for (int decade = first; decade <= last; ++decade) {
      for (const double step : steps) {
        const double tick = step * std::pow(10.0, decade);
        if (tick >= axis.low && tick <= axis.high) ticks.push_back(tick);
      }
    }
    return ticks;
  };
  axis.ticks = ticks_with({1, 2, 5});
  constexpr double kNarrow = 5;
  if (axis.high / axis.low < kNarrow) {
    // Ticks at equal steps, as many as fit.
    for (const double step : {0.02, 0.05, 0.1, 0.2, 0.5}) {
      std::vector<double> even;
      const double unit = step * std::pow(10.0, std::floor(std::log10(axis.high)));
      for (double n = std::ceil(axis.low / unit); n * unit <= axis.high; ++n) {
        even.push_back(n * unit);
      }
      axis.ticks = std::move(even);
      if (axis.ticks.size() <= most_ticks) break;
    }
  }
  if (axis.ticks.size() > most_ticks) axis.ticks = ticks_with({1});
  for (size_t step = 2; axis.ticks.size() > most_ticks; ++step) {
    std::vector<double> fewer;
    for (size_t i = 0; i < axis.ticks.size(); i += step) fewer.push_back(axis.ticks[i]);
    axis.ticks = std::move(fewer);
  }
  return axis;
}

double y_pixels(const ChartAxis& axis, double value, double height) {
  return (1 - place_on(axis, value)) * height;
}

double x_percent(const ChartAxis& axis, double value) { return place_on(axis, value) * 100; }

std::string svg_line(std::string_view style, double x1, double y1, double x2, double y2) {
  return fmt::format(
      "<line class=\"{}\" x1=\"{:.2f}%\" y1=\"{:.1f}\" x2=\"{:.2f}%\" y2=\"{:.1f}\"/>\n", style, x1,
      y1, x2, y2);
}

std::string svg_text(std::string_view style, double x, double y, std::string_view text,
                     double shift_x) {
  const std::string shift = shift_x == 0 ? "" : fmt::format(" dx=\"{:.0f}\"", shift_x);
  return fmt::format("<text class=\"{}\" x=\"{:.2f}%\" y=\"{:.1f}\"{}>{}</text>\n", style, x, y,
                     shift, escaped(text));
}

std::string axes_svg(const ChartAxis& x, const ChartAxis& y, std::string_view x_name,
                     std::string_view y_name, double height) {
  std::string svg;
  for (const double tick : y.ticks) {
    const double at = y_pixels(y, tick, height);
    svg += svg_line("grid", 0, at, 100, at);
    svg += svg_text("tick end", 0, at + 4, tick_text(tick), -6);
  }
  for (const double tick : x.ticks) {
    const double at = x_percent(x, tick);
    svg += svg_line("grid", at, 0, at, height);
    svg += svg_text("tick middle", at, height + 16, tick_text(tick));
  }
  svg += svg_line("axis", 0, height, 100, height);
  svg += svg_line("axis", 0, 0, 0, height);
  svg += svg_text("tick end", 100, height + 34, x_name);
  svg += svg_text("tick", 0, -8, y_name);
  return svg;
}

std::string chart_html(std::string_view description, double height, std::string_view content) {
  return fmt::format(
      "<div class=\"chart\"><svg width=\"100%\" height=\"{:.0f}\" role=\"img\" "
      "aria-label=\"{}\">\n{}</svg></div>\n",
      height, escaped(description), content);
}

}  // namespace opbench

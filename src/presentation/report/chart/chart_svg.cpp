#include "presentation/report/chart/chart_svg.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>

#include "presentation/report/text/markup_text.h"

namespace opbench {
namespace {

constexpr double kWidth = 760, kPlotHeight = 320;
constexpr double kLeft = 70, kRight = 20, kTop = 48, kBelow = 56, kLegendRow = 20;
constexpr size_t kColours = 8;

// Colours are written out: many viewers know no variables.
constexpr std::string_view kStyle = R"(<style>
  text { font: 13px system-ui, "DejaVu Sans", sans-serif; fill: #333 }
  .title { font-size: 15px; font-weight: 600 }
  .paper { fill: #fff } .grid { stroke: #ddd } .axis { stroke: #777 }
  .s0 { stroke: #0072b2; fill: #0072b2 } .s1 { stroke: #d55e00; fill: #d55e00 }
  .s2 { stroke: #009e73; fill: #009e73 } .s3 { stroke: #cc79a7; fill: #cc79a7 }
  .s4 { stroke: #e69f00; fill: #e69f00 } .s5 { stroke: #56b4e9; fill: #56b4e9 }
  .s6 { stroke: #8a6d3b; fill: #8a6d3b } .s7 { stroke: #888; fill: #888 }
  .line { fill: none; stroke-width: 2 } .mark { stroke-width: 1.5 }
  @media (prefers-color-scheme: dark) {
    text { fill: #ddd } .paper { fill: #16181c } .grid { stroke: #3a3a3a } .axis { stroke: #999 }
    .mark.s0, .s0 { stroke: #4aa8e0 } .mark.s0 { fill: #4aa8e0 }
  }
</style>
)";

/// A form of its own for each series, 8 px wide, centred.
std::string mark(size_t series, double x, double y) {
  const std::string style = fmt::format("class=\"mark s{}\"", series % kColours);
  constexpr double kSize = 4;
  const auto path = [&](std::string_view form) {
    return fmt::format("<path {} transform=\"translate({:.1f} {:.1f})\" d=\"{}\"/>", style, x, y,
                       form);
  };
  switch (series % kColours) {
    case 0:
      return fmt::format("<circle {} cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"{}\"/>", style, x, y, kSize);
    case 1:
      return path("M-4-4h8v8h-8z");
    case 2:
      return path("M0-5 5 4h-10z");
    case 3:
      return path("M0-5 5 0 0 5-5 0z");
    case 4:
      return path("M0 5 5-4h-10z");
    case 5:
      return path("M-5 0h10M0-5v10");
    case 6:
      return path("M-4-4 4 4M4-4-4 4");
    default:
      return path("M-5-2h10v4h-10z");
  }
}

class SvgPlot {
 public:
  explicit SvgPlot(const Chart& chart)
      : chart_(chart), x_(x_axis_of(chart, 12)), y_(y_axis_of(chart, 8)) {
    const bool has_legend = chart.series.size() > 1;
    height_ = kTop + kPlotHeight + kBelow;
    if (has_legend) height_ += kLegendRow * static_cast<double>(chart.series.size());
  }

  std::string draw() {
    text_ = fmt::format(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0:.0f}\" height=\"{1:.0f}\" "
        "viewBox=\"0 0 {0:.0f} {1:.0f}\" role=\"img\">\n<title>{2}</title>\n",
        kWidth, height_, escaped(chart_.title));
    text_ += kStyle;
    text_ += fmt::format(
        "<rect class=\"paper\" width=\"{:.0f}\" height=\"{:.0f}\"/>\n"
        "<text class=\"title\" x=\"{:.0f}\" y=\"24\"{}>{}</text>\n",
        kWidth, height_, kLeft, squeezed(chart_.title), escaped(chart_.title));
    draw_axes();
    for (size_t i = 0; i < chart_.series.size(); ++i) draw_series(i);
    if (chart_.series.size() > 1) draw_legend();
    return std::move(text_) + "</svg>\n";
  }

 private:
  /// A title that is too long is set narrower.
  static std::string squeezed(const std::string& title) {
    constexpr double kCharacter = 8;
    constexpr double kRoom = kWidth - kLeft - kRight;
    if (static_cast<double>(title.size()) * kCharacter <= kRoom) return "";
    return fmt::format(" textLength=\"{:.0f}\" lengthAdjust=\"spacingAndGlyphs\"", kRoom);
  }

  double x_place(double x) const { return kLeft + place_on(x_, x) * (kWidth - kLeft - kRight); }
  double y_place(double y) const { return kTop + (1 - place_on(y_, y)) * kPlotHeight; }

  void line(std::string_view style, double x1, double y1, double x2, double y2) {
    text_ += fmt::format(
        "<line class=\"{}\" x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\"/>\n", style, x1,
        y1, x2, y2);
  }

  void label(double x, double y, std::string_view anchor, std::string_view words) {
    text_ += fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"{}\">{}</text>\n", x, y,
                         anchor, escaped(words));
  }

  void draw_axes() {
    constexpr double kBottom = kTop + kPlotHeight;
    for (const double tick : y_.ticks) {
      const double y = y_place(tick);
      line("grid", kLeft, y, kWidth - kRight, y);
      label(kLeft - 8, y + 4, "end", tick_text(tick));
    }
    for (const double tick : x_.ticks) {
      const double x = x_place(tick);
      line("axis", x, kBottom, x, kBottom + 5);
      label(x, kBottom + 19, "middle",
            chart_.categories.empty() ? tick_text(tick)
                                      : chart_.categories[static_cast<size_t>(tick)]);
    }
    line("axis", kLeft, kBottom, kWidth - kRight, kBottom);
    line("axis", kLeft, kTop, kLeft, kBottom);
    label((kLeft + kWidth - kRight) / 2, kBottom + 40, "middle",
          chart_.x_label + (x_.is_log ? " (log scale)" : ""));
    label(kLeft, kTop - 8, "start", chart_.y_label + (y_.is_log ? " (log scale)" : ""));
  }

  /// Series stand side by side above a category.
  double shift_of(size_t series) const {
    if (chart_.categories.empty()) return 0;
    const double room = (kWidth - kLeft - kRight) / static_cast<double>(chart_.categories.size());
    const auto count = static_cast<double>(chart_.series.size());
    const double step = std::min(24.0, room * 0.7 / count);
    return (static_cast<double>(series) - (count - 1) / 2) * step;
  }

  void draw_series(size_t index) {
    const ChartSeries& series = chart_.series[index];
    const std::string colour = fmt::format("s{}", index % kColours);
    const double shift = shift_of(index);
    std::string way;
    for (const ChartPoint& point : series.points) {
      way += fmt::format("{}{:.1f} {:.1f}", way.empty() ? "M" : "L", x_place(point.x) + shift,
                         y_place(point.y));
    }
    const std::string dashes = index < kColours ? "" : " stroke-dasharray=\"6 4\"";
    if (chart_.categories.empty() && series.points.size() > 1) {
      text_ += fmt::format("<path class=\"{} line\"{} d=\"{}\"/>\n", colour, dashes, way);
    }
    for (const ChartPoint& point : series.points) {
      constexpr double kCap = 4;
      const double x = x_place(point.x) + shift;
      line(colour, x, y_place(point.low), x, y_place(point.high));
      // An end outside the plot has no cap.
      for (const double end : {point.low, point.high}) {
        if (end >= y_.low && end <= y_.high) {
          line(colour, x - kCap, y_place(end), x + kCap, y_place(end));
        }
      }
      text_ += mark(index, x, y_place(point.y)) + "\n";
    }
  }

  void draw_legend() {
    for (size_t i = 0; i < chart_.series.size(); ++i) {
      const double y = kTop + kPlotHeight + kBelow + kLegendRow * static_cast<double>(i);
      text_ += mark(i, kLeft + 10, y) + "\n";
      label(kLeft + 24, y + 4, "start", chart_.series[i].name);
    }
  }

  const Chart& chart_;
  const ChartAxis x_, y_;
  double height_ = 0;
  std::string text_;
};

}  // namespace

std::string chart_svg(const Chart& chart) { return SvgPlot(chart).draw(); }

}  // namespace opbench

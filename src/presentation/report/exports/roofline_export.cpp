#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/text/display_width.h"
#include "presentation/report/chart/chart.h"
#include "presentation/report/exports/export.h"
#include "presentation/report/exports/export_rows.h"
#include "presentation/report/tables/unit_rows.h"
#include "presentation/report/text/markup_text.h"

namespace opbench {
namespace {

constexpr double kRoofWidth = 860, kRoofPlot = 380, kRoofLeft = 74, kRoofRight = 24, kRoofTop = 56;
constexpr double kRoofBelow = 60, kRoofRow = 18;
constexpr size_t kMostRoofPoints = 60;

constexpr std::string_view kRoofStyle = R"(<style>
  text { font: 13px system-ui, "DejaVu Sans", sans-serif; fill: #222 }
  .title { font-size: 15px; font-weight: 600 } .small { font-size: 12px }
  .paper { fill: #fff } .grid { stroke: #ddd } .axis { stroke: #777 }
  .roof { stroke: #222; stroke-width: 2; fill: none } .mark { fill: #fff; stroke: #222; stroke-width: 1.5 }
  @media (prefers-color-scheme: dark) {
    text { fill: #ddd } .paper { fill: #16181c } .grid { stroke: #3a3a3a } .axis { stroke: #999 }
    .roof { stroke: #ddd } .mark { fill: #16181c; stroke: #ddd }
  }
</style>
)";

struct RoofPoint {
  const EngineResult* engine = nullptr;
  const UnitResult* unit = nullptr;
  double intensity = 0;  ///< FLOPs a byte
  double gflops = 0;     ///< a second
};

/// One engine's ceilings and units. Every mark has the number of its row, and the form of what
/// limits it: the picture needs no colour.
class RooflineSvg {
 public:
  RooflineSvg(const ProfileResult& profile, std::vector<RoofPoint> points)
      : profile_(profile), points_(std::move(points)) {
    double low_x = 1e300, high_x = 0, low_y = 1e300, high_y = 0;
    for (const RoofPoint& point : points_) {
      low_x = std::min(low_x, point.intensity);
      high_x = std::max(high_x, point.intensity);
      low_y = std::min(low_y, point.gflops);
      high_y = std::max(high_y, point.gflops);
    }
    for (const EngineResult& engine : profile.engines) {
      if (engine.peak_gflops) high_y = std::max(high_y, *engine.peak_gflops);
      if (engine.peak_gflops && engine.memory_gbytes_per_s && *engine.memory_gbytes_per_s > 0) {
        const double ridge = *engine.peak_gflops / *engine.memory_gbytes_per_s;
        low_x = std::min(low_x, ridge / 4);
        high_x = std::max(high_x, ridge * 4);
      }
    }
    constexpr double kLeast = 20;  // so that both axes are logarithmic
    x_ = value_axis(std::min(low_x, high_x / kLeast), high_x, 8);
    y_ = value_axis(std::min(low_y, high_y / kLeast), high_y, 8);
    height_ =
        kRoofTop + kRoofPlot + kRoofBelow + kRoofRow * (static_cast<double>(points_.size()) + 2);
  }

  std::string draw() {
    const std::string title = profile_.model + ": roofline, ceilings measured beside the run";
    text_ = fmt::format(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0:.0f}\" height=\"{1:.0f}\" "
        "viewBox=\"0 0 {0:.0f} {1:.0f}\" role=\"img\">\n<title>{2}</title>\n",
        kRoofWidth, height_, escaped(title));
    text_ += kRoofStyle;
    text_ += fmt::format("<rect class=\"paper\" width=\"{:.0f}\" height=\"{:.0f}\"/>\n", kRoofWidth,
                         height_);
    text_ += fmt::format("<text class=\"title\" x=\"{:.0f}\" y=\"24\">{}</text>\n", kRoofLeft,
                         escaped(shorten(title, 90)));
    draw_axes();
    for (size_t i = 0; i < profile_.engines.size(); ++i) draw_ceilings(profile_.engines[i], i);
    for (size_t i = 0; i < points_.size(); ++i) draw_point(points_[i], i);
    draw_list();
    return std::move(text_) + "</svg>\n";
  }

 private:
  double x_place(double x) const {
    return kRoofLeft + place_on(x_, x) * (kRoofWidth - kRoofLeft - kRoofRight);
  }
  double y_place(double y) const { return kRoofTop + (1 - place_on(y_, y)) * kRoofPlot; }

  void line(std::string_view style, double x1, double y1, double x2, double y2) {
    text_ += fmt::format(
        "<line class=\"{}\" x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\"/>\n", style, x1,
        y1, x2, y2);
  }

  void label(double x, double y, std::string_view anchor, std::string_view words,
             std::string_view style = "") {
    text_ += fmt::format("<text{} x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"{}\">{}</text>\n",
                         style.empty() ? "" : fmt::format(" class=\"{}\"", style), x, y, anchor,
                         escaped(words));
  }

  void draw_axes() {
    constexpr double kBottom = kRoofTop + kRoofPlot;
    for (const double tick : y_.ticks) {
      line("grid", kRoofLeft, y_place(tick), kRoofWidth - kRoofRight, y_place(tick));
      label(kRoofLeft - 8, y_place(tick) + 4, "end", tick_text(tick));
    }
    for (const double tick : x_.ticks) {
      line("axis", x_place(tick), kBottom, x_place(tick), kBottom + 5);
      label(x_place(tick), kBottom + 19, "middle", tick_text(tick));
    }
    line("axis", kRoofLeft, kBottom, kRoofWidth - kRoofRight, kBottom);
    line("axis", kRoofLeft, kRoofTop, kRoofLeft, kBottom);
    label((kRoofLeft + kRoofWidth - kRoofRight) / 2, kBottom + 38, "middle",
          "FLOPs per byte (log scale)");
    label(kRoofLeft, kRoofTop - 8, "start", "GFLOP/s (log scale)");
  }

  /// The peak as a level line, the memory's bandwidth as a slope that meets it. Engines differ by
  /// their dashes.
  void draw_ceilings(const EngineResult& engine, size_t number) {
    const std::string dashes =
        number == 0 ? "" : fmt::format(" stroke-dasharray=\"{} 5\"", 4 + 6 * (number % 4));
    const auto& peak = engine.peak_gflops;
    const auto& memory = engine.memory_gbytes_per_s;
    const auto path = [&](double x1, double y1, double x2, double y2) {
      text_ += fmt::format("<path class=\"roof\"{} d=\"M{:.1f} {:.1f}L{:.1f} {:.1f}\"/>\n", dashes,
                           x_place(x1), y_place(y1), x_place(x2), y_place(y2));
    };
    const double ridge = peak && memory && *memory > 0 ? *peak / *memory : x_.low;
    const double shift = 15 * static_cast<double>(number);
    if (peak && *peak > 0) {
      path(std::clamp(ridge, x_.low, x_.high), *peak, x_.high, *peak);
      label(kRoofWidth - kRoofRight - 4, y_place(*peak) - 6 - shift, "end",
            fmt::format("{}: {:.4g} GFLOP/s", run_name(engine), *peak), "small");
    }
    if (!memory || *memory <= 0) return;
    const double top = peak ? *peak : y_.high;
    const double end = std::min(x_.high, top / *memory);
    const double begin = std::max(x_.low, y_.low / *memory);
    if (!(begin < end)) return;
    path(begin, begin * *memory, end, end * *memory);
    const double at = begin * std::pow(end / begin, 0.35);
    label(x_place(at) - 10, y_place(at * *memory) - 4 - shift, "end",
          fmt::format("{:.4g} GB/s", *memory), "small");
  }

  void draw_point(const RoofPoint& point, size_t number) {
    const double x = x_place(point.intensity), y = y_place(point.gflops);
    const std::string& bound = point.unit->bound;
    if (bound == "compute") {
      text_ += fmt::format("<circle class=\"mark\" cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"5\"/>\n", x, y);
    } else if (bound == "overhead" || bound.empty()) {
      text_ += fmt::format(
          "<path class=\"mark\" transform=\"translate({:.1f} {:.1f})\" d=\"M0-6 6 5h-12z\"/>\n", x,
          y);
    } else {
      text_ += fmt::format(
          "<path class=\"mark\" transform=\"translate({:.1f} {:.1f})\" d=\"M-5-5h10v10h-10z\"/>\n",
          x, y);
    }
    label(x + 8, y - 6, "start", std::to_string(number + 1), "small");
  }

  void draw_list() {
    double y = kRoofTop + kRoofPlot + kRoofBelow;
    label(kRoofLeft, y, "start",
          "round: bound by computing; square: by memory or a cache; triangle: by overhead, or not "
          "known",
          "small");
    for (size_t i = 0; i < points_.size(); ++i) {
      y += kRoofRow;
      const RoofPoint& point = points_[i];
      constexpr size_t kLongest = 80;
      const std::string name = shorten(name_of_unit(*point.unit), kLongest);
      const std::string share =
          point.engine->peak_gflops && *point.engine->peak_gflops > 0
              ? fmt::format(", {:.0f} % of peak", 100 * point.gflops / *point.engine->peak_gflops)
              : "";
      label(kRoofLeft, y, "start",
            fmt::format("{}  {}: {:.4g} GFLOP/s{} ({})", i + 1, name, point.gflops, share,
                        run_name(*point.engine)),
            "small");
    }
  }

  const ProfileResult& profile_;
  std::vector<RoofPoint> points_;
  ChartAxis x_, y_;
  double height_ = 0;
  std::string text_;
};

Result<ExportText> write_roofline(const ExportInput& input) {
  std::vector<RoofPoint> points;
  size_t left_out = 0;
  for (const EngineResult& engine : input.profile.engines) {
    for (const UnitResult& unit : engine.units) {
      const bool is_known = unit.flops && unit.bytes && unit.gflops_per_s && *unit.flops > 0 &&
                            *unit.bytes > 0 && *unit.gflops_per_s > 0 && !unit.failure;
      if (is_known && points.size() < kMostRoofPoints) {
        points.push_back({&engine, &unit, *unit.flops / *unit.bytes, *unit.gflops_per_s});
      } else {
        ++left_out;
      }
    }
  }
  if (points.empty()) {
    return nothing_to_export(input.profile,
                             "no unit of the profile has FLOPs, bytes and a time together");
  }
  ExportText result{.text = RooflineSvg(input.profile, std::move(points)).draw()};
  if (left_out > 0) {
    result.remarks.push_back(
        fmt::format("{} units without FLOPs, bytes or a time, or beyond {}, are left out", left_out,
                    kMostRoofPoints));
  }
  return result;
}

}  // namespace

ExportDef roofline_export() {
  return {.name = "roofline",
          .summary = "the roofline as SVG: units below the ceilings measured beside the run",
          .write = write_roofline};
}

}  // namespace opbench

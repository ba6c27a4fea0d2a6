#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "base/errors/suggestion.h"
#include "presentation/html/page_parts.h"
#include "presentation/html/page_sections.h"
#include "presentation/html/svg_parts.h"
#include "presentation/report/text/markup_text.h"
#include "presentation/report/text/number_text.h"

namespace opbench {
namespace {

constexpr double kRoofHeight = 320;

/// A unit on the roofline.
struct RoofPoint {
  double intensity = 0;  ///< FLOP a byte
  double gflops = 0;
  double share = 0;  ///< of its side's time
  size_t number = 0;
  bool is_base = false;
  std::string name;
};

void add_point(const std::vector<const UnitResult*>& units, double share, size_t number,
               bool is_base, const std::string& name, std::vector<RoofPoint>& points) {
  if (units.size() != 1) return;
  const UnitResult& unit = *units.front();
  const bool is_known = unit.flops && unit.bytes && unit.gflops_per_s && *unit.flops > 0 &&
                        *unit.bytes > 0 && *unit.gflops_per_s > 0;
  if (!is_known) return;
  points.push_back({*unit.flops / *unit.bytes, *unit.gflops_per_s, share, number, is_base, name});
}

std::vector<RoofPoint> roof_points(const PagePair& pair) {
  std::vector<RoofPoint> points;
  size_t number = 0;
  for (const PageRow& row : pair.rows) {
    ++number;
    add_point(row.base, row.base_share, number, true, row_name(row), points);
    add_point(row.units, row.share, number, false, row_name(row), points);
  }
  return points;
}

struct RoofAxes {
  ChartAxis x, y;
};

RoofAxes roof_axes(const PagePair& pair, const std::vector<RoofPoint>& points) {
  double x_low = points[0].intensity, x_high = x_low;
  double y_low = points[0].gflops, y_high = y_low;
  for (const RoofPoint& point : points) {
    x_low = std::min(x_low, point.intensity);
    x_high = std::max(x_high, point.intensity);
    y_low = std::min(y_low, point.gflops);
    y_high = std::max(y_high, point.gflops);
  }
  for (const EngineResult* run : {pair.run, pair.base}) {
    if (run == nullptr || !run->peak_gflops) continue;
    y_high = std::max(y_high, *run->peak_gflops);
    y_low = std::min(y_low, *run->peak_gflops);
    if (run->memory_gbytes_per_s) {
      const double ridge = *run->peak_gflops / *run->memory_gbytes_per_s;
      x_low = std::min(x_low, ridge / 2);
      x_high = std::max(x_high, ridge * 2);
    }
  }
  constexpr double kRoom = 1.6;
  return {log_axis(x_low / kRoom, x_high * kRoom, 9), log_axis(y_low / kRoom, y_high * kRoom, 9)};
}

/// `is_above`: the name of the roof stands above its line; of two roofs, that of the upper one.
std::string roof_svg(const EngineResult& run, const RoofAxes& axes, bool is_base, bool is_above) {
  std::string svg;
  const std::string style = is_base ? "roof old" : "roof";
  const std::string side = is_base ? "base: " : "";
  const double left = axes.x.low, right = axes.x.high;
  double corner = left;
  if (run.memory_gbytes_per_s) {
    // Below the peak where that is known, else up to the right end.
    const double slope = *run.memory_gbytes_per_s;
    const double end = run.peak_gflops ? *run.peak_gflops / slope : right;
    const double begin = std::max(left, axes.y.low / slope);
    if (begin < std::min(end, right)) {
      const double to = std::min({end, right, axes.y.high / slope});
      svg += svg_line(style, x_percent(axes.x, begin), y_pixels(axes.y, begin * slope, kRoofHeight),
                      x_percent(axes.x, to), y_pixels(axes.y, to * slope, kRoofHeight));
    }
    corner = std::clamp(end, left, right);
  }
  if (run.peak_gflops) {
    const double y = y_pixels(axes.y, *run.peak_gflops, kRoofHeight);
    svg += svg_line(style, x_percent(axes.x, corner), y, 100, y);
    svg += svg_text("tick end", 100, is_above ? y - 6 : y + 15,
                    side + "peak " + rate_text(*run.peak_gflops) + " GFLOP/s", -4);
  }
  return svg;
}

std::string points_svg(const std::vector<RoofPoint>& points, const RoofAxes& axes) {
  constexpr double kLeast = 3.5, kMore = 11;
  std::map<size_t, const RoofPoint*> bases;
  std::string svg;
  for (const RoofPoint& point : points) {
    const double x = x_percent(axes.x, point.intensity);
    const double y = y_pixels(axes.y, point.gflops, kRoofHeight);
    const double radius = kLeast + kMore * std::sqrt(std::clamp(point.share, 0.0, 1.0));
    if (point.is_base) {
      bases[point.number] = &point;
    } else if (const auto base = bases.find(point.number); base != bases.end()) {
      svg += svg_line("move", x_percent(axes.x, base->second->intensity),
                      y_pixels(axes.y, base->second->gflops, kRoofHeight), x, y);
    }
    svg += fmt::format(
        "<circle class=\"{}\" cx=\"{:.2f}%\" cy=\"{:.1f}\" r=\"{:.1f}\"><title>{}{} {}: {} GFLOP/s "
        "at {:.3g} FLOP a byte, {} of the time</title></circle>\n",
        point.is_base ? "dot old" : "dot", x, y, radius, point.is_base ? "base, " : "",
        point.number, escaped(point.name), rate_text(point.gflops), point.intensity,
        percent_text(point.share));
  }
  return svg;
}

/// The numbers of the rows beside the largest dots, where they do not meet another one.
std::string numbers_svg(std::vector<RoofPoint> points, const RoofAxes& axes) {
  constexpr size_t kMostNumbers = 12;
  constexpr double kNear = 14, kNearPercent = 3.2;
  std::erase_if(points, [](const RoofPoint& point) { return point.is_base; });
  std::ranges::stable_sort(points, [](auto& a, auto& b) { return a.share > b.share; });
  std::vector<std::pair<double, double>> taken;
  std::string svg;
  for (const RoofPoint& point : points) {
    const double x = x_percent(axes.x, point.intensity);
    const double y = y_pixels(axes.y, point.gflops, kRoofHeight);
    const bool is_near = std::ranges::any_of(taken, [&](const auto& other) {
      return std::fabs(other.first - x) < kNearPercent && std::fabs(other.second - y) < kNear;
    });
    if (is_near || taken.size() >= kMostNumbers) continue;
    taken.emplace_back(x, y);
    svg +=
        svg_text("number", x, y + 4, std::to_string(point.number), 7 + 11 * std::sqrt(point.share));
  }
  return svg;
}

std::string bounds_text(const PagePair& pair) {
  std::map<std::string, std::pair<int, double>> by_bound;
  for (const PageRow& row : pair.rows) {
    const bool is_one = row.units.size() == 1;
    const std::string bound =
        is_one && !row.units[0]->bound.empty() ? row.units[0]->bound : "not known";
    by_bound[bound].first += 1;
    by_bound[bound].second += row.share;
  }
  std::vector<std::string> parts;
  for (const auto& [bound, sum] : by_bound) {
    parts.push_back(fmt::format("{} {} row{}, {} of the time", bound, sum.first,
                                sum.first == 1 ? "" : "s", percent_text(sum.second)));
  }
  return "Limited by: " + join(parts, "; ") + ".";
}

std::string ceilings_text(const EngineResult& run, const std::string& side) {
  const auto rate = [](const std::optional<double>& value, const char* unit) {
    return value ? rate_text(*value) + unit : std::string("not measured");
  };
  return fmt::format("{}peak {}, memory {}.", side, rate(run.peak_gflops, " GFLOP/s"),
                     rate(run.memory_gbytes_per_s, " GB/s"));
}

}  // namespace

std::string roofline_section(const PagePair& pair) {
  const std::string id = "roofline-" + pair.model.id;
  const std::vector<RoofPoint> points = roof_points(pair);
  if (points.empty()) {
    return section_html(id, "Roofline", "nothing to draw",
                        paragraph_html("No row has FLOPs, bytes and a time."));
  }
  const RoofAxes axes = roof_axes(pair, points);
  std::string svg = axes_svg(axes.x, axes.y, "FLOP per byte moved (log scale)",
                             "GFLOP/s (log scale)", kRoofHeight);
  const bool is_base_higher = pair.base != nullptr && pair.base->peak_gflops.value_or(0) >
                                                          pair.run->peak_gflops.value_or(0);
  if (pair.base != nullptr) svg += roof_svg(*pair.base, axes, true, is_base_higher);
  svg += roof_svg(*pair.run, axes, false, !is_base_higher) + points_svg(points, axes) +
         numbers_svg(points, axes);
  std::string body =
      chart_html("Roofline: GFLOP/s of every row over its FLOP per byte", kRoofHeight, svg);
  body += paragraph_html(
      std::string("A dot is a row of the table, with its number; its area grows with its share of "
                  "the time. Bytes are those that operands and results take.") +
          (pair.base != nullptr ? " Hollow dots and dashed lines are the base's." : ""),
      "dim");
  body += paragraph_html(ceilings_text(*pair.run, "Measured beside this run: "));
  if (pair.base != nullptr) body += paragraph_html(ceilings_text(*pair.base, "Beside the base: "));
  body += paragraph_html(bounds_text(pair));
  return section_html(id, "Roofline", "measured ceilings", body);
}

}  // namespace opbench

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "presentation/html/page_parts.h"
#include "presentation/html/page_sections.h"
#include "presentation/html/ratio_profile.h"
#include "presentation/html/svg_parts.h"
#include "presentation/report/text/number_text.h"

namespace opbench {
namespace {

constexpr double kRatioHeight = 240;

/// The steps of the curve from the left end of the axis to the right one.
std::string curve_svg(const std::vector<SpeedUp>& speed_ups, const ChartAxis& x, const ChartAxis& y,
                      bool is_weighted) {
  constexpr double kDrawnWidth = 1000;
  const auto at = [&](double factor) { return x_percent(x, factor) / 100 * kDrawnWidth; };
  std::string path = fmt::format("M0 {:.1f}", y_pixels(y, 1, kRatioHeight));
  // From the smallest factor on, each row leaves the share.
  double left = 1;
  for (size_t i = speed_ups.size(); i-- > 0;) {
    left -= is_weighted ? speed_ups[i].weight : 1 / static_cast<double>(speed_ups.size());
    path += fmt::format("H{:.1f}V{:.1f}", at(speed_ups[i].factor), y_pixels(y, left, kRatioHeight));
  }
  path += fmt::format("H{:.0f}", kDrawnWidth);
  return fmt::format(
      "<svg width=\"100%\" height=\"{0:.0f}\" viewBox=\"0 0 {1:.0f} {0:.0f}\" "
      "preserveAspectRatio=\"none\"><path class=\"{2}\" d=\"{3}\"/></svg>\n",
      kRatioHeight, kDrawnWidth, is_weighted ? "curve old" : "curve", path);
}

std::string shares_table(const std::vector<SpeedUp>& speed_ups) {
  constexpr std::array kFactors = {0.5, 0.8, 0.9, 0.95, 1.0, 1.05, 1.1, 1.25, 1.5, 2.0};
  std::string html =
      "<table class=\"figures narrow\"><thead><tr><th scope=\"col\">at least p times as fast"
      "</th><th scope=\"col\" class=\"n\">units</th><th scope=\"col\" class=\"n\">of the base's "
      "time</th></tr></thead><tbody>\n";
  for (const double factor : kFactors) {
    html += fmt::format("<tr><th scope=\"row\">{:.2f}</th>", factor);
    html += figure_html(
        {.label = "units", .figure = percent_text(share_at_least(speed_ups, factor, false))});
    html += figure_html({.label = "of the base's time",
                         .figure = percent_text(share_at_least(speed_ups, factor, true))});
    html += "</tr>\n";
  }
  return html + "</tbody></table>\n";
}

}  // namespace

std::vector<SpeedUp> speed_ups(const PagePair& pair) {
  std::vector<SpeedUp> result;
  double sum = 0;
  for (const PageRow& row : pair.rows) {
    if (!row.time || !row.base_time) continue;
    result.push_back({row.base_time->ms / row.time->ms, row.base_time->ms});
    sum += row.base_time->ms;
  }
  for (SpeedUp& one : result) one.weight /= sum;
  std::ranges::stable_sort(result, [](auto& a, auto& b) { return a.factor > b.factor; });
  return result;
}

double share_at_least(const std::vector<SpeedUp>& speed_ups, double factor, bool is_weighted) {
  double share = 0;
  for (const SpeedUp& one : speed_ups) {
    if (one.factor < factor) continue;
    share += is_weighted ? one.weight : 1 / static_cast<double>(speed_ups.size());
  }
  return std::min(share, 1.0);
}

std::string ratio_section(const PagePair& pair) {
  if (pair.base == nullptr) return "";
  const std::string id = "speedups-" + pair.model.id;
  const std::vector<SpeedUp> factors = speed_ups(pair);
  if (factors.empty()) {
    return section_html(id, "Performance profile", "nothing to draw",
                        paragraph_html("No row has a time on both sides."));
  }
  constexpr double kRoom = 1.1, kNearest = 1.25;
  const ChartAxis x = log_axis(std::min(factors.back().factor / kRoom, 1 / kNearest),
                               std::max(factors.front().factor * kRoom, kNearest), 9);
  const ChartAxis y{.low = 0, .high = 1, .is_log = false, .ticks = {0, 0.25, 0.5, 0.75, 1}};
  std::string svg = axes_svg(x, y, "p, times as fast as the base (log scale)",
                             "share at least p times as fast", kRatioHeight);
  const double one = x_percent(x, 1);
  svg += svg_line("roof old", one, 0, one, kRatioHeight);
  svg += curve_svg(factors, x, y, true) + curve_svg(factors, x, y, false);
  std::string body =
      chart_html("Share of units at least p times as fast as the base", kRatioHeight, svg);
  body += paragraph_html(
      "Solid: share of the units that are at least p times as fast as the base. Dashed: the same, "
      "each unit with its share of the base's time. The upright line is the base itself; medians "
      "alone, without intervals.",
      "dim");
  return section_html(id, "Performance profile", fmt::format("{} units", factors.size()),
                      body + shares_table(factors));
}

}  // namespace opbench

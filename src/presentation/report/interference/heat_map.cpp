#include "presentation/report/interference/heat_map.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <string_view>

namespace opbench {
namespace {

struct HeatStep {
  double from = 0;
  std::string_view shade;
  std::string_view fill;  ///< of the SVG, with the text on it in `ink`
  std::string_view ink;
};

constexpr std::array kSteps = {
    HeatStep{0, "·", "#f7f4ef", "#333"}, HeatStep{1.02, "░", "#fbe3c0", "#333"},
    HeatStep{1.1, "▒", "#f6ae6b", "#222"}, HeatStep{1.25, "▓", "#d9622b", "#fff"},
    HeatStep{1.5, "█", "#8c1d18", "#fff"}};

const HeatStep& step_of(double slowdown) {
  const auto above = std::ranges::upper_bound(kSteps, slowdown, {}, &HeatStep::from);
  return above == kSteps.begin() ? kSteps.front() : *(above - 1);
}

constexpr double kHeatMapCell = 56, kCellHeight = 30, kLabel = 330, kMapTop = 64, kMapMargin = 16;

/// Operators have the names that models give them: what XML might misread is replaced.
std::string plain(std::string_view text) {
  constexpr size_t kLongest = 46;
  std::string result(text.substr(0, kLongest));
  for (char& c : result) {
    const bool is_plain = std::isalnum(static_cast<unsigned char>(c)) != 0 ||
                          std::string_view(" +-_.,:/").find(c) != std::string_view::npos;
    if (!is_plain) c = '?';
  }
  return result;
}

std::string svg_text(double x, double y, std::string_view anchor, std::string_view fill,
                     const std::string& text) {
  return fmt::format("<text x=\"{:.0f}\" y=\"{:.0f}\" text-anchor=\"{}\" fill=\"{}\">{}</text>\n",
                     x, y, anchor, fill, plain(text));
}

std::string svg_cell(double x, double y, const std::optional<double>& value) {
  const HeatStep& step = step_of(value.value_or(0));
  std::string svg = fmt::format(
      "<rect x=\"{:.0f}\" y=\"{:.0f}\" width=\"{:.0f}\" height=\"{:.0f}\" fill=\"{}\" "
      "stroke=\"#fff\"/>\n",
      x, y, kHeatMapCell, kCellHeight, value ? step.fill : "#e8e8e8");
  return svg + svg_text(x + kHeatMapCell / 2, y + kCellHeight / 2 + 5, "middle",
                        value ? step.ink : "#777", value ? fmt::format("{:.2f}", *value) : "-");
}

}  // namespace

std::string heat_shade(double slowdown) { return std::string(step_of(slowdown).shade); }

std::string heat_legend() {
  std::string text;
  for (const HeatStep& step : kSteps) {
    text += step.from == 0 ? fmt::format("{} below {}", step.shade, kSteps[1].from)
                           : fmt::format("   {} from {}", step.shade, step.from);
  }
  return text + "   - not measured";
}

TextTable heat_table(const HeatMap& map) {
  TextTable table;
  table.columns.push_back({.header = "beside"});
  for (const std::string& name : map.columns) {
    table.columns.push_back({.header = name, .is_right_aligned = true});
  }
  for (size_t row = 0; row < map.rows.size(); ++row) {
    TextRow line{.cells = {map.rows[row]}};
    for (const auto& value : map.cells[row]) {
      line.cells.push_back(value ? fmt::format("{} {:.2f}", heat_shade(*value), *value) : "-");
    }
    table.rows.push_back(std::move(line));
  }
  return table;
}

std::string heat_svg(const HeatMap& map) {
  const double width =
      kLabel + kHeatMapCell * static_cast<double>(map.columns.size()) + 2 * kMapMargin;
  const double height = kMapTop + kCellHeight * static_cast<double>(map.rows.size()) + kMapMargin;
  std::string svg = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0:.0f}\" height=\"{1:.0f}\" "
      "viewBox=\"0 0 {0:.0f} {1:.0f}\">\n"
      "<style>text {{ font: 13px system-ui, \"DejaVu Sans\", sans-serif }}</style>\n"
      "<rect width=\"{0:.0f}\" height=\"{1:.0f}\" fill=\"#fff\"/>\n",
      width, height);
  svg += svg_text(kMapMargin, 24, "start", "#333", map.title);
  for (size_t column = 0; column < map.columns.size(); ++column) {
    const double x = kMapMargin + kLabel + kHeatMapCell * static_cast<double>(column);
    svg += svg_text(x + kHeatMapCell / 2, kMapTop - 8, "middle", "#333", map.columns[column]);
  }
  for (size_t row = 0; row < map.rows.size(); ++row) {
    const double y = kMapTop + kCellHeight * static_cast<double>(row);
    svg +=
        svg_text(kMapMargin + kLabel - 10, y + kCellHeight / 2 + 5, "end", "#333", map.rows[row]);
    for (size_t column = 0; column < map.columns.size(); ++column) {
      svg += svg_cell(kMapMargin + kLabel + kHeatMapCell * static_cast<double>(column), y,
                      map.cells[row][column]);
    }
  }
  return svg + "</svg>\n";
}

}  // namespace opbench

#include <fmt/format.h>

#include <algorithm>

#include "measuring/results/percentiles.h"
#include "measuring/results/time_interval.h"
#include "presentation/html/page_parts.h"
#include "presentation/html/page_sections.h"
#include "presentation/report/text/markup_text.h"
#include "presentation/report/text/number_text.h"

namespace opbench {
namespace {

/// The one unit of a side; null where it has none or several.
const UnitResult* only_unit(const std::vector<const UnitResult*>& units) {
  return units.size() == 1 ? units.front() : nullptr;
}

std::string alone_text(const UnitResult* unit) {
  if (unit == nullptr || !unit->time) return "-";
  const std::optional<Interval> interval = interval_of(*unit->time);
  if (!interval) return ms_text(unit->time->median_ms);
  return fmt::format("{} ±{:.1f} %", ms_text(unit->time->median_ms),
                     (interval->high - interval->low) / 2 / unit->time->median_ms * 100);
}

std::string device_text(const UnitResult* unit) {
  const std::optional<double> ms =
      unit != nullptr && unit->time ? device_ms(*unit->time) : std::nullopt;
  return ms ? ms_text(*ms) : "-";
}

std::string rate_or_dash(const UnitResult* unit, std::optional<double> UnitResult::*member,
                         const char* after = "") {
  if (unit == nullptr || !(unit->*member)) return "-";
  return rate_text(*(unit->*member)) + after;
}

std::string bound_text(const UnitResult* unit) {
  return unit == nullptr || unit->bound.empty() ? "-" : unit->bound;
}

std::string nodes_text(const PageRow& row) {
  constexpr size_t kMost = 6;
  std::string text;
  size_t count = 0;
  for (const UnitResult* unit : row.units.empty() ? row.base : row.units) {
    for (const std::string& node : unit->identity.nodes) {
      if (++count <= kMost) text += (count == 1 ? "" : ", ") + node;
    }
  }
  if (count > kMost) text += fmt::format(" and {} more", count - kMost);
  return text;
}

/// `conv2d_direct from log.json · `; empty for engines that name no schedule.
std::string schedule_text(const PageRow& row) {
  std::string text;
  for (const UnitResult* unit : row.units) {
    if (unit->identity.schedule.empty()) continue;
    text += unit->identity.schedule;
    if (!unit->identity.origin.empty()) text += " from " + unit->identity.origin;
    text += " · ";
  }
  return text;
}

std::string failures_html(const std::string& side, const std::vector<const UnitResult*>& units) {
  std::string html;
  for (const UnitResult* unit : units) {
    if (!unit->failure) continue;
    html += "<small class=\"bad\">" + side + escaped(to_text(*unit->failure)) + "</small>";
  }
  return html;
}

/// What the unit is, with all that a search may ask for.
std::string name_cell(const PageRow& row, size_t number) {
  std::string html = fmt::format(
      "<th scope=\"row\" data-s=\"{0}\" id=\"{1}\"><span class=\"no\">{0}</span> <b>{2}</b>",
      number, row.id, escaped(row_name(row)));
  html += "<small>" + escaped(row_shapes(row)) + "</small>";
  html += failures_html("", row.units) + failures_html("base: ", row.base);
  html += "<small>" + escaped(schedule_text(row) + nodes_text(row)) + "</small>";
  return html + "</th>";
}

std::string share_cell(const PageRow& row, bool has_base) {
  std::string html = fmt::format(
      "<td class=\"n\" data-l=\"share\" data-s=\"{:.6g}\">{}<span class=\"bar\"><span "
      "style=\"width:{:.1f}%\"></span></span>",
      row.share, percent_text(row.share), row.share * 100);
  if (has_base) html += "<small>" + percent_text(row.base_share) + "</small>";
  return html + "</td>";
}

/// Which columns a table of units has.
struct UnitColumns {
  bool has_base = false;
  bool has_device = false;  ///< times by a device's own clock
  TimePlace place = TimePlace::kAlone;
};

std::string unit_row_html(const PagePair& pair, const PageRow& row, size_t number,
                          const UnitColumns& columns) {
  const bool has_base = columns.has_base;
  const UnitResult *unit = only_unit(row.units), *base = only_unit(row.base);
  const auto cell = [&](const char* label, const std::string& figure, const std::string& other,
                        std::optional<double> sort = {}) {
    FigureCell one{.label = label, .figure = figure, .base = {}, .sort = sort};
    if (has_base) one.base = other;
    return figure_html(one);
  };
  std::string html = "<tr>" + name_cell(row, number);
  html += figure_html({.label = "count",
                       .figure = std::to_string(row.count),
                       .base = {},
                       .sort = static_cast<double>(row.count)});
  html += cell("total, ms", page_ms_text(row.time) + " " + spread_text(row.time),
               page_ms_text(row.base_time) + " " + spread_text(row.base_time),
               row.time ? row.time->ms : 0);
  if (has_base) {
    html += figure_html({.label = "change",
                         .figure = row.ratio ? ratio_text(*row.ratio) : "-",
                         .base = {},
                         .sort = row.ratio ? row.ratio->median : 0});
    html += fmt::format("<td data-l=\"verdict\" data-s=\"{:.4g}\">{}<small>{}</small></td>",
                        change_over_threshold(row, pair.margin_percent), verdict_html(row.verdict),
                        escaped(row.reason));
  }
  html += share_cell(row, has_base);
  html += cell("isolated, ms", alone_text(unit), alone_text(base),
               unit != nullptr && unit->time ? unit->time->median_ms : 0);
  if (columns.has_device) {
    const std::optional<double> on_device =
        unit != nullptr && unit->time ? device_ms(*unit->time) : std::nullopt;
    html += cell("device, ms", device_text(unit), device_text(base), on_device.value_or(0));
  }
  html += cell("GFLOP/s", rate_or_dash(unit, &UnitResult::gflops_per_s),
               rate_or_dash(base, &UnitResult::gflops_per_s),
               unit != nullptr ? unit->gflops_per_s.value_or(0) : 0);
  html += cell("of peak", rate_or_dash(unit, &UnitResult::percent_of_peak, " %"),
               rate_or_dash(base, &UnitResult::percent_of_peak, " %"),
               unit != nullptr ? unit->percent_of_peak.value_or(0) : 0);
  html += cell("GB/s", rate_or_dash(unit, &UnitResult::gbytes_per_s),
               rate_or_dash(base, &UnitResult::gbytes_per_s),
               unit != nullptr ? unit->gbytes_per_s.value_or(0) : 0);
  html += cell("limited by", bound_text(unit), bound_text(base));
  return html + "</tr>\n";
}

std::string header_html(const UnitColumns& columns) {
  const auto column = [](const char* name, const char* unit, bool is_number = true) {
    return fmt::format("<th scope=\"col\"{}>{}{}</th>", is_number ? " class=\"n\"" : "", name,
                       *unit != 0 ? fmt::format("<small>{}</small>", unit) : "");
  };
  std::string html = "<thead><tr>" + column("unit", "", false) + column("count", "");
  html +=
      column("total", columns.place == TimePlace::kInPlace ? "ms in the model" : "ms, isolated");
  if (columns.has_base) html += column("change", "[95 % interval]") + column("verdict", "", false);
  html += column("share", "of the sum") + column("isolated", "ms a call");
  if (columns.has_device) html += column("device", "ms event");
  html +=
      column("GFLOP/s", "") + column("of peak", "") + column("GB/s", "") + column("limited by", "");
  return html + "</tr></thead>\n";
}

std::string table_html(const PagePair& pair, const std::vector<PageRow>& rows,
                       const UnitColumns& columns, size_t& number) {
  std::string html = "<table class=\"figures units\">" + header_html(columns) + "<tbody>\n";
  for (const PageRow& row : rows) html += unit_row_html(pair, row, ++number, columns);
  return html + "</tbody></table>\n";
}

/// A side's own rows, shown as if the side stood alone.
std::vector<PageRow> as_own(std::vector<PageRow> rows) {
  for (PageRow& row : rows) {
    std::swap(row.units, row.base);
    std::swap(row.time, row.base_time);
    std::swap(row.share, row.base_share);
  }
  return rows;
}

}  // namespace

std::string units_section(const PagePair& pair) {
  const bool has_base = pair.base != nullptr;
  const bool is_on_device = !pair.run->device.empty();
  const bool is_base_on_device = has_base && !pair.base->device.empty();
  size_t number = 0;
  std::string body;
  if (pair.rows.empty()) {
    body = paragraph_html(pair.run->units.empty() ? "The engine gives no times of its parts."
                                                  : "No row has a counterpart in the base.");
  } else {
    body = table_html(pair, pair.rows,
                      {.has_base = has_base,
                       .has_device = is_on_device || is_base_on_device,
                       .place = pair.place},
                      number);
  }
  if (!pair.only_here.empty()) {
    body += "<h4>Only in this run</h4>\n";
    body +=
        table_html(pair, pair.only_here, {.has_device = is_on_device, .place = pair.place}, number);
  }
  if (!pair.only_there.empty()) {
    body += "<h4>Only in the base</h4>\n";
    body += table_html(pair, as_own(pair.only_there),
                       {.has_device = is_base_on_device, .place = pair.base_place}, number);
  }
  const std::string remark =
      has_base ? "largest change over the margin first; the second figure of a cell is the base's"
               : "largest share first";
  return section_html("units-" + pair.model.id, "Units", remark, body);
}

}  // namespace opbench

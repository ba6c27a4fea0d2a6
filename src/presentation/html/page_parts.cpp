#include "presentation/html/page_parts.h"

#include <fmt/format.h>

#include "presentation/report/text/markup_text.h"
#include "presentation/report/text/number_text.h"

namespace opbench {

std::string section_html(std::string_view id, std::string_view title, std::string_view remark,
                         std::string_view body, bool is_open) {
  std::string note;
  if (!remark.empty()) note = fmt::format(" <span class=\"dim\">{}</span>", escaped(remark));
  return fmt::format(
      "<details class=\"section\" id=\"{}\"{}>\n<summary><h3>{}</h3>{}</summary>\n{}</details>\n",
      escaped(id), is_open ? " open" : "", escaped(title), note, body);
}

std::string paragraph_html(std::string_view text, std::string_view style) {
  const std::string name = style.empty() ? "" : fmt::format(" class=\"{}\"", style);
  return fmt::format("<p{}>{}</p>\n", name, escaped(text));
}

std::string figure_html(const FigureCell& cell) {
  std::string html = fmt::format("<td class=\"n\" data-l=\"{}\"", escaped(cell.label));
  if (cell.sort) html += fmt::format(" data-s=\"{:.6g}\"", *cell.sort);
  html += ">" + escaped(cell.figure);
  if (cell.base) html += fmt::format("<small>{}</small>", escaped(*cell.base));
  return html + "</td>";
}

std::string verdict_html(const std::optional<Verdict>& verdict) {
  if (!verdict) return "<span class=\"dim\">no verdict</span>";
  std::string_view sign = "=";
  if (*verdict == Verdict::kFaster) sign = "▼";
  if (*verdict == Verdict::kSlower) sign = "▲";
  if (*verdict == Verdict::kInconclusive) sign = "?";
  return fmt::format("<span class=\"v {0}\">{1} {0}</span>", name_of(*verdict), sign);
}

std::string change_text(double ratio) { return fmt::format("{:+.1f} %", (ratio - 1) * 100); }

std::string ratio_text(const Ratio& ratio) {
  if (!(ratio.low < ratio.high)) return change_text(ratio.median);
  return fmt::format("{} [{:+.1f}, {:+.1f}]", change_text(ratio.median), (ratio.low - 1) * 100,
                     (ratio.high - 1) * 100);
}

std::string spread_text(const std::optional<PageTime>& time) {
  return time && time->spread ? fmt::format("±{:.1f} %", *time->spread * 100) : "";
}

std::string page_ms_text(const std::optional<PageTime>& time) {
  return time ? ms_text(time->ms) : "-";
}

std::string command_html(std::string_view command) {
  return fmt::format("<code class=\"command\">{}</code>", escaped(command));
}

}  // namespace opbench

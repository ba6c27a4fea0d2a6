#include <fmt/format.h>

#include <map>

#include "base/errors/suggestion.h"
#include "measuring/results/percentiles.h"
#include "presentation/html/page_parts.h"
#include "presentation/html/page_sections.h"
#include "presentation/report/tables/unit_rows.h"
#include "presentation/report/text/markup_text.h"
#include "presentation/report/text/number_text.h"

namespace opbench {
namespace {

std::string ms_or_dash(const std::optional<double>& ms) { return ms ? ms_text(*ms) : "-"; }

std::string gap_text(const ModelResult& model) {
  if (!model.inconclusive.empty()) return "inconclusive";
  return model.gap_percent ? fmt::format("{:.1f} %", *model.gap_percent) : "-";
}

std::string checked_text(const EngineResult& run) {
  const CheckResult& check = run.check;
  if (check.passed && check.engine == run.engine) return "the reference";
  if (!check.max_relative_error) return "not made";
  return fmt::format("{}, {:.1e}", check.passed ? "passed" : "FAILED", *check.max_relative_error);
}

/// The figure, and the base's where there is one.
std::string summary_cell(const PagePair& pair, const std::string& label,
                         std::string (*text)(const EngineResult&)) {
  FigureCell cell{.label = label, .figure = text(*pair.run)};
  if (pair.base != nullptr) cell.base = text(*pair.base);
  return figure_html(cell);
}

std::string whole_cell(const PagePair& pair) {
  const auto text = [](const std::optional<PageTime>& time) {
    const std::string spread = spread_text(time);
    return page_ms_text(time) + (spread.empty() ? "" : " " + spread);
  };
  FigureCell cell{.label = "end to end, ms", .figure = text(pair.model.time)};
  if (pair.base != nullptr) cell.base = text(pair.model.base_time);
  return figure_html(cell);
}

/// The device that runs its kernels, or the emulator; empty for this machine's CPU.
std::string place_html(const EngineResult& run) {
  std::string html;
  if (!run.device.empty()) html += "<small>" + escaped(device_name(run.device)) + "</small>";
  if (!run.emulator.empty()) html += "<small>emulated: " + escaped(run.emulator) + "</small>";
  return html;
}

std::string summary_row(const PagePair& pair, bool has_base) {
  std::string html =
      fmt::format("<tr><th scope=\"row\">{}<small>{}</small>{}</th>", escaped(run_name(*pair.run)),
                  escaped(pair.run->version), place_html(*pair.run));
  html += whole_cell(pair);
  html += summary_cell(pair, "sum of units, ms", [](const EngineResult& run) {
    return ms_or_dash(run.model.sum_in_place_ms);
  });
  html += summary_cell(pair, "dispatch, ms",
                       [](const EngineResult& run) { return ms_or_dash(run.model.dispatch_ms); });
  html += summary_cell(pair, "gap", [](const EngineResult& run) { return gap_text(run.model); });
  html += summary_cell(pair, "memory, MB", [](const EngineResult& run) {
    const auto& mb = run.model.peak_memory_mb;
    return mb ? rate_text(*mb) : std::string("-");
  });
  html += summary_cell(pair, "check", checked_text);
  if (!has_base) return html + "</tr>\n";
  html += figure_html(
      {.label = "change", .figure = pair.model.ratio ? ratio_text(*pair.model.ratio) : "-"});
  html += fmt::format("<td data-l=\"verdict\">{}<small>{}</small></td>",
                      verdict_html(pair.model.verdict), escaped(pair.model.reason));
  return html + "</tr>\n";
}

std::string counts_html(const PagePair& pair) {
  if (pair.base == nullptr) return "";
  std::map<Verdict, int> counts;
  int without = 0;
  for (const PageRow& row : pair.rows) row.verdict ? ++counts[*row.verdict] : ++without;
  std::vector<std::string> parts;
  for (const Verdict verdict :
       {Verdict::kSlower, Verdict::kFaster, Verdict::kSame, Verdict::kInconclusive}) {
    parts.push_back(fmt::format("{} {}", counts[verdict], name_of(verdict)));
  }
  if (without > 0) parts.push_back(fmt::format("{} without a verdict", without));
  return paragraph_html(fmt::format(
      "{} against {}: {} rows that both have: {}. Only one side has {} and {} rows.",
      run_name(*pair.run),
      pair.base_name == "base" ? "the base's " + run_name(*pair.base) : run_name(*pair.base),
      pair.rows.size(), join(parts), pair.only_here.size(), pair.only_there.size()));
}

/// What a reader must know of an engine run.
std::string notes_of(const EngineResult& run, const std::string& side) {
  std::string html;
  const auto add = [&](const std::string& text) {
    html += "<li>" + escaped(side + run_name(run) + ": " + text) + "</li>\n";
  };
  if (run.model.failure) add(to_text(*run.model.failure));
  if (!run.model.inconclusive.empty()) {
    add("sum and end to end do not tell: " + run.model.inconclusive);
  }
  if (!run.model.end_to_end && !run.model.end_to_end_reason.empty()) {
    add("no end-to-end time: " + run.model.end_to_end_reason);
  }
  const std::optional<double> copies =
      run.model.end_to_end ? copies_ms(*run.model.end_to_end) : std::nullopt;
  if (copies.value_or(0) > 0) {
    add(fmt::format("end to end without copies {} ms; copies take {} ms by the device's clock",
                    ms_text(*without_copies_ms(*run.model.end_to_end)), ms_text(*copies)));
  }
  if (!run.check.reason.empty()) add("check: " + run.check.reason);
  return html;
}

std::string notes_html(const Page& page) {
  std::string html;
  const auto warn = [&](const ProfileResult& result, const std::string& side) {
    if (!result.noise.empty())
      html += "<li>" + escaped(side + "noise: " + result.noise) + "</li>\n";
    for (const std::string& warning : result.warnings) {
      html += "<li>" + escaped(side + "warning: " + warning) + "</li>\n";
    }
    for (const EngineResult& run : result.engines) html += notes_of(run, side);
  };
  warn(*page.result, "");
  if (page.base != nullptr) warn(*page.base, "base, ");
  return html.empty() ? "" : "<ul class=\"notes\">\n" + html + "</ul>\n";
}

std::string legend_html(const Page& page) {
  return paragraph_html(
      fmt::format(
          "A verdict: the 95 % interval of new time over base time lies wholly above the "
          "margin of {:.3g} % (▲ slower), wholly below it (▼ faster), inside it (= same), "
          "or reaches over it (? inconclusive). The margin is the larger of 2 % and twice "
          "the A/A floor{}. Both runs took place at different times: `opbench compare` "
          "measures both in turns, and decides what is inconclusive here.",
          page.options.margin_percent,
          page.options.margin_percent > 2 ? " that was given" : "; these reports know no floor"),
      "dim");
}

}  // namespace

std::string summary_section(const Page& page) {
  bool has_base = false;
  for (const PagePair& pair : page.pairs) has_base = has_base || pair.base != nullptr;
  std::string body =
      "<table class=\"figures\"><thead><tr><th scope=\"col\">engine</th><th scope=\"col\" "
      "class=\"n\">end to end<small>ms</small></th><th scope=\"col\" class=\"n\">sum of "
      "units<small>ms</small></th><th scope=\"col\" class=\"n\">dispatch<small>ms</small></th><th "
      "scope=\"col\" class=\"n\">gap</th><th scope=\"col\" class=\"n\">memory<small>MB</small>"
      "</th><th scope=\"col\" class=\"n\">check</th>";
  if (has_base) {
    body += "<th scope=\"col\" class=\"n\">change</th><th scope=\"col\">verdict</th>";
  }
  body += "</tr></thead><tbody>\n";
  for (const PagePair& pair : page.pairs) body += summary_row(pair, has_base);
  body += "</tbody></table>\n";
  for (const PagePair& pair : page.pairs) body += counts_html(pair);
  body += notes_html(page);
  if (has_base) body += legend_html(page);
  const std::string remark =
      has_base ? "the second figure of a cell is the base's" : "one call of the model";
  return section_html("summary", "Summary", remark, body);
}

}  // namespace opbench

#include "presentation/report/analysis/turning_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "base/errors/suggestion.h"
#include "base/text/display_width.h"
#include "presentation/report/analysis/turning_evidence.h"
#include "presentation/report/chart/chart.h"
#include "presentation/report/text/fact_lines.h"

namespace opbench {
namespace {

std::string turning_text_place_text(const Place& place) {
  if (place.low == place.high) return tick_text(place.x);
  return fmt::format("{} [{}, {}]", tick_text(place.x), tick_text(place.low),
                     tick_text(place.high));
}

std::string turning_text_percent(double share) { return fmt::format("{:.1f} %", 100 * share); }

bool has_names(const TurningReport& report) {
  return std::ranges::any_of(report.series,
                             [](const TurningSeries& series) { return !series.name.empty(); });
}

Facts turning_text_head_facts(const TurningReport& report) {
  Facts facts;
  if (!report.subject.empty()) facts.emplace_back("subject", printable(report.subject));
  facts.emplace_back("source", printable(report.source));
  std::string rows = fmt::format("{} with a time", report.rows);
  if (report.without_time > 0) rows += fmt::format(", {} without", report.without_time);
  facts.emplace_back("rows", rows);
  std::string time = printable(report.time_name);
  if (!report.unit.empty() && report.time_name.find(report.unit) == std::string::npos) {
    time += ", " + report.unit;
  }
  if (report.is_per_item) time += ", divided by the value of the axis";
  facts.emplace_back("time", time);
  for (const std::string& note : report.notes) facts.emplace_back("note", printable(note));
  return facts;
}

TextTable effects_table(const TurningReport& report) {
  TextTable table;
  table.columns = {{.header = "axis"},
                   {.header = "variance", .is_right_aligned = true},
                   {.header = "split gain", .is_right_aligned = true},
                   {.header = "effect"},
                   {.header = "largest splits"}};
  for (const AxisEffect& effect : report.effects) {
    std::vector<std::string> splits;
    for (const AxisThreshold& split : effect.splits) {
      splits.push_back(fmt::format("{} ({:.0f} %)", tick_text(split.threshold), 100 * split.share));
    }
    table.rows.push_back(
        {{printable(effect.axis), turning_text_percent(effect.share),
          turning_text_percent(effect.gain_share), effect.has_effect ? "yes" : "none",
          splits.empty() ? "-" : join(splits)}});
  }
  return table;
}

TextTable forms_table(const TurningPoint& point) {
  TextTable table;
  table.columns = {{.header = "form"},
                   {.header = "AICc", .is_right_aligned = true},
                   {.header = "BIC", .is_right_aligned = true},
                   {.header = "error", .is_right_aligned = true},
                   {.header = "parameters"}};
  for (const CurveFit& fit : point.forms) {
    std::vector<std::string> parameters;
    for (const CurveParameter& each : fit.parameters) {
      parameters.push_back(fmt::format("{}={:.4g}", each.name, each.value));
    }
    if (const auto optimum = usl_optimum(fit)) {
      parameters.push_back(fmt::format("optimum={:.0f}", *optimum));
    }
    if (const auto half = half_performance_size(fit)) {
      parameters.push_back(fmt::format("half={:.4g}", *half));
    }
    const std::string aicc = std::isfinite(fit.aicc) ? fmt::format("{:.1f}", fit.aicc) : "-";
    table.rows.push_back({{std::string(name_of(fit.form)), aicc, fmt::format("{:.1f}", fit.bic),
                           turning_text_percent(fit.mean_error), join(parameters)}});
  }
  return table;
}

std::string turning_text_closing_text(const TurningReport& report) {
  std::string text =
      "n_best: least time; n95: the first within --tolerance of it; fitted: n95 of the best form; "
      "n_theta:\nthe first where 1 % more brings less than 0.3 % of time. Brackets: 95 % intervals "
      "(bootstrap).\n";
  if (!report.effects.empty()) {
    text += fmt::format("{} of the variance of ln time is explained by no axis alone\n",
                        turning_text_percent(report.unexplained));
  }
  if (report.is_surrogate) {
    text += "the rows are no full grid: times over an axis are those of boosted trees\n";
  }
  return text;
}

const TurningPoint* only_point(const TurningReport& report) {
  const bool is_one = report.series.size() == 1 && report.series.front().point;
  return is_one ? &*report.series.front().point : nullptr;
}

}  // namespace

std::string knee_text(const Knee& knee) {
  if (!knee.exists()) return "none";
  if (knee.kind == KneeKind::kStep) {
    return fmt::format("step between {} and {}", tick_text(knee.last), tick_text(knee.next));
  }
  const std::string interval =
      knee.low == knee.high ? ""
                            : fmt::format(" [{}, {}]", tick_text(knee.low), tick_text(knee.high));
  return fmt::format("{} at {}{}", name_of(knee.kind), tick_text(knee.last), interval);
}

TextTable turning_table(const TurningReport& report) {
  TextTable table;
  table.columns.push_back({.header = "axis"});
  const bool names = has_names(report);
  if (names) table.columns.push_back({.header = "series"});
  for (const char* header : {"values", "n_best", "n95", "fitted", "n_theta"}) {
    table.columns.push_back({.header = header, .is_right_aligned = true});
  }
  table.columns.push_back({.header = "knee"});
  for (const TurningSeries& series : report.series) {
    TextRow row{.cells = {printable(series.axis)}};
    if (names) row.cells.push_back(printable(series.name));
    row.cells.push_back(std::to_string(series.curve.size()));
    if (series.point) {
      const TurningPoint& point = *series.point;
      row.cells.push_back(turning_text_place_text(point.best));
      row.cells.push_back(turning_text_place_text(point.enough));
      row.cells.push_back(turning_text_place_text(point.enough_fitted));
      row.cells.push_back(point.marginal ? tick_text(*point.marginal) : "-");
      row.cells.push_back(knee_text(point.knee));
    } else {
      row.cells.insert(row.cells.end(), {"-", "-", "-", "-", "-"});
    }
    row.below = evidence_lines(report, series);
    table.rows.push_back(std::move(row));
  }
  return table;
}

std::string turning_text(const TurningReport& report, int width, const TextStyle& style) {
  std::string text = facts_text(turning_text_head_facts(report), style) + "\n";
  if (!report.effects.empty()) text += aligned_text(effects_table(report), width, style) + "\n";
  if (!report.series.empty()) text += aligned_text(turning_table(report), width, style) + "\n";
  if (const TurningPoint* point = only_point(report)) {
    text += aligned_text(forms_table(*point), width, style) + "\n";
  }
  return text + turning_text_closing_text(report);
}

std::string turning_markdown(const TurningReport& report) {
  std::string text = "## Turning points of " +
                     printable(report.subject.empty() ? report.source : report.subject) + "\n\n";
  text += facts_markdown(turning_text_head_facts(report)) + "\n";
  if (!report.effects.empty()) text += markdown_text(effects_table(report)) + "\n";
  text += markdown_text(turning_table(report)) + "\n";
  for (const TurningSeries& series : report.series) {
    for (const std::string& line : evidence_lines(report, series)) text += "- " + line + "\n";
  }
  if (const TurningPoint* point = only_point(report)) {
    text += "\n" + markdown_text(forms_table(*point));
  }
  return text + "\n" + turning_text_closing_text(report);
}

}  // namespace opbench

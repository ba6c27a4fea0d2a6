#include "presentation/report/compare/compare_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "base/errors/suggestion.h"
#include "base/text/display_width.h"
#include "measuring/results/percentiles.h"
#include "presentation/report/compare/compare_text.h"
#include "presentation/report/compare/winners.h"
#include "presentation/report/profile/profile_table.h"
#include "presentation/report/tables/text_table.h"
#include "presentation/report/text/fact_lines.h"
#include "presentation/report/text/machine_text.h"
#include "presentation/report/text/number_text.h"

namespace opbench {
namespace {

constexpr size_t kLabelColumns = 20;

/// A side's label, or what tells it from another side of that label.
std::string label_of(const CompareResult& result, size_t side) {
  const std::string& label = result.sides.at(side).label;
  if (std::ranges::count(result.sides, label, &ComparedVariant::label) == 1)
    return printable(label);
  if (result.sides.size() == 2) return side == 0 ? "base" : "new";
  return fmt::format("{} ({})", printable(label), side + 1);
}

/// `onednn against halide`: new against base.
std::string pair_text(const CompareResult& result, const Comparison& pair) {
  return label_of(result, pair.candidate) + " against " + label_of(result, pair.base);
}

std::string rows_text(const CompareResult& result) {
  const std::string unit = result.unit == "fused" ? "fused unit" : result.unit;
  return fmt::format("a row is a {}, layout conversions {}", printable(unit),
                     result.layouts == "counted" ? "counted in it" : printable(result.layouts));
}

std::string noise_text(const CompareNoise& noise) {
  if (noise.advice.starts_with(noise.noise_class)) return printable(noise.advice);
  return printable(noise.advice.empty() ? noise.noise_class
                                        : noise.noise_class + ": " + noise.advice);
}

void add_margin(const CompareResult& result, Facts& facts) {
  facts.emplace_back("floor",
                     result.noise.floor_percent
                         ? fmt::format("{:.1f} %: what a variant and itself (A/A) differ by",
                                       *result.noise.floor_percent)
                         : "not known: no variant was measured against itself (A/A)");
  facts.emplace_back("margin",
                     fmt::format("{} %, or twice a unit's own floor where that is more; less does "
                                 "not count as a difference",
                                 exact_text(result.margin_percent)));
  if (!result.correction.empty()) {
    facts.emplace_back("margin", "for many units at once: " + printable(result.correction));
  }
}

Facts compare_table_head_facts(const CompareResult& result) {
  Facts facts;
  const bool has_batch = std::ranges::any_of(result.sides, [&](const ComparedVariant& side) {
    return side.batch_size != result.sides.front().batch_size;
  });
  std::string model = printable(result.model);
  if (!result.source.empty()) model += " (" + printable(result.source) + ")";
  if (!has_batch && !result.sides.empty()) {
    model += fmt::format(", batch {}", result.sides.front().batch_size);
  }
  facts.emplace_back("model", model);
  if (result.is_forced) {
    const std::string fields = printable(join(result.incomparable));
    facts.emplace_back("FORCED", "what is not comparable was compared" +
                                     (fields.empty() ? "" : "; these differ: " + fields));
  }
  for (size_t i = 0; i < result.sides.size(); ++i) {
    const char* label = result.sides.size() > 2 ? "variant" : i == 0 ? "base" : "new";
    facts.emplace_back(label, side_text(result.sides[i], has_batch));
  }
  std::string how = fmt::format("{} cache, seed {}", result.cache, result.seed);
  if (!result.target.empty()) how = printable(result.target) + ", " + how;
  facts.emplace_back("target", how);
  facts.emplace_back("rows", rows_text(result));
  for (const std::string& line : machine_lines(result.environment)) {
    facts.emplace_back("machine", line);
  }
  facts.emplace_back("noise", noise_text(result.noise));
  add_margin(result, facts);
  for (const std::string& warning : result.warnings) {
    facts.emplace_back("warning", printable(warning));
  }
  return facts;
}

std::string compare_table_time_text(const std::optional<Measurement>& time) {
  return time ? ms_text(time->median_ms) : "-";
}

bool is_explained(const CompareUnit& unit) {
  return !unit.reason.empty() && (!unit.verdict || unit.verdict == Verdict::kInconclusive);
}

/// Why it has no clear verdict, and which side is wrong.
std::vector<std::string> explanations_of(const CompareUnit& unit) {
  std::vector<std::string> lines;
  if (is_explained(unit)) lines.push_back(printable(unit.reason));
  if (!unit.remark.empty()) lines.push_back(printable(unit.remark));
  return lines;
}

TextRow pair_row(const CompareResult& result, const Comparison& pair, const CompareUnit& unit) {
  TextRow row;
  row.cells = {printable(unit.identity.operator_text),
               printable(short_shapes(unit.identity)),
               std::to_string(unit.count),
               compare_table_time_text(unit.base),
               compare_table_time_text(unit.candidate),
               verdict_text(unit),
               change_text(unit),
               unit.floor_percent ? fmt::format("{:.1f} %", *unit.floor_percent) : "-"};
  for (const auto& [side, time] :
       {std::pair(pair.base, &unit.base), std::pair(pair.candidate, &unit.candidate)}) {
    if (result.sides.at(side).device.empty()) continue;
    const std::optional<double> ms = *time ? device_ms(**time) : std::nullopt;
    row.cells.push_back(ms ? ms_text(*ms) : "-");
  }
  for (const std::string& line : explanations_of(unit)) row.below.push_back(line);
  row.is_emphasised = unit.verdict == Verdict::kSlower || unit.verdict == Verdict::kFaster;
  return row;
}

TextTable empty_pair_table(const CompareResult& result, const Comparison& pair) {
  const auto header = [&](size_t side) { return shorten(label_of(result, side), kLabelColumns); };
  TextTable table;
  table.columns = {
      {.header = "operator", .shrinks_to = 14},
      {.header = "shapes", .shrinks_to = 10},
      {.header = "count", .is_right_aligned = true, .drop_order = 2},
      {.header = header(pair.base), .is_right_aligned = true, .shrinks_to = 8, .unit = "ms"},
      {.header = header(pair.candidate), .is_right_aligned = true, .shrinks_to = 8, .unit = "ms"},
      {.header = "verdict"},
      {.header = "change", .shrinks_to = 13, .shrinks_last = true},
      {.header = "floor", .is_right_aligned = true, .drop_order = 1}};
  for (const size_t side : {pair.base, pair.candidate}) {
    if (result.sides.at(side).device.empty()) continue;
    table.columns.push_back({.header = header(side) + " device",
                             .is_right_aligned = true,
                             .shrinks_to = 8,
                             .drop_order = 3,
                             .unit = "ms event"});
  }
  return table;
}

TextTable pair_table(const CompareResult& result, const Comparison& pair) {
  TextTable table = empty_pair_table(result, pair);
  for (const CompareUnit& unit : pair.units) table.rows.push_back(pair_row(result, pair, unit));
  return table;
}

TextTable winner_table(const CompareResult& result) {
  TextTable table;
  table.columns = {{.header = "operator", .shrinks_to = 16},
                   {.header = "shapes", .shrinks_to = 12},
                   {.header = "count", .is_right_aligned = true, .drop_order = 1}};
  std::vector<std::string> labels;
  for (size_t i = 0; i < result.sides.size(); ++i) {
    labels.push_back(label_of(result, i));
    table.columns.push_back({.header = shorten(labels.back(), kLabelColumns),
                             .is_right_aligned = true,
                             .shrinks_to = 8,
                             .unit = "ms"});
  }
  table.columns.push_back({.header = "fastest", .shrinks_to = 12});
  const auto add = [&](const Standing& standing, const std::string& count) {
    TextRow row{.cells = {printable(standing.identity.operator_text),
                          printable(short_shapes(standing.identity)), count}};
    for (const std::optional<double>& time : standing.median_ms) {
      row.cells.push_back(time ? ms_text(*time) : "-");
    }
    row.cells.push_back(winner_text(standing, labels));
    table.rows.push_back(std::move(row));
  };
  for (const Standing& standing : unit_standings(result)) {
    add(standing, std::to_string(standing.count));
  }
  add(model_standing(result), "");
  return table;
}

/// What stands below the rows of a pair, except the model's verdict and the count.
std::vector<std::string> closing_lines(const CompareResult& result, const Comparison& pair) {
  std::vector<std::string> lines;
  for (const auto& [side, time] :
       {std::pair(pair.base, &pair.model.base), std::pair(pair.candidate, &pair.model.candidate)}) {
    std::string line = copies_text(label_of(result, side), *time);
    if (!line.empty()) lines.push_back(std::move(line));
  }
  if (const std::string open = open_text(pair.units); !open.empty()) lines.push_back(open);
  if (pair.differences.empty()) {
    lines.emplace_back("what differs between the variants: nothing that is recorded");
  }
  for (const std::string& difference : pair.differences) {
    lines.push_back("differs: " + printable(difference));
  }
  return lines;
}

/// Whether each side's results are right: before any time counts.
std::vector<std::string> check_lines(const CompareResult& result) {
  std::vector<std::string> lines;
  for (size_t i = 0; i < result.sides.size(); ++i) {
    std::string line = check_line(result.sides[i].engine, result.sides[i].check);
    if (line.empty()) continue;
    line.pop_back();
    lines.push_back(label_of(result, i) + ": " + printable(line));
  }
  return lines;
}

/// Who wins among more than two sides.
std::string winner_sentence(const CompareResult& result) {
  const Standing model = model_standing(result);
  if (model.winner) return label_of(result, *model.winner) + " is the fastest for the model";
  if (!model.unbeaten.empty()) {
    std::vector<std::string> labels;
    for (const size_t side : model.unbeaten) labels.push_back(label_of(result, side));
    return join(labels, " or ") + " is the fastest for the model; the others are behind";
  }
  if (model.tied.empty()) return "no variant is known to be the fastest for the model";
  if (model.tied.size() == result.sides.size()) return "all variants are the same for the model";
  std::vector<std::string> labels;
  for (const size_t side : model.tied) labels.push_back(label_of(result, side));
  return join(labels, " and ") + " tie for the model";
}

/// `**model 1.9 % faster (1.5 to 2.3 %)**, 10.2 ms to 10.0 ms; 2 units slower, 41 same`
std::string pair_outcome(const Comparison& pair) {
  std::string text = outcome_text(pair);
  if (!text.empty()) text = "**" + escaped_markdown(text) + "**";
  if (const std::string times = outcome_times(pair); !times.empty()) text += ", " + times;
  return (text.empty() ? "" : text + "; ") + counts_text(pair.units);
}

/// The same for a terminal.
std::vector<std::string> outcome_lines(const Comparison& pair, const TextStyle& style) {
  std::vector<std::string> lines;
  std::string text = outcome_text(pair);
  if (const std::string times = outcome_times(pair); !times.empty()) text += ", " + times;
  if (!text.empty()) lines.push_back(style.bold(text));
  lines.push_back(counts_text(pair.units));
  return lines;
}

std::string markdown_cells(TextTable table) {
  for (TextColumn& column : table.columns) column.header = escaped_markdown(column.header);
  for (TextRow& row : table.rows) {
    for (std::string& cell : row.cells) cell = escaped_markdown(cell);
  }
  return markdown_text(table);
}

std::string folded(const std::string& summary, const std::string& text) {
  return "\n<details><summary>" + summary + "</summary>\n\n" + text + "\n</details>\n";
}

std::string pair_markdown(const CompareResult& result, const Comparison& pair) {
  TextTable shown = empty_pair_table(result, pair);
  TextTable same = shown;
  shown.columns.push_back({.header = "why"});
  for (const CompareUnit& unit : pair.units) {
    TextRow row = pair_row(result, pair, unit);
    if (unit.verdict == Verdict::kSame && unit.remark.empty()) {
      same.rows.push_back(std::move(row));
      continue;
    }
    row.cells.push_back(join(explanations_of(unit), "; "));
    shown.rows.push_back(std::move(row));
  }
  std::string text;
  if (!shown.rows.empty()) text += "\n" + markdown_cells(shown);
  if (!same.rows.empty()) {
    text += folded(
        fmt::format("{} unit{} the same", same.rows.size(), same.rows.size() == 1 ? "" : "s"),
        markdown_cells(same));
  }
  text += "\n";
  for (const std::string& line : closing_lines(result, pair))
    text += "- " + escaped_markdown(line) + "\n";
  return text;
}

}  // namespace

std::string compare_table(const CompareResult& result, int width, const TextStyle& style) {
  std::string text = facts_text(compare_table_head_facts(result), style) + "\n";
  const bool is_wide = result.sides.size() > 2;
  if (is_wide) text += aligned_text(winner_table(result), width, style) + "\n";
  for (const Comparison& pair : result.comparisons) {
    if (is_wide) text += style.bold(pair_text(result, pair)) + "\n";
    if (!pair.units.empty()) text += aligned_text(pair_table(result, pair), width, style) + "\n";
    for (const std::string& line : outcome_lines(pair, style)) text += line + "\n";
    for (const std::string& line : closing_lines(result, pair)) text += line + "\n";
    if (is_wide) text += "\n";
  }
  if (result.comparisons.empty()) text += "nothing was compared\n";
  for (const std::string& line : check_lines(result)) text += line + "\n";
  return text;
}

std::string compare_markdown(const CompareResult& result) {
  const bool is_wide = result.sides.size() > 2;
  std::string text = result.comparisons.empty() ? "nothing was compared"
                     : is_wide ? "**" + escaped_markdown(winner_sentence(result)) + "**"
                               : pair_outcome(result.comparisons.front());
  if (result.is_forced) text += " (FORCED: compared although not comparable)";
  text += "\n";
  if (is_wide) text += "\n" + markdown_cells(winner_table(result));
  for (const Comparison& pair : result.comparisons) {
    if (is_wide) {
      text +=
          "\n### " + escaped_markdown(pair_text(result, pair)) + "\n\n" + pair_outcome(pair) + "\n";
    }
    text += pair_markdown(result, pair);
  }
  Facts facts;
  for (const auto& [label, fact] : compare_table_head_facts(result)) {
    facts.emplace_back(label, escaped_markdown(fact));
  }
  std::string how = facts_markdown(facts);
  for (const std::string& line : check_lines(result)) how += "- " + escaped_markdown(line) + "\n";
  return text + folded("what was compared, and how", how);
}

}  // namespace opbench

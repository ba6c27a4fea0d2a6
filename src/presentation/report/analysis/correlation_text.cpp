#include "presentation/report/analysis/correlation_text.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/errors/suggestion.h"
#include "base/text/display_width.h"
#include "presentation/report/chart/chart.h"
#include "presentation/report/text/fact_lines.h"
#include "presentation/report/text/number_text.h"

namespace opbench {
namespace {

std::string measure_text(const std::optional<Dependence>& measure) {
  return measure ? fmt::format("{:.2f}", measure->value) : "-";
}

/// The smallest corrected chance: what the verdict rests on.
std::string chance_text(const FactorCorrelation& factor) {
  std::optional<double> least;
  for (const auto& measure : {factor.spearman, factor.distance, factor.information}) {
    if (measure && (!least || measure->corrected < *least)) least = measure->corrected;
  }
  if (!least) return "-";
  return *least < 0.001 ? "< 0.001" : fmt::format("{:.3f}", *least);
}

std::string bin_text(const FactorCorrelation& factor) {
  const FactorBin& bin = factor.shape.bins[factor.shape.fastest];
  if (!factor.words.empty()) return printable(factor.words[factor.shape.fastest]);
  if (bin.low == bin.high) return tick_text(bin.low);
  return tick_text(bin.low) + " to " + tick_text(bin.high);
}

/// Never a bound alone that another bin beats.
std::string monotone_text(const FactorCorrelation& factor) {
  const char* const bound = factor.shape.falls ? "upper" : "lower";
  if (is_fast_at_bound(factor.shape)) return fmt::format("monotone: push to the {} bound", bound);
  return fmt::format("monotone but for noise: try {} and the {} bound", bin_text(factor), bound);
}

Facts task_facts(const CorrelationReport& report, const TaskCorrelation& task) {
  Facts facts;
  if (!task.task.empty()) facts.emplace_back("task", printable(task.task));
  if (!task.target.empty()) facts.emplace_back("target", printable(task.target));
  std::string rows = fmt::format("{}", task.rows);
  if (!task.task.empty()) {
    rows += fmt::format(" of {} workload{}", task.workloads, task.workloads == 1 ? "" : "s");
  }
  if (task.failed > 0 && report.of == CorrelationOf::kTime) {
    rows += fmt::format("; {} without a time are left out", task.failed);
  }
  if (task.left_out > 0) {
    rows += fmt::format("; {} are left out, as their workloads have fewer than 8", task.left_out);
  }
  facts.emplace_back(task.task.empty() ? "rows" : "trials", rows);
  if (task.table.sampled < task.table.rows) {
    facts.emplace_back("sample", fmt::format("{} random rows of {} for dCor and MI",
                                             task.table.sampled, task.table.rows));
  }
  return facts;
}

Facts correlation_text_head_facts(const CorrelationReport& report) {
  Facts facts = {{"source", printable(report.source)}};
  const bool is_time = report.of == CorrelationOf::kTime;
  const bool is_sweep = report.tasks.size() == 1 && report.tasks[0].task.empty();
  std::string of = is_time ? "time" : "failure";
  if (!is_sweep) of += report.is_across ? ", across workloads" : ", within each workload";
  facts.emplace_back("of", of);
  for (const std::string& note : report.notes) facts.emplace_back("note", printable(note));
  return facts;
}

constexpr const char* kClosing =
    "rho: Spearman; dCor: distance correlation; MI: mutual information over the entropy of time; "
    "share: of\nthe variance; effect: slowest over fastest bin's median; p: smallest of the "
    "factor, corrected over the\ntable (Benjamini-Hochberg).\n";

}  // namespace

std::string verdict_text(const FactorCorrelation& factor) {
  switch (factor.verdict) {
    case FactorVerdict::kNotVaried:
      return "not varied";
    case FactorVerdict::kTooFew:
      return fmt::format("no dependence seen, but {} rows are too few to drop it", factor.rows);
    case FactorVerdict::kMonotone:
      return monotone_text(factor);
    case FactorVerdict::kTurning:
      return "not monotone: look for a turning point";
    case FactorVerdict::kWords:
      return "depends: choose " + bin_text(factor);
    case FactorVerdict::kIndependent:
      break;
  }
  return "no dependence: drop it from tuning";
}

TextTable correlation_table(const TaskCorrelation& task, CorrelationOf of) {
  TextTable table;
  table.columns = {{.header = "factor"},
                   {.header = "values", .is_right_aligned = true},
                   {.header = "rho", .is_right_aligned = true},
                   {.header = "dCor", .is_right_aligned = true},
                   {.header = "MI", .is_right_aligned = true, .drop_order = 1},
                   {.header = "p", .is_right_aligned = true},
                   {.header = "share", .is_right_aligned = true, .drop_order = 2},
                   {.header = "effect", .is_right_aligned = true},
                   {.header = "fastest at", .is_right_aligned = true},
                   {.header = "verdict"}};
  for (const FactorCorrelation& factor : task.table.factors) {
    const bool has_shape = !factor.shape.bins.empty();
    const bool has_effect = has_shape && of == CorrelationOf::kTime;
    table.rows.push_back(
        {{printable(factor.factor), std::to_string(factor.distinct), measure_text(factor.spearman),
          measure_text(factor.distance), measure_text(factor.information), chance_text(factor),
          has_shape ? percent_text(factor.shape.share) : "-",
          has_effect ? percent_text(factor.shape.effect) : "-", has_effect ? bin_text(factor) : "-",
          verdict_text(factor)}});
  }
  return table;
}

std::string correlation_text(const CorrelationReport& report, int width, const TextStyle& style) {
  std::string text = facts_text(correlation_text_head_facts(report), style);
  for (const TaskCorrelation& task : report.tasks) {
    text += "\n" + facts_text(task_facts(report, task), style);
    if (!task.failure.empty()) {
      text += "nothing to say: " + task.failure + "\n";
    } else {
      text += "\n" + aligned_text(correlation_table(task, report.of), width, style);
    }
  }
  return text + "\n" + kClosing;
}

std::string correlation_markdown(const CorrelationReport& report) {
  std::string text = "## What " +
                     std::string(report.of == CorrelationOf::kTime ? "time" : "failure") +
                     " depends on\n\n" + facts_markdown(correlation_text_head_facts(report));
  for (const TaskCorrelation& task : report.tasks) {
    text += "\n" + facts_markdown(task_facts(report, task)) + "\n";
    text += task.failure.empty() ? markdown_text(correlation_table(task, report.of))
                                 : "Nothing to say: " + task.failure + "\n";
  }
  return text + "\n" + kClosing;
}

std::string correlation_csv(const CorrelationReport& report) {
  TextTable table;
  for (const char* name :
       {"task", "target", "factor", "rows", "values", "verdict", "pearson", "pearson_p",
        "elasticity", "spearman", "spearman_p", "distance_correlation", "distance_correlation_p",
        "mutual_information", "mutual_information_p", "share", "effect", "fastest_low",
        "fastest_high"}) {
    table.columns.push_back({.header = name});
  }
  for (const TaskCorrelation& task : report.tasks) {
    for (const FactorCorrelation& factor : task.table.factors) {
      std::vector<std::string> cells = {task.task,
                                        task.target,
                                        factor.factor,
                                        std::to_string(factor.rows),
                                        std::to_string(factor.distinct),
                                        std::string(name_of(factor.verdict))};
      const auto add = [&](const std::optional<Dependence>& measure) {
        cells.push_back(measure ? exact_text(measure->value) : "");
        cells.push_back(measure ? exact_text(measure->corrected) : "");
      };
      add(factor.pearson);
      cells.push_back(exact_text(factor.elasticity));
      add(factor.spearman);
      add(factor.distance);
      add(factor.information);
      const bool has_shape = !factor.shape.bins.empty();
      const FactorBin bin = has_shape ? factor.shape.bins[factor.shape.fastest] : FactorBin{};
      for (const double value : {factor.shape.share, factor.shape.effect, bin.low, bin.high}) {
        cells.push_back(has_shape ? exact_text(value) : "");
      }
      table.rows.push_back({std::move(cells)});
    }
  }
  return csv_text(table);
}

}  // namespace opbench

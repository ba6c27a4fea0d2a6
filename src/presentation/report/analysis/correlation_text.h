#pragma once

#include <string>

#include "experiments/analysis/correlation_report.h"
#include "presentation/report/tables/text_table.h"
#include "presentation/report/text/text_style.h"

namespace opbench {

/// A row a factor: what it varies over, the measures, the effect on the time (of `of` time), and
/// what to do.
TextTable correlation_table(const TaskCorrelation& task, CorrelationOf of);

/// The report for people: a table for each task. `width` 0: no limit.
std::string correlation_text(const CorrelationReport& report, int width, const TextStyle& style);

/// The same as Markdown.
std::string correlation_markdown(const CorrelationReport& report);

/// One line a factor, numbers in full precision, empty where there is none.
std::string correlation_csv(const CorrelationReport& report);

/// `monotone: push to the upper bound`, `no dependence: drop it from tuning`, …
std::string verdict_text(const FactorCorrelation& factor);

}  // namespace opbench

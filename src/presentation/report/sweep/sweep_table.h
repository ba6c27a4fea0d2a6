#pragma once

#include <string>

#include "measuring/results/sweep_result.h"
#include "presentation/report/tables/text_table.h"
#include "presentation/report/text/text_style.h"

namespace opbench {

/// A row a point: the keys, the time with half its interval, the time an item of a batch, rates,
/// what bounds it, and how many times faster it is than the first of its series.
TextTable sweep_table(const SweepResult& result);

/// The report for people: what was swept and where, then the table. `width` 0: no limit.
std::string sweep_text(const SweepResult& result, int width, const TextStyle& style);

/// The same as Markdown.
std::string sweep_markdown(const SweepResult& result);

/// One line a point, numbers in full precision, empty where there is none.
std::string sweep_csv(const SweepResult& result);

/// `3 of 12 points failed`; empty when none did.
std::string sweep_summary(const SweepResult& result);

}  // namespace opbench

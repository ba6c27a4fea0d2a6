#pragma once

#include <string>

#include "measuring/results/compare_result.h"
#include "presentation/report/text/text_style.h"

namespace opbench {

/// The report for people: what was compared and how; with three or more sides who is fastest at
/// each unit; then for every pair a row a unit, the verdict on the model, what would decide the
/// rest, and what differs between the sides. `width` 0: no limit.
std::string compare_table(const CompareResult& result, int width, const TextStyle& style);

/// The same for a pull request: the outcome in one sentence first, units that are the same folded.
std::string compare_markdown(const CompareResult& result);

/// One line a unit and one for the model (operator `model`), of every pair; numbers in full
/// precision, empty where there is none.
std::string compare_csv(const CompareResult& result);

}  // namespace opbench

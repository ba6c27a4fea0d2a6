#pragma once

#include <string>

#include "experiments/analysis/turning_report.h"
#include "presentation/report/tables/text_table.h"
#include "presentation/report/text/text_style.h"

namespace opbench {

/// A row a series: where its time is least, what is enough, its knee; below it the evidence.
TextTable turning_table(const TurningReport& report);

/// The report for people: the effects of several axes, the turning points, and of an only series
/// the forms that were fitted. `width` 0: no limit.
std::string turning_text(const TurningReport& report, int width, const TextStyle& style);

/// The same as Markdown.
std::string turning_markdown(const TurningReport& report);

/// One line a series, numbers in full precision, empty where there is none.
std::string turning_csv(const TurningReport& report);

/// `step between 11 and 12`, `saturates at 29`, `none`.
std::string knee_text(const Knee& knee);

}  // namespace opbench

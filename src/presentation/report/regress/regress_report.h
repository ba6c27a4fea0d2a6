#pragma once

#include <string>

#include "presentation/report/tables/text_table.h"
#include "presentation/report/text/text_style.h"
#include "watching/series/alert.h"

namespace opbench {

/// A row an alert, its largest change in it; what else belongs to it in lines below.
TextTable alert_table(const RegressReport& report);

/// Everything for a terminal or a file; says so where nothing was found. `width` as aligned_text.
std::string regress_text(const RegressReport& report, int width, const TextStyle& style);

/// The same as Markdown, for a pull request.
std::string regress_markdown(const RegressReport& report);

/// A test case for each alert; confirmed slow-downs are failures, suspicions are skipped ones.
std::string regress_junit(const RegressReport& report);

/// Workflow commands of GitHub Actions: an error for each confirmed slow-down, else warnings and
/// notices.
std::string regress_github(const RegressReport& report);

/// `+6.1 % [+5.2, +7.0]`
std::string change_text(const AlertRow& row);

/// `2 confirmed regressions, 1 improvement, 3 suspicions, 1 of missing results`; `nothing`.
std::string found_text(const RegressReport& report);

}  // namespace opbench

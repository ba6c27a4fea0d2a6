#pragma once

#include <string>
#include <vector>

#include "measuring/results/profile_result.h"
#include "presentation/report/text/text_style.h"

namespace opbench {

/// The report for people: what was measured and where, a table for every engine and thread count
/// with the sum of its unit times, and all of them side by side when there are several.
/// `width` 0: no limit.
std::string profile_table(const ProfileResult& result, int width, const TextStyle& style);

/// The same as Markdown.
std::string profile_markdown(const ProfileResult& result);

/// One line a unit of every engine, then one for its model; numbers in full precision, empty where
/// there is none.
std::string profile_csv(const ProfileResult& result);

/// The lines below a table: the sum against the whole, the key operators, the check.
std::string closing_text(const EngineResult& engine, const std::string& scope,
                         const std::vector<double>& percentiles = {});

/// Whether the engine's results were right, and against whom they were held; empty when there is
/// nothing to say.
std::string check_line(const std::string& engine, const CheckResult& check);

}  // namespace opbench

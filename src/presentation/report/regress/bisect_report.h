#pragma once

#include <string>

#include "base/json/json.h"
#include "experiments/regress/bisect_run.h"
#include "presentation/report/tables/text_table.h"
#include "presentation/report/text/text_style.h"

namespace opbench {

/// A row a commit, oldest first: what its build is, how much slower than the good one with its 95 %
/// interval, pairs; below it why it was skipped.
TextTable bisect_table(const BisectProgress& progress);

/// `+5.1 % (+4.8 … +5.4 %)`: what a logarithm of a ratio means for a time.
std::string change_text(const Estimate& log_ratio);

/// Which commit it was, how much it changed, and the pairs that were taken: lines for people.
std::string bisect_summary(const BisectProgress& progress);

/// The summary below the table.
std::string bisect_text(const BisectProgress& progress, int width, const TextStyle& style);

/// {"schema": "opbench.bisect/1", "target": {"subject", "engine", "threads", "unit"}, "outcome",
/// "culprit": {"commit", "subject"}, "last_good", "first_bad", "ends": {"percent", "low_percent",
/// "high_percent"}, "effect": the same, "share", "pairs", "builds", "commits": [{"commit",
/// "subject", "side", "pairs", "percent", "low_percent", "high_percent", "skipped"}]}, null for
/// what is not known. Outcomes: found, range, unsure, no_effect, open.
Json bisect_report_json(const BisectProgress& progress);

}  // namespace opbench

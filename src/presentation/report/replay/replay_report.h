#pragma once

#include <string>

#include "presentation/report/tables/text_table.h"
#include "presentation/report/text/text_style.h"
#include "records/record/replay_result.h"

namespace opbench {

/// One row a record: then, now, their ratio, the verdict; below it the reason of a verdict other
/// than `reproduced`.
TextTable replay_table(const ReplayResult& result);

/// The table for people, then the environment's fields that differ (once for all records that
/// share them, machine and software first) unless everything was reproduced, then a summary.
std::string replay_text(const ReplayResult& result, int width, const TextStyle& style);

/// {"schema": "opbench.replay/1", "records": [{"record", "record_id", "scope", "workload",
/// "engine", "threads", "then_ms", "now_ms", "ratio", "margin", "verdict", "reason",
/// "differences"}], "reproduced", "total"} with null for what there is not.
Json replay_json(const ReplayResult& result);

/// `1 of 5 failed, 3 of 5 were not reproduced`; empty when all were.
std::string replay_summary(const ReplayResult& result);

/// How many records have that verdict.
size_t count_of(const ReplayResult& result, ReplayOutcome outcome);

}  // namespace opbench

#pragma once

#include <string>

#include "base/json/json.h"
#include "experiments/plan/plan_session.h"
#include "presentation/report/tables/text_table.h"
#include "presentation/report/text/text_style.h"

namespace opbench {

/// A row a planner: predicted time, speed-up with interval, its share of what the ceiling allows,
/// how far it is from the ceiling's bound and from the optimum.
TextTable plan_table(const PlanResult& result);

/// What was planned for, the ceiling, the table, the choice and why, and its timeline.
std::string plan_text(const PlanResult& result, int width, const TextStyle& style);

/// The plan file, with a list `candidates` besides.
Json plan_json(const PlanResult& result);

/// A line a worker over the simulated time: `#` alone on a unit, `=` in a team, `.` waiting.
std::string timeline_text(const ExecutionPlan& plan, const Timeline& timeline, int width);

/// The share of the makespan in which two units or more run side by side.
double overlap_share(const ExecutionPlan& plan, const Timeline& timeline);

/// The plan's simulated times as a Chrome trace (chrome://tracing, Perfetto): a thread a worker.
Json trace_json(const PlanFile& file, const Timeline& timeline);

}  // namespace opbench

#pragma once

#include <string>

#include "base/errors/error.h"
#include "base/json/json.h"
#include "planning/plans/plan_file.h"
#include "prediction/interference/interference_file.h"
#include "presentation/web/store/web_store.h"

namespace opbench {

/// The plans that the store keeps, as rows of `Plans.plans`, the newest first; at most 100. A file
/// that is no plan is a row with `fault`.
Json plan_rows(const WebStore& store);

/// The same of reports of interference: rows of `Plans.interference`.
Json interference_rows(const WebStore& store);

/// `PlanTimeline`: what each worker runs when. `kInvalidInput` for a plan that cannot run.
Result<Json> timeline_answer(const PlanFile& plan);

/// `InterferenceMatrix`: how much each unit is slowed down beside each other one.
Json matrix_answer(const InterferenceFile& report);

}  // namespace opbench

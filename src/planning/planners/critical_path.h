#pragma once

#include "planning/planners/schedule_draft.h"

namespace opbench {

/// HEFT (Topcuoglu and others 2002): of the units that are ready the one with the longest way to
/// the end comes first, on the team that ends it first, of the first `teams` sizes of the graph.
ScheduleDraft by_critical_path(const TimedGraph& timed, int workers, size_t teams);

}  // namespace opbench

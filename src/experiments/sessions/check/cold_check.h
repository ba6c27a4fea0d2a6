#pragma once

#include <string>

#include "experiments/sessions/request/profile_request.h"
#include "measuring/results/profile_result.h"
#include "model/operators/workloads/workload.h"

namespace opbench {

/// Bytes that no call can do without fetching when the caches hold nothing of its operands, or
/// nothing of its weights: the result and the operands that are read whole. Left out are tables of
/// which a call reads some rows, inputs that a window jumps over, and what a view only renames.
double bytes_to_fetch(const Workload& workload, CacheMode cache);

/// Fills `unit.is_cold`, or why that is not known: false when the unit's time alone is so short
/// that its bytes came faster than 1.05 times what memory delivers, so that some of them were still
/// in a cache. `workload` may be null.
void check_cold(UnitResult& unit, const Workload* workload, const EngineResult& engine,
                CacheMode cache);

/// What the rows that are not cold mean, in one line; empty when there are none.
std::string cold_warning(const EngineResult& engine, CacheMode cache);

}  // namespace opbench

#pragma once

#include <string>
#include <vector>

#include "experiments/sessions/request/profile_request.h"
#include "measuring/results/profile_result.h"
#include "measuring/results/sweep_result.h"
#include "records/record/replay.h"

namespace opbench {

/// Fills what came out of a point from its engine's result. The time is that of the workload's unit
/// alone; of a model, and where the engine gives no such time, end to end. Rates of a model are
/// sums over its units. Without a time, `failure` says why.
/// `cache`: the mode asked for; a time end to end is none for a cold one, as a model runs on what
/// its last run left in the caches.
void fill_point(SweepPoint& point, const EngineResult& engine, CacheMode cache);

/// Keeps a workload's time end to end, where there is none of its unit alone, among the metrics of
/// the first of the point's records: a workload has no record of a model.
void add_end_to_end(const SweepPoint& point, std::vector<BenchmarkRecord>& records);

/// The result that records of one engine and thread count of one run were made from, as far as
/// they hold it. `items` is not empty.
EngineResult engine_result_of(const std::vector<const ReplayItem*>& items);

}  // namespace opbench

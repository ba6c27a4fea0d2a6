#pragma once

#include <string>
#include <vector>

#include "experiments/sessions/engine_run.h"
#include "machine/ceilings/ceilings.h"
#include "measuring/sampling/in_place.h"
#include "measuring/sampling/procedure.h"

namespace opbench {

/// The row of a group of equal units, without times.
UnitResult untimed_row(const EngineRun& engine_run, const UnitGroup& group);

/// Fills `engine_run.found.result.units` from what was measured: a row a group of equal units, by
/// total time, largest first, with shares, rates and reproducers. `in_place_s`: seconds of each of
/// the engine run's units inside the running model; empty if unknown (a list of another length
/// counts as that). Adds to `engine_run.built.warnings` when rows are not as cold as the request's
/// cache mode wants them.
void fill_rows(EngineRun& engine_run, const SamplingResult& samples,
               const std::vector<double>& in_place_s, const Ceilings& ceilings);

/// Rows for an engine's own nodes, as its `profile` reply names them (JSON list of `units`). FLOPs
/// and bytes are those of the model's nodes that they stand for.
void fill_rows_of_engine(EngineRun& engine_run, const Json& units,
                         const std::vector<double>& in_place_s, const Ceilings& ceilings,
                         const Model& model);

}  // namespace opbench

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/errors/error.h"
#include "engines/runtime/program.h"
#include "experiments/sessions/engine_run.h"
#include "planning/graphs/timed_graph.h"
#include "planning/plans/plan_file.h"

namespace opbench {

/// What reading weights again saves, by model.
struct ReuseCost {
  double ms_per_byte = 0;  ///< less than to read what is farther away
  int64_t most_bytes = 0;  ///< of weights that are known to stay in a core's own cache
};

/// Measured on the CPU, for weights of up to kRereadBytes: virtual machines do not tell how large
/// caches are. Nothing is saved where the CPU reads no faster again.
ReuseCost reuse_cost_of(int cpu);

/// The largest weights that a step reads: where they begin, how large they are; nothing without
/// weights.
struct StepWeights {
  int64_t offset = 0, bytes = 0;
};
std::optional<StepWeights> largest_weights(const Program& program, const Step& step);

/// Numbers the weights that several units read, and sets what a worker saves that reads them again.
/// A unit right behind one of the same weights has saved it when it was timed: it saves nothing
/// more. `program` has the graph's units as steps; times are set.
void set_reuse(const Program& program, const ReuseCost& cost, TimedGraph& timed);

/// Bytes of values that step `maker` writes and step `reader` reads, each byte once, as they lie in
/// memory.
int64_t carried_bytes(const Program& program, int maker, int reader);

/// The program of the package that the engine run's engine prepares. `kSystem` when it cannot be
/// read.
Result<Program> program_of(const EngineRun& engine_run);

/// The units of packages for teams of different sizes (an engine run each), with an edge wherever a
/// step reads what another wrote last. `kInvalidInput` where the packages do not consist of the
/// same units; `kSystem` when a package cannot be read.
Result<UnitGraph> graph_of_runs(const std::vector<EngineRun>& engine_runs);

/// What each of its units is.
std::vector<UnitIdentity> facts_of(const EngineRun& engine_run);

/// SHA-256 over what names the kernels of all engine runs: version of the schedules, workload,
/// layouts, schedule and origin.
std::string kernels_sha256(const std::vector<EngineRun>& engine_runs);

}  // namespace opbench

#pragma once

#include <atomic>
#include <filesystem>
#include <functional>
#include <set>
#include <string>
#include <vector>

#include "experiments/sessions/check/check.h"
#include "experiments/sessions/check/reference.h"
#include "experiments/sessions/engine_run.h"
#include "experiments/sessions/request/profile_request.h"

namespace opbench {

/// How one engine run is reached and what it is compared with.
struct RunChecker {
  EngineRunner& runner;
  int engine = 0;  ///< the runner's index of the engine run
  const Reference& reference;
  const Model& model;
  const NamedTensors& inputs;
  const Json& fresh_inputs;      ///< tensor files that no engine has seen; null: there are none
  std::filesystem::path folder;  ///< of this engine run; what the units made stays there
  const std::atomic<bool>* cancel = nullptr;
  std::function<void(const std::string& unit, size_t done)> progress;
  std::set<std::string> wrong = {};  ///< keys of values at which the reference is known to be wrong
};

/// Checks every group of equal units once, then the whole model. A unit whose result is wrong has
/// that as its failure and gets no time; the model is timed if its own outputs are right. Where a
/// unit failed to run, the model does not run. `end_to_end_reason` says why there is no time. A
/// check that compared nothing has no error and has not passed.
void check_run(EngineRun& engine_run, const RunChecker& checker);

/// Fills `engine_run.found.result.errors`, or says why there are none.
void find_errors(EngineRun& engine_run, const RunChecker& checker);

/// The keys of all values at which a check of these engine runs found the reference to be wrong.
std::set<std::string> wrong_keys(const std::vector<EngineRun>& engine_runs);

/// Whether a checked engine run agrees with the reference at a value where that is wrong: it must
/// be checked again.
bool agrees_at(const EngineRun& engine_run, const std::set<std::string>& wrong);

/// Says of the engine runs of the reference's engine at which values it is wrong, and by how much:
/// their check has not passed, though they keep their times, and rows get remarks.
void blame_reference(std::vector<EngineRun>& engine_runs, const Reference& reference);

}  // namespace opbench

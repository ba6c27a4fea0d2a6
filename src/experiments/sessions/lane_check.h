#pragma once

#include <atomic>
#include <filesystem>
#include <functional>
#include <set>
#include <string>
#include <vector>

#include "experiments/sessions/check.h"
#include "experiments/sessions/lane.h"
#include "experiments/sessions/profile_request.h"

namespace opbench {

/// What the results of all lanes are compared with.
struct Reference {
  std::string engine;  ///< who computed the values; `expected` for those that came with the model,
                       ///< `none` when no check was asked for
  ValueFiles values;
  bool exists = false;
  std::string reason;  ///< why there are no values; empty when none are needed
  bool is_asked_for = false;  ///< by `--check`, other than `none`
  std::string note;    ///< why other values than usual: the operators' references in place of ONNX
                       ///< Runtime's; may be empty
};

struct ReferenceInputs {
  const ProfileRequest& request;
  const Model& model;
  bool has_types = false;
  const NamedTensors& inputs;
  const std::vector<Lane>& lanes;
  EngineOptions options;  ///< for the engine that computes the values
};

/// `kInvalidInput` when the engine of the user's choice cannot check: it runs no models, or it is
/// the only one that is measured; or when the folder of `expected:DIR` holds no outputs.
/// `find_engine`'s errors too.
Result<void> validate_check(const ProfileRequest& request);

/// Computes the values that the lanes' units and outputs are compared with: by the engine of the
/// user's choice; else by ONNX Runtime; else, or where that refuses the model, by the operators'
/// references; or reads the expected outputs, which alone are compared then. `kPartial` where the
/// user's choice cannot compute them, `kInvalidInput` for files that cannot be read, and
/// `kInterrupted`.
Result<Reference> make_reference(const ReferenceInputs& inputs);

/// How one lane is reached and what it is compared with.
struct LaneChecker {
  EngineRunner& runner;
  int engine = 0;  ///< the runner's index of the lane
  const Reference& reference;
  const Model& model;
  const NamedTensors& inputs;
  const Json& fresh_inputs;      ///< tensor files that no engine has seen; null: there are none
  std::filesystem::path folder;  ///< of this lane; what the units made stays there
  const std::atomic<bool>* cancel = nullptr;
  std::function<void(const std::string& unit, size_t done)> progress;
  std::set<std::string> wrong = {};  ///< keys of values at which the reference is known to be wrong
};

/// Checks every group of equal units once, then the whole model. A unit whose result is wrong has
/// that as its failure and gets no time; the model is timed if its own outputs are right. Where a
/// unit failed to run, the model does not run. `end_to_end_reason` says why there is no time. A
/// check that compared nothing has no error and has not passed.
void check_lane(Lane& lane, const LaneChecker& checker);

/// Fills `lane.result.errors`, or says why there are none.
void find_errors(Lane& lane, const LaneChecker& checker);

/// The keys of all values at which a check of these lanes found the reference to be wrong.
std::set<std::string> wrong_keys(const std::vector<Lane>& lanes);

/// Whether a checked lane agrees with the reference at a value where that is wrong: it must be
/// checked again.
bool agrees_at(const Lane& lane, const std::set<std::string>& wrong);

/// Says of the lanes of the reference's engine at which values it is wrong, and by how much: their
/// check has not passed, though they keep their times, and rows get remarks.
void blame_reference(std::vector<Lane>& lanes, const Reference& reference);

}  // namespace opbench

#pragma once

#include <string>
#include <vector>

#include "experiments/sessions/check/check.h"
#include "experiments/sessions/engine_run.h"

namespace opbench {

/// What a check calls the operators' own references.
constexpr const char* kReferences = "reference";

/// What the results of all engine runs are compared with.
struct Reference {
  std::string engine;  ///< who computed the values; `expected` for those that came with the model,
                       ///< `none` when no check was asked for
  ValueFiles values;
  bool exists = false;
  std::string reason;         ///< why there are no values; empty when none are needed
  bool is_asked_for = false;  ///< by `--check`, other than `none`
  std::string note;  ///< why other values than usual: the operators' references in place of ONNX
                     ///< Runtime's; may be empty
};

struct ReferenceInputs {
  const ModelSpec& spec;
  const MeasureOptions& measure;
  const RunHooks& hooks;
  const Model& model;
  bool has_types = false;
  const NamedTensors& inputs;
  const std::vector<EngineRun>& engine_runs;
  EngineOptions options;  ///< for the engine that computes the values
};

/// `kInvalidInput` when the engine of the user's choice cannot check: it runs no models, or it is
/// the only one that is measured; or when the folder of `expected:DIR` holds no outputs.
/// `find_engine`'s errors too.
Result<void> validate_check(const ModelSpec& spec, const MeasureOptions& measure,
                            const RunHooks& hooks, const std::vector<Variant>& variants);

/// Computes the values that the engine runs' units and outputs are compared with: by the engine of
/// the user's choice; else by ONNX Runtime; else, or where that refuses the model, by the
/// operators' references; or reads the expected outputs, which alone are compared then. `kPartial`
/// where the user's choice cannot compute them, `kInvalidInput` for files that cannot be read, and
/// `kInterrupted`.
Result<Reference> make_reference(const ReferenceInputs& inputs);

}  // namespace opbench

#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engines/catalog/engine.h"
#include "experiments/sessions/check/check.h"
#include "experiments/sessions/request/measure_options.h"
#include "experiments/sessions/request/model_spec.h"
#include "experiments/sessions/request/run_hooks.h"
#include "experiments/sessions/request/variant.h"
#include "measuring/sampling/engine_runner.h"

namespace opbench {

/// Equal units of one model: one row.
struct UnitGroup {
  std::vector<size_t> members;  ///< indices into the engine run's units
  std::string preparation;      ///< what an engine process prepared for it
  std::optional<int> unit_id;   ///< its number inside that; nothing: all of it
  std::optional<Failure> failure;
  std::string remark;                  ///< of the check: UnitResult::remark
  std::shared_ptr<const Audit> audit;  ///< what its timed calls are looked at with; may be null
  std::optional<size_t> item;          ///< in the sampling
};

/// What an engine run was asked for; it stays as it is.
struct AskedRun {
  Variant variant;
  uint64_t seed = 0;  ///< of inputs
  CacheMode cache = CacheMode::kHot;
  EngineDef definition;
  EngineOptions options;
};

/// What was made for an engine run before anything is timed.
struct BuiltRun {
  std::vector<PreparedUnit> units;  ///< known before the run; in execution order
  std::vector<UnitGroup> groups;
  std::string code_hash;    ///< of the program, or the model, with a fault that is asked for
  std::string engine_hash;  ///< of the files that its process executes; empty: not known
  bool has_model = true;    ///< the engine runs the model as a whole
  std::optional<size_t> model_item;          ///< in the sampling
  std::shared_ptr<const Audit> model_audit;  ///< what timed calls of the model are looked at with
  EngineSetup setup;
  std::vector<std::string> warnings;
};

/// What checks and times of an engine run said.
struct RunFindings {
  /// Values of the check's engine that are wrong, as the check of this engine run found.
  std::vector<WrongValue> wrong;
  /// Of the check's engine itself, by node: the remarks on its rows.
  std::map<std::string, std::string> remarks;
  std::vector<double> in_place_error_ms;  ///< by unit, once the model has run; else empty
  EngineResult result;
};

/// One engine at one thread count in a session.
struct EngineRun {
  AskedRun asked;
  BuiltRun built;
  RunFindings found;
};

/// What a row is.
enum class UnitKind {
  kOwn,    ///< what the engine runs as one kernel, in its own layouts; for engines that take single
           ///< workloads as kFused
  kFused,  ///< a node and the elementwise ones after it, as our fusion finds them: each a model of
           ///< its own with dense tensors, layout conversions inside
  kNode,   ///< every node, in the same way
};

/// What an engine run is made from.
struct RunInputs {
  const ModelSpec& spec;
  const Variant& variant;
  const MeasureOptions& measure;
  const RunHooks& hooks;
  const Model& model;  ///< as read; types complete where the engine needs them
  NamedTensors inputs;
  Json& input_files;
  std::filesystem::path folder;
  UnitKind units = UnitKind::kOwn;
};

/// How long an engine may take to load something.
constexpr Seconds kPrepareLimit{180};

/// Equal workloads in equal layouts by the same schedule are one row.
std::vector<UnitGroup> group_units(const std::vector<PreparedUnit>& units);

constexpr const char* kModelPreparation = "model";

}  // namespace opbench

#pragma once

#include <atomic>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "engines/catalog/engine.h"
#include "measuring/results/profile_result.h"
#include "measuring/sampling/call_audit.h"
#include "model/judging/judgement.h"

namespace opbench {

using NamedTensors = std::vector<std::pair<std::string, Tensor>>;

/// Values of a model as tensor files of the engine protocol, by name.
class ValueFiles {
 public:
  ValueFiles();
  ~ValueFiles();
  ValueFiles(ValueFiles&&) noexcept;
  ValueFiles& operator=(ValueFiles&&) noexcept;

  void add(const std::string& name, Json file);
  bool contains(const std::string& name) const { return files_.contains(name); }
  const Json& file(const std::string& name) const;
  Result<Tensor> tensor(const std::string& name) const;

 private:
  std::map<std::string, std::unique_ptr<Json>> files_;
};

/// The values `names` of the model for the given inputs, computed by an engine that runs models.
/// `kInvalidInput` when it does not take the model, `kSystem` when it fails, `kInterrupted` when
/// cancelled.
Result<ValueFiles> compute_values(const EngineDef& engine, const Model& model,
                                  const NamedTensors& inputs, const std::vector<std::string>& names,
                                  const EngineOptions& options);

/// The same by the operators' references. `kInvalidInput` for an operator without one,
/// `kInterrupted` when cancelled.
Result<ValueFiles> compute_references(const Model& model, const NamedTensors& inputs,
                                      const std::vector<std::string>& names,
                                      const EngineOptions& options);

/// A value of the check's engine that is wrong, as the operators' references say.
struct WrongValue {
  std::string key;                      ///< `key_of` the value
  std::string name;                     ///< of the graph
  double error = 0;                     ///< relative, from the exact value
  std::string text;                     ///< by how much, and where: judgement.h
  std::vector<std::string> nodes = {};  ///< of the unit that makes it; empty: of the whole model
};

/// Tells a value from the same one computed from others: two units may make it from different
/// operands.
std::string key_of(const std::string& value, const std::vector<std::string>& from);

/// What results are compared with.
struct Expected {
  const ValueFiles& values;  ///< by the engine of the check
  std::string engine;
  bool is_by_engine = false;     ///< not the references', and no files that came with the model
  std::set<std::string> wrong;   ///< keys of values at which that engine is known to be wrong
  const Model& model;            ///< what the values are of: it settles a disagreement
  const NamedTensors& inputs;    ///< of the model
  std::filesystem::path folder;  ///< for results
  const std::atomic<bool>* cancel = nullptr;
};

/// What a check found for one unit.
struct UnitCheck {
  std::optional<double> error;  ///< nothing: not compared
  std::optional<Failure> failure;
  bool is_settled = false;  ///< right by the exact reference, other than the engine
  std::vector<WrongValue> wrong;
  std::shared_ptr<const Audit> audit = {};  ///< its operands and results; null: it did not pass
};

/// What a check found for a whole model.
struct ModelCheck {
  CheckResult result;
  std::vector<WrongValue> wrong;
};

/// What one unit made of the values of `expected`: tensor files in the order of its results, and
/// the operands that it was given.
struct UnitRun {
  std::string operands;  ///< JSON text
  std::vector<Json> outputs;
};

/// Runs one unit by itself on the values of `expected`. Nothing where these lack an operand or the
/// unit's result. The engine's failure, or kRunError without an output.
Outcome<std::optional<UnitRun>> run_unit(const PreparationCall& call, const Json& unit_id,
                                         const PreparedUnit& unit, const Expected& expected);

/// The results of a unit by name, its first one first.
std::vector<std::string> result_names(const PreparedUnit& unit);

/// A result that a unit made in float32, in the type that the model has for it: 16 bits.
Tensor as_in_model(Tensor got, const Expected& expected, const std::string& name);

/// What a unit's results are judged by: its own operands alone. Valid as long as its arguments.
JudgedModel judged_by_operands(const PreparedUnit& unit, const Expected& expected);

/// Runs one unit by itself on reference values and judges its results (judgement.h) by its own work
/// alone: their scale and their exact values are of the same operands.
/// `unit_id` is its number inside what is prepared, or null. Not compared when the reference lacks
/// its operands or its result, or when it fails.
UnitCheck check_unit(const PreparationCall& call, const Json& unit_id, const PreparedUnit& unit,
                     const Expected& expected);

/// Runs the whole model and judges the outputs that both sides have in the same way. The operands
/// of the unit among `units` that makes an output give its scale.
ModelCheck check_model(const PreparationCall& call, const std::vector<PreparedUnit>& units,
                       const Expected& expected);

/// What a check says of results that differ from the engine's and are right: `3 units agree with
/// the exact reference where onnxruntime does not`, and by how much that is off at most.
std::string settled_text(size_t count, const std::string& thing, const std::string& engine,
                         const std::vector<WrongValue>& wrong);

/// The value that is furthest from the exact one. `wrong` is not empty.
const WrongValue& worst_of(const std::vector<WrongValue>& wrong);

/// Names of the values that softmax nodes read: compared too, since softmax hides differences.
std::vector<std::string> values_before_softmax(const Model& model);

}  // namespace opbench

#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "opbench/engine/engine.h"
#include "opbench/measure/profile_result.h"

namespace opbench {

/// max|a-b| / max|b| that a result may have.
constexpr double kTolerance = 1e-4;

/// Sends a request about one prepared thing to an engine: method, params, time limit.
using EngineCall =
    std::function<Outcome<Json>(const std::string& method, const Json& params, Seconds limit)>;

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
/// `kSystem` when it fails, `kInterrupted` when cancelled.
Result<ValueFiles> compute_values(const EngineDef& engine, const Model& model,
                                  const NamedTensors& inputs, const std::vector<std::string>& names,
                                  const EngineOptions& options);

/// The same by the operators' references. `kInvalidInput` for an operator without one,
/// `kInterrupted` when cancelled.
Result<ValueFiles> compute_references(const Model& model, const NamedTensors& inputs,
                                      const std::vector<std::string>& names,
                                      const EngineOptions& options);

/// What a check found for one unit.
struct UnitCheck {
  bool was_made = false;
  double error = 0;
  std::optional<Failure> failure;
};

/// Runs one unit by itself on reference values and compares: it is judged by its own work alone.
/// `unit_id` is its number inside what is prepared, or null. Not judged (`was_made` false) when the
/// reference lacks its operands or its result.
UnitCheck check_unit(const EngineCall& call, const Json& unit_id, const PreparedUnit& unit,
                     const ValueFiles& reference, const std::filesystem::path& folder);

/// Runs the whole model and compares the outputs that both sides have.
CheckResult check_model(const EngineCall& call, const ValueFiles& reference,
                        const std::string& engine, const std::filesystem::path& folder);

/// Names of the values that softmax nodes read: compared too, since softmax hides differences.
std::vector<std::string> values_before_softmax(const Model& model);

}  // namespace opbench

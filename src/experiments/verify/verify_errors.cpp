#include "experiments/verify/verify_errors.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <set>

#include "engines/protocol/tensor_files.h"
#include "experiments/sessions/check/unit_errors.h"
#include "experiments/sessions/request/fault_request.h"
#include "measuring/sampling/engine_runner.h"

namespace opbench {
namespace {

std::vector<std::string> values_of_units(const std::vector<PreparedUnit>& units) {
  std::set<std::string> names;
  for (const PreparedUnit& unit : units) {
    names.insert(unit.values.operands.begin(), unit.values.operands.end());
    for (const std::string& name : result_names(unit)) names.insert(name);
  }
  return {names.begin(), names.end()};
}

Result<std::vector<UnitError>> errors_of(const VerifyModel& model, const EngineDef& engine,
                                         const EngineOptions& options) {
  if (engine.prepare_model == nullptr) {
    return Error{ErrorCode::kInvalidInput, fmt::format("{} runs a model as a whole", engine.name)};
  }
  OPBENCH_TRY(const PreparedModel prepared, engine.prepare_model(model.model, options));
  OPBENCH_TRY(
      const ValueFiles values,
      compute_references(model.model, model.inputs, values_of_units(prepared.units), options));
  OPBENCH_TRY(const Json files, write_tensors(options.folder / "errors-inputs", model.inputs));
  Json params = {{"kind", prepared.kind}, {"path", prepared.path.string()}, {"inputs", files}};
  if (engine.injects_faults) add_fault(options.inject_fault, params);
  constexpr Seconds kLimit{120};
  EngineRunner runner({{process_starter(engine.command(options), 0),
                        options.threads,
                        options.cpus,
                        {{"errors", params.dump(), kLimit}}}});
  const auto access = [&](size_t unit) {
    const PreparationCall call = [&](const std::string& method, const Json& with, Seconds limit) {
      return runner.call(0, 0, "errors", method, with, limit);
    };
    return UnitAccess{call, prepared.units[unit].id};
  };
  const Expected expected{.values = values,
                          .engine = "reference",
                          .wrong = {},
                          .model = model.model,
                          .inputs = model.inputs,
                          .folder = options.folder / "errors",
                          .cancel = options.cancel};
  return unit_errors(prepared.units, access, expected);
}

}  // namespace

void find_verify_errors(const VerifyModel& model, const std::string& engine,
                        const EngineOptions& options, CaseResult& result) {
  const auto definition = engine_table().find(engine);
  if (!definition) {
    result.no_errors_reason = "the references are what errors are relative to";
    return;
  }
  auto errors = errors_of(model, **definition, options);
  if (errors) {
    result.errors = std::move(*errors);
  } else {
    result.no_errors_reason = errors.error().message;
  }
}

}  // namespace opbench

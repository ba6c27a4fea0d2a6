#include "experiments/sessions/check/reference.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <set>
#include <utility>

#include "base/errors/suggestion.h"
#include "engines/catalog/engine_choice.h"
#include "engines/protocol/tensor_files.h"
#include "experiments/sessions/make_engine_run.h"
#include "experiments/sessions/model/expected_data.h"

namespace opbench {
namespace {

std::string engine_to_check_with(const MeasureOptions& measure) {
  return measure.check_engine.empty() ? engine_to_check_against() : measure.check_engine;
}

bool is_only_engine(const std::vector<Variant>& variants, const std::string& name) {
  return std::ranges::all_of(variants,
                             [&](const Variant& variant) { return variant.engine == name; });
}

// What `--check` takes for these variants of the model.
std::vector<std::string> valid_checks(const ModelSpec& spec, const RunHooks& hooks,
                                      const std::vector<Variant>& variants) {
  std::vector<std::string> valid;
  for (const EngineDef& engine : engine_table().all()) {
    if (engine.runs_models && runs_on_cpu(engine)) valid.push_back(engine.name);
  }
  for (const UserEngine& user : hooks.user_engines) {
    if (!user.command.empty()) valid.push_back(user.name);
  }
  std::erase_if(valid, [&](const std::string& name) { return is_only_engine(variants, name); });
  valid.emplace_back("none");
  if (spec.workload.empty()) valid.push_back(std::string(kExpected) + ":DIR");
  return valid;
}

// Outputs, what the unit of each row reads and makes, and what the makers of outputs read, as far
// as the model as read has them. Equal units are checked once: a recurrent model has hundreds.
std::vector<std::string> values_to_compare(const ReferenceInputs& inputs) {
  std::set<std::string> names;
  const Graph& graph = inputs.model.graph;
  for (const Value& output : graph.outputs) names.insert(output.name);
  const std::set<std::string> outputs = names;
  for (const EngineRun& engine_run : inputs.engine_runs) {
    for (const UnitGroup& group : engine_run.built.groups) {
      const PreparedUnit& unit = engine_run.built.units[group.members.front()];
      names.insert(unit.values.operands.begin(), unit.values.operands.end());
      names.insert(unit.values.output);
      names.insert(unit.values.further_outputs.begin(), unit.values.further_outputs.end());
    }
    for (const PreparedUnit& unit : engine_run.built.units) {
      // Errors are those of every unit; a unit that makes an output gives the output's scale.
      if (inputs.measure.wants_errors || outputs.contains(unit.values.output)) {
        names.insert(unit.values.operands.begin(), unit.values.operands.end());
      }
      if (!inputs.measure.wants_errors) continue;
      names.insert(unit.values.output);
      names.insert(unit.values.further_outputs.begin(), unit.values.further_outputs.end());
    }
  }
  std::erase_if(names, [&](const std::string& name) {
    return !graph.types.contains(name) || graph.constants.contains(name);
  });
  return {names.begin(), names.end()};
}

// Outputs that the model came with.
Result<ValueFiles> values_in(const std::filesystem::path& folder, const ReferenceInputs& inputs) {
  OPBENCH_TRY(const NamedTensors outputs, expected_outputs(folder, inputs.model.graph));
  OPBENCH_TRY(const Json files, write_tensors(inputs.options.folder / kExpected, outputs));
  ValueFiles values;
  for (const Json& file : files) values.add(file.at("name"), file);
  return values;
}

Result<ValueFiles> values_by(const std::string& name, const ReferenceInputs& inputs) {
  const std::vector<std::string> wanted = values_to_compare(inputs);
  if (name == kReferences) {
    return compute_references(inputs.model, inputs.inputs, wanted, inputs.options);
  }
  OPBENCH_TRY(const EngineDef engine, find_engine(inputs.hooks.user_engines, name));
  EngineOptions options = inputs.options;
  add_settings(inputs.hooks.user_engines, name, options);
  return compute_values(engine, inputs.model, inputs.inputs, wanted, options);
}

Error cannot_check(const std::string& check, const std::string& reason) {
  return Error{ErrorCode::kPartial, fmt::format("nothing can be checked against \"{}\"", check)}
      .with("reason", reason)
      .with("without", "--check none");
}

// The message of an error with its facts, in one line.
std::string lines_joined(const Error& error) {
  std::string text = error.message;
  for (const Fact& fact : error.facts) text += ": " + fact.text;
  std::ranges::replace(text, '\n', ' ');
  return text;
}

}  // namespace

Result<void> validate_check(const ModelSpec& spec, const MeasureOptions& measure,
                            const RunHooks& hooks, const std::vector<Variant>& variants) {
  const std::string& name = measure.check_engine;
  if (name.empty() || name == "none") return {};
  if (const auto folder = expected_folder(name); folder && spec.workload.empty()) {
    return check_expected_folder(*folder);
  }
  OPBENCH_TRY(const EngineDef engine, find_engine(hooks.user_engines, name));
  std::string reason;
  if (!engine.runs_models) {
    reason = "it runs single workloads, not models";
  } else if (!runs_on_cpu(engine)) {
    reason = "it is checked itself, against an engine on the CPU";
  } else if (is_only_engine(variants, name)) {
    reason = "it is the only engine that is measured";
  } else {
    return {};
  }
  return Error{ErrorCode::kInvalidInput, fmt::format("nothing can be checked against \"{}\"", name)}
      .with("reason", reason)
      .with("valid", join(valid_checks(spec, hooks, variants)));
}

Result<Reference> make_reference(const ReferenceInputs& inputs) {
  const std::string check = engine_to_check_with(inputs.measure);
  const auto folder = expected_folder(check);
  Reference reference{.engine = folder ? kExpected : check};
  reference.is_asked_for = !inputs.measure.check_engine.empty() && check != "none";
  const bool has_others = std::ranges::any_of(inputs.engine_runs, [&](const EngineRun& engine_run) {
    return engine_run.asked.definition.name != reference.engine;
  });
  if (reference.engine == "none" || !has_others) return reference;
  if (!inputs.has_types && !folder) {
    reference.reason = "the model has operators that only its engine knows";
    if (reference.is_asked_for) return cannot_check(check, reference.reason);
    return reference;
  }
  const auto take = [&](Result<ValueFiles> values) {
    reference.exists = values.has_value();
    if (values) reference.values = std::move(*values);
    return values ? Error() : values.error();
  };
  const Error refused =
      take(folder ? values_in(*folder, inputs) : values_by(reference.engine, inputs));
  if (reference.exists) return reference;
  if (refused.code == ErrorCode::kInterrupted || folder) return refused;
  if (reference.is_asked_for) return cannot_check(check, lines_joined(refused));
  reference.reason = lines_joined(refused);
  if (reference.engine == kReferences) return reference;
  const Error fallen = take(values_by(kReferences, inputs));
  if (fallen.code == ErrorCode::kInterrupted) return fallen;
  if (!reference.exists) {
    reference.reason += "; " + lines_joined(fallen);
    return reference;
  }
  reference.engine = kReferences;
  reference.note = "checked against the operators' references: " + reference.reason;
  return reference;
}

}  // namespace opbench

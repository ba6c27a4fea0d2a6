#include "experiments/sessions/lane_check.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <set>

#include "base/errors/suggestion.h"
#include "engines/catalog/engine_choice.h"
#include "engines/protocol/tensor_files.h"
#include "experiments/sessions/expected_data.h"
#include "experiments/sessions/make_lane.h"

namespace opbench {
namespace {

std::string engine_to_check_with(const ProfileRequest& request) {
  return request.check_engine.empty() ? engine_to_check_against() : request.check_engine;
}

bool is_only_engine(const ProfileRequest& request, const std::string& name) {
  return std::ranges::all_of(request.engines,
                             [&](const std::string& engine) { return engine == name; });
}

// What `--check` takes for this request.
std::vector<std::string> valid_checks(const ProfileRequest& request) {
  std::vector<std::string> valid;
  for (const EngineDef& engine : engine_table().all()) {
    if (engine.runs_models) valid.push_back(engine.name);
  }
  for (const UserEngine& user : request.user_engines) {
    if (!user.command.empty()) valid.push_back(user.name);
  }
  std::erase_if(valid, [&](const std::string& name) { return is_only_engine(request, name); });
  valid.emplace_back("none");
  if (request.workload.empty()) valid.push_back(std::string(kExpected) + ":DIR");
  return valid;
}

// Outputs, and what units read and make, as far as the model as read has them.
std::vector<std::string> values_to_compare(const ReferenceInputs& inputs) {
  std::set<std::string> names;
  const Graph& graph = inputs.model.graph;
  for (const Value& output : graph.outputs) names.insert(output.name);
  for (const Lane& lane : inputs.lanes) {
    for (const PreparedUnit& unit : lane.units) {
      names.insert(unit.operands.begin(), unit.operands.end());
      names.insert(unit.output);
      names.insert(unit.further_outputs.begin(), unit.further_outputs.end());
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
  if (name == "reference") {
    return compute_references(inputs.model, inputs.inputs, wanted, inputs.options);
  }
  OPBENCH_TRY(const EngineDef engine, find_engine(inputs.request, name));
  EngineOptions options = inputs.options;
  add_settings(inputs.request, name, options);
  return compute_values(engine, inputs.model, inputs.inputs, wanted, options);
}

CheckCall caller(const LaneChecker& checker, const std::string& preparation) {
  return [&checker, preparation](const std::string& method, const Json& params, Seconds limit) {
    return checker.runner.call(checker.engine, 0, preparation, method, params, limit);
  };
}

Expected expected_of(const LaneChecker& checker) {
  return {.values = checker.reference.values,
          .engine = checker.reference.engine,
          .model = checker.model,
          .inputs = checker.inputs,
          .folder = checker.folder,
          .cancel = checker.cancel};
}

// The check of all units: the largest error of those that were compared.
CheckResult check_groups(Lane& lane, const LaneChecker& checker) {
  CheckResult result{.engine = checker.reference.engine};
  size_t settled = 0;
  bool is_right = true;
  for (size_t i = 0; i < lane.groups.size(); ++i) {
    UnitGroup& group = lane.groups[i];
    const PreparedUnit& unit = lane.units[group.members.front()];
    if (checker.progress) checker.progress(unit.operator_text, i);
    const Json unit_id = group.unit_id ? Json(*group.unit_id) : Json();
    UnitCheck check =
        check_unit(caller(checker, group.preparation), unit_id, unit, expected_of(checker));
    group.failure = std::move(check.failure);
    settled += check.is_settled ? 1 : 0;
    if (!check.error) continue;
    is_right = is_right && !group.failure;
    result.max_relative_error = std::max(result.max_relative_error.value_or(0), *check.error);
  }
  result.passed = result.max_relative_error && is_right;
  if (result.passed && settled > 0) result.reason = settled_text(settled, "unit");
  return result;
}

size_t failed_groups(const Lane& lane, bool counts_wrong) {
  return static_cast<size_t>(std::ranges::count_if(lane.groups, [&](const UnitGroup& group) {
    return group.failure && (counts_wrong || group.failure->kind != FailureKind::kWrongResult);
  }));
}

void check_whole(Lane& lane, const LaneChecker& checker) {
  // A kernel that crashes or hangs would do so again inside the model.
  if (const size_t failed = failed_groups(lane, false); failed > 0) {
    lane.result.check = {.engine = checker.reference.engine,
                         .reason = fmt::format("{} of its units failed", failed)};
    lane.result.model.end_to_end_reason = lane.result.check.reason;
    return;
  }
  lane.result.check =
      check_model(caller(checker, kModelPreparation), lane.units, expected_of(checker));
  if (lane.result.check.passed) return;
  const bool is_wrong = lane.result.check.max_relative_error.has_value();
  lane.result.model.end_to_end_reason =
      (is_wrong ? "its outputs are wrong: " : "it failed: ") + lane.result.check.reason;
}

}  // namespace

Result<void> validate_check(const ProfileRequest& request) {
  const std::string& name = request.check_engine;
  if (name.empty() || name == "none") return {};
  if (const auto folder = expected_folder(name); folder && request.workload.empty()) {
    return check_expected_folder(*folder);
  }
  OPBENCH_TRY(const EngineDef engine, find_engine(request, name));
  std::string reason;
  if (!engine.runs_models) {
    reason = "it runs single workloads, not models";
  } else if (is_only_engine(request, name)) {
    reason = "it is the only engine that is measured";
  } else {
    return {};
  }
  return Error{ErrorCode::kInvalidInput, fmt::format("nothing can be checked against \"{}\"", name)}
      .with("reason", reason)
      .with("valid", join(valid_checks(request)));
}

Result<Reference> make_reference(const ReferenceInputs& inputs) {
  const std::string check = engine_to_check_with(inputs.request);
  const auto folder = expected_folder(check);
  Reference reference{.engine = folder ? kExpected : check};
  const bool has_others = std::ranges::any_of(
      inputs.lanes, [&](const Lane& lane) { return lane.definition.name != reference.engine; });
  if (reference.engine == "none" || !has_others) return reference;
  if (!inputs.has_types && !folder) {
    reference.reason = "the model has operators that only its engine knows";
    return reference;
  }
  auto values = folder ? values_in(*folder, inputs) : values_by(reference.engine, inputs);
  const bool is_final = !values && (!inputs.request.check_engine.empty() ||
                                    values.error().code == ErrorCode::kInterrupted);
  if (is_final) return values.error();
  reference.exists = values.has_value();
  if (values) reference.values = std::move(*values);
  if (!values) reference.reason = values.error().message;
  return reference;
}

void check_lane(Lane& lane, const LaneChecker& checker) {
  CheckResult& check = lane.result.check;
  check.engine = checker.reference.engine;
  const bool is_reference = lane.definition.name == checker.reference.engine;
  if (is_reference && !checker.reference.exists) {
    check.reason = "there is no other engine to compare it with";
    return;
  }
  if (is_reference) {
    check.passed = true;
    check.max_relative_error = 0;
    check.reason = "it is what the others are checked against";
    return;
  }
  if (!checker.reference.exists) {
    const bool is_unwanted = checker.reference.engine == "none";
    check.reason = is_unwanted ? "not asked for" : "no values to check against";
    return;
  }
  check = check_groups(lane, checker);
  if (lane.has_model) {
    check_whole(lane, checker);
    return;
  }
  if (check.max_relative_error) return;
  const size_t failed = failed_groups(lane, true);
  check.reason = failed == 0 ? "no result could be compared"
                             : fmt::format("{} of its {} units failed", failed, lane.groups.size());
}

}  // namespace opbench

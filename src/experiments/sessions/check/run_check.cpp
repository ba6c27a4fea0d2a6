#include "experiments/sessions/check/run_check.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <iterator>
#include <set>
#include <utility>

#include "base/errors/suggestion.h"
#include "engines/catalog/engine_choice.h"
#include "engines/protocol/tensor_files.h"
#include "experiments/sessions/check/unit_errors.h"
#include "experiments/sessions/make_engine_run.h"
#include "experiments/sessions/model/expected_data.h"

namespace opbench {
namespace {

PreparationCall caller(const RunChecker& checker, const std::string& preparation) {
  return [&checker, preparation](const std::string& method, const Json& params, Seconds limit) {
    return checker.runner.call(checker.engine, 0, preparation, method, params, limit);
  };
}

// Not the operators' references, nor files that came with the model.
bool is_by_engine(const Reference& reference) {
  return reference.engine != kReferences && reference.engine != kExpected;
}

Expected expected_of(const RunChecker& checker) {
  return {.values = checker.reference.values,
          .engine = checker.reference.engine,
          .is_by_engine = is_by_engine(checker.reference),
          .wrong = checker.wrong,
          .model = checker.model,
          .inputs = checker.inputs,
          .folder = checker.folder / "model",
          .cancel = checker.cancel};
}

// `onnxruntime is wrong here by exact arithmetic, off by 11 of 255 steps: …`
std::string remark_of(const std::string& engine, const std::vector<WrongValue>& wrong) {
  if (wrong.empty()) return "";
  return fmt::format("{} is wrong here by exact arithmetic, {}", engine, worst_of(wrong).text);
}

// The check of all units: the largest error of those that were compared. The reason says what was
// settled.
CheckResult check_groups(EngineRun& engine_run, const RunChecker& checker) {
  const std::string& engine = checker.reference.engine;
  CheckResult result{.engine = engine};
  size_t settled = 0;
  bool is_right = true;
  for (size_t i = 0; i < engine_run.built.groups.size(); ++i) {
    UnitGroup& group = engine_run.built.groups[i];
    const PreparedUnit& unit = engine_run.built.units[group.members.front()];
    if (checker.progress) checker.progress(unit.identity.operator_text, i);
    const Json unit_id = group.unit_id ? Json(*group.unit_id) : Json();
    Expected expected = expected_of(checker);
    expected.folder = checker.folder / std::to_string(i);
    UnitCheck check = check_unit(caller(checker, group.preparation), unit_id, unit, expected);
    group.failure = std::move(check.failure);
    group.audit = std::move(check.audit);
    group.remark = remark_of(engine, check.wrong);
    std::ranges::move(check.wrong, std::back_inserter(engine_run.found.wrong));
    settled += check.is_settled ? 1 : 0;
    if (!check.error) continue;
    is_right = is_right && !group.failure;
    result.max_relative_error = std::max(result.max_relative_error.value_or(0), *check.error);
  }
  result.passed = result.max_relative_error && is_right;
  if (settled > 0) result.reason = settled_text(settled, "unit", engine, engine_run.found.wrong);
  return result;
}

size_t failed_groups(const EngineRun& engine_run, bool counts_wrong) {
  return static_cast<size_t>(
      std::ranges::count_if(engine_run.built.groups, [&](const UnitGroup& group) {
        return group.failure && (counts_wrong || group.failure->kind != FailureKind::kWrongResult);
      }));
}

// What the model's check says once it has passed: of its units, and of its own outputs.
std::string passed_text(const EngineRun& engine_run, const std::string& of_units,
                        const std::string& of_model) {
  std::vector<std::string> parts;
  const size_t failed = failed_groups(engine_run, true);
  if (failed > 0) {
    parts.push_back(
        fmt::format("its outputs; {} of its units {} wrong", failed, failed == 1 ? "is" : "are"));
  }
  for (const std::string& part : {of_units, of_model}) {
    if (!part.empty()) parts.push_back(part);
  }
  return join(parts, "; ");
}

// `of_units`: what the check of the units says.
void check_whole(EngineRun& engine_run, const RunChecker& checker, const std::string& of_units) {
  CheckResult& check = engine_run.found.result.check;
  engine_run.found.result.model.end_to_end_reason.clear();
  // A kernel that crashes or hangs would do so again inside the model.
  if (const size_t failed = failed_groups(engine_run, false); failed > 0) {
    check = {.engine = checker.reference.engine,
             .reason = fmt::format("{} of its units failed", failed)};
    engine_run.found.result.model.end_to_end_reason = check.reason;
    return;
  }
  ModelCheck of_model =
      check_model(caller(checker, kModelPreparation), engine_run.built.units, expected_of(checker));
  check = std::move(of_model.result);
  std::ranges::move(of_model.wrong, std::back_inserter(engine_run.found.wrong));
  if (check.passed) {
    check.reason = passed_text(engine_run, of_units, check.reason);
    return;
  }
  engine_run.found.result.model.end_to_end_reason =
      (found_wrong(check) ? "its outputs are wrong: " : "it failed: ") + check.reason;
}

bool is_of_reference(const EngineRun& engine_run, const Reference& reference) {
  return engine_run.asked.definition.name == reference.engine && reference.exists;
}

void check_any_run(EngineRun& engine_run, const RunChecker& checker) {
  CheckResult& check = engine_run.found.result.check;
  check.engine = checker.reference.engine;
  const bool is_reference = engine_run.asked.definition.name == checker.reference.engine;
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
    check.reason = is_unwanted ? "not asked for" : checker.reference.reason;
    return;
  }
  engine_run.found.wrong.clear();
  check = check_groups(engine_run, checker);
  if (engine_run.built.has_model) {
    const std::string of_units = check.reason;
    check_whole(engine_run, checker, of_units);
    return;
  }
  if (!check.passed) check.reason.clear();
  if (check.max_relative_error) return;
  const size_t failed = failed_groups(engine_run, true);
  check.reason = failed == 0 ? "no result could be compared"
                             : fmt::format("{} of its {} units failed", failed,
                                           engine_run.built.groups.size());
}

// A model that is right when it is checked only has no time.
void look_at_timed_calls(EngineRun& engine_run, const RunChecker& checker) {
  const bool is_timed =
      engine_run.built.has_model && engine_run.found.result.model.end_to_end_reason.empty();
  if (!is_timed || checker.reference.engine == "none" || checker.fresh_inputs.is_null()) return;
  CallAudit found = audit_calls(caller(checker, kModelPreparation), checker.fresh_inputs,
                                checker.folder / "audit");
  engine_run.built.model_audit = std::move(found.audit);
  if (!found.failure) return;
  CheckResult& check = engine_run.found.result.check;
  check.passed = false;
  check.max_relative_error = check.max_relative_error.value_or(0);
  check.reason = found.failure->text;
  engine_run.found.result.model.end_to_end_reason = "its times are wrong: " + found.failure->text;
}

}  // namespace

void check_run(EngineRun& engine_run, const RunChecker& checker) {
  check_any_run(engine_run, checker);
  look_at_timed_calls(engine_run, checker);
  engine_run.found.result.check.was_asked_for = checker.reference.is_asked_for;
}

void find_errors(EngineRun& engine_run, const RunChecker& checker) {
  EngineResult& result = engine_run.found.result;
  if (!checker.reference.exists || checker.reference.engine == kExpected) {
    result.no_errors_reason =
        "the operands of its units are not known: no other engine, and no "
        "reference, computes the model's values";
    return;
  }
  if (engine_run.built.units.empty()) {
    result.no_errors_reason = "it runs the model as a whole";
    return;
  }
  std::vector<const UnitGroup*> group_of(engine_run.built.units.size(), nullptr);
  for (const UnitGroup& group : engine_run.built.groups) {
    for (const size_t member : group.members) group_of[member] = &group;
  }
  const auto access = [&](size_t unit) {
    // Equal units of a package differ in their number alone.
    const UnitGroup& group = *group_of[unit];
    UnitAccess way{caller(checker, group.preparation), {}};
    if (group.unit_id) way.unit_id = engine_run.built.units[unit].id;
    return way;
  };
  const auto progress = [&](size_t unit) {
    if (checker.progress)
      checker.progress(engine_run.built.units[unit].identity.operator_text, unit);
  };
  Expected expected = expected_of(checker);
  expected.folder = checker.folder / "errors";
  result.errors = unit_errors(engine_run.built.units, access, expected, progress);
}

std::set<std::string> wrong_keys(const std::vector<EngineRun>& engine_runs) {
  std::set<std::string> keys;
  for (const EngineRun& engine_run : engine_runs) {
    for (const WrongValue& value : engine_run.found.wrong) keys.insert(value.key);
  }
  return keys;
}

bool agrees_at(const EngineRun& engine_run, const std::set<std::string>& wrong) {
  std::set<std::string> own;
  for (const WrongValue& value : engine_run.found.wrong) own.insert(value.key);
  const auto is_missed = [&](const std::string& key) {
    return wrong.contains(key) && !own.contains(key);
  };
  const auto is_missed_output = [&](const std::string& key) {
    return key.ends_with(key_of("", {})) && is_missed(key);
  };
  if (engine_run.built.has_model && std::ranges::any_of(wrong, is_missed_output)) return true;
  return std::ranges::any_of(engine_run.built.groups, [&](const UnitGroup& group) {
    const PreparedUnit& unit = engine_run.built.units[group.members.front()];
    return is_missed(key_of(unit.values.output, unit.values.operands));
  });
}

void blame_reference(std::vector<EngineRun>& engine_runs, const Reference& reference) {
  std::vector<WrongValue> wrong;
  for (const EngineRun& engine_run : engine_runs) {
    for (const WrongValue& value : engine_run.found.wrong) {
      if (std::ranges::count(wrong, value.key, &WrongValue::key) == 0) wrong.push_back(value);
    }
  }
  if (wrong.empty()) return;
  const WrongValue& worst = worst_of(wrong);
  for (EngineRun& engine_run : engine_runs) {
    if (!is_of_reference(engine_run, reference)) continue;
    CheckResult& check = engine_run.found.result.check;
    check.passed = false;
    check.max_relative_error = worst.error;
    check.reason = fmt::format(
        "the others are checked against it, and {} of its values {} wrong; \"{}\" is {}",
        wrong.size(), wrong.size() == 1 ? "is" : "are", worst.name, worst.text);
    engine_run.built.warnings.push_back(fmt::format("the results of {} are wrong: \"{}\" is {}",
                                                    reference.engine, worst.name, worst.text));
    for (const WrongValue& value : wrong) {
      for (const std::string& node : value.nodes) {
        engine_run.found.remarks.emplace(node, remark_of(reference.engine, {value}));
      }
    }
  }
}

}  // namespace opbench

#include "experiments/sessions/check/check.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <iterator>
#include <limits>
#include <optional>
#include <set>
#include <system_error>
#include <utility>

#include "base/json/json_text.h"
#include "engines/protocol/tensor_files.h"
#include "experiments/sessions/model/half_values.h"
#include "experiments/sessions/request/fault_request.h"
#include "measuring/sampling/engine_runner.h"
#include "model/graph/onnx_file.h"
#include "model/judging/judgement.h"
#include "model/operators/checked_types.h"
#include "model/passes/evaluate.h"

namespace opbench {
namespace fs = std::filesystem;
namespace {

constexpr Seconds kModelLimit{120};

// The tensor files of a `run` reply that have a name; none if it is not as the protocol says.
std::vector<Json> outputs_of(const Json& reply) {
  std::vector<Json> files;
  if (!reply.is_object() || !reply.contains("outputs") || !reply.at("outputs").is_array())
    return {};
  for (const Json& file : reply.at("outputs")) {
    const bool is_named = file.is_object() && file.contains("name") && file.at("name").is_string();
    if (is_named) files.push_back(file);
  }
  return files;
}

Result<ValueFiles> files_of_reply(const Outcome<Json>& reply, const std::string& engine) {
  if (!reply) {
    const bool is_unsupported = reply.error().kind == FailureKind::kUnsupported;
    return Error{is_unsupported ? ErrorCode::kInvalidInput : ErrorCode::kSystem,
                 fmt::format("engine \"{}\" cannot compute the values to check against", engine)}
        .with("reason", to_text(reply.error()));
  }
  ValueFiles values;
  for (const Json& file : outputs_of(*reply)) values.add(file.at("name"), file);
  return values;
}

// An engine that does not take a model has computed nothing wrong. One that crashes or hangs over
// it has failed.
std::optional<Error> refusal_of(const Outcome<Json>& prepared, const std::string& engine) {
  if (prepared) return {};
  const FailureKind kind = prepared.error().kind;
  if (kind != FailureKind::kUnsupported && kind != FailureKind::kRunError) return {};
  return Error{ErrorCode::kInvalidInput,
               fmt::format("engine \"{}\" does not take the model", engine)}
      .with("reason", to_text(prepared.error()));
}

// The operators' references, node by node.
Result<std::map<std::string, Tensor>> evaluate_all(const Model& model, const NamedTensors& inputs,
                                                   const std::atomic<bool>* cancel) {
  std::map<std::string, Tensor> values(inputs.begin(), inputs.end());
  for (const Node& node : model.graph.nodes) {
    if (cancel != nullptr && *cancel) {
      return Error{ErrorCode::kInterrupted, "interrupted while reference values were computed"};
    }
    const OperatorDef* definition = operator_of(node);
    if (definition == nullptr || definition->run == nullptr) {
      return Error{ErrorCode::kInvalidInput, "no reference for operator \"" + node.type + "\""};
    }
    OperatorCall call = call_of(node, model.graph, model.opset);
    for (size_t i = 0; i < node.inputs.size(); ++i) {
      const auto value = values.find(node.inputs[i]);
      if (value != values.end()) call.constants[i] = &value->second;
    }
    OPBENCH_TRY(const auto types, checked_types(*definition, call));
    OPBENCH_TRY(std::vector<Tensor> results, evaluate(call, types));
    for (size_t i = 0; i < node.outputs.size(); ++i) {
      values[node.outputs[i]] = std::move(results.at(i));
    }
  }
  return values;
}

// The model as the engine takes it, with the values `names` made outputs.
Result<PreparedModel> observed_model(const EngineDef& engine, const Model& model,
                                     const std::vector<std::string>& names,
                                     const EngineOptions& options) {
  std::vector<std::string> extra;
  std::ranges::copy_if(names, std::back_inserter(extra),
                       [&](const std::string& name) { return !is_output(model.graph, name); });
  if (engine.prepare_model != nullptr) {
    EngineOptions observing = options;
    observing.observed = std::move(extra);
    return engine.prepare_model(model, observing);
  }
  PreparedModel prepared{"onnx", options.folder / "reference.onnx", {}, {}};
  OPBENCH_CHECK(write_onnx(model, prepared.path, extra));
  return prepared;
}

// The unit's operands under the names of its workload's inputs: an engine that prepared the
// workload knows no others. What a model holds in 16 bits and the unit reads as float32 is written
// once more.
Result<Json> operand_files(const PreparedUnit& unit, const Expected& expected) {
  Json files = Json::array();
  for (size_t i = 0; i < unit.values.operands.size(); ++i) {
    const Value& input = unit.identity.workload->graph.inputs[i];
    if (unit.identity.workload->is_weight(input.name)) continue;
    Json file = expected.values.file(unit.values.operands[i]);
    file["name"] = input.name;
    if (input.data_type == DataType::kFloat32 && is_half_file(file)) {
      const fs::path folder = expected.folder / "operands";
      std::error_code ignored;  // the file tells
      fs::create_directories(folder, ignored);
      OPBENCH_TRY(const Tensor half, expected.values.tensor(unit.values.operands[i]));
      OPBENCH_TRY(file,
                  write_tensor(folder / fmt::format("{}.bin", i), input.name, as_float32(half)));
    }
    files.push_back(std::move(file));
  }
  return files;
}

bool can_check(const PreparedUnit& unit, const ValueFiles& reference) {
  if (!unit.identity.workload || !reference.contains(unit.values.output)) return false;
  for (size_t i = 0; i < unit.values.operands.size(); ++i) {
    const bool is_weight =
        unit.identity.workload->is_weight(unit.identity.workload->graph.inputs[i].name);
    if (!is_weight && !reference.contains(unit.values.operands[i])) return false;
  }
  return true;
}

// Values of the check's engine, those that it has.
std::map<std::string, Tensor> known_values(const std::vector<std::string>& names,
                                           const ValueFiles& files) {
  std::map<std::string, Tensor> values;
  for (const std::string& name : names) {
    if (!files.contains(name)) continue;
    auto value = files.tensor(name);
    if (value) values.emplace(name, std::move(*value));
  }
  return values;
}

NamedValues check_operands_of(const PreparedUnit& unit, const Expected& expected) {
  return [&] { return known_values(unit.values.operands, expected.values); };
}

// What is wrong with the value of the check's engine, if anything.
void keep_wrong(const Judgement& found, WrongValue value, std::vector<WrongValue>& wrong) {
  const auto& by = found.wrong_expectation;
  if (!by) return;
  value.error = by->relative_error;
  value.text = by->text;
  wrong.push_back(std::move(value));
}

// `got`: what an engine made of the value `name`.
Judgement judge_value(const Result<Tensor>& got, const std::string& name, const Expected& expected,
                      const JudgedModel& judged) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  if (!got) return {{kInfinity, "its output is unreadable"}};
  const auto wanted = expected.values.tensor(name);
  if (!wanted) return {{kInfinity, "the reference is unreadable"}};
  return judge(*got, *wanted, name, judged);
}

}  // namespace

Outcome<std::optional<UnitRun>> run_unit(const PreparationCall& call, const Json& unit_id,
                                         const PreparedUnit& unit, const Expected& expected) {
  if (!can_check(unit, expected.values)) return std::optional<UnitRun>();
  const Seconds limit{5 + flops_of(*unit.identity.workload) / 2e8};
  auto files = operand_files(unit, expected);
  if (!files) {
    return tl::make_unexpected(Failure{FailureKind::kRunError, files.error().message});
  }
  UnitRun run{.operands = files->dump(), .outputs = {}};
  const Json params = {
      {"unit", unit_id}, {"inputs", *files}, {"outputs_dir", expected.folder.string()}};
  const auto reply = call("run", params, limit);
  if (!reply) return tl::make_unexpected(reply.error());
  run.outputs = outputs_of(*reply);
  if (run.outputs.empty()) {
    return tl::make_unexpected(Failure{FailureKind::kRunError, "it gave no output"});
  }
  return std::optional(std::move(run));
}

std::vector<std::string> result_names(const PreparedUnit& unit) {
  std::vector<std::string> names = {unit.values.output};
  std::ranges::copy(unit.values.further_outputs, std::back_inserter(names));
  return names;
}

JudgedModel judged_by_operands(const PreparedUnit& unit, const Expected& expected) {
  const NamedValues operands = check_operands_of(unit, expected);
  const auto is_operand = [&](const std::string& name) {
    return std::ranges::count(unit.values.operands, name) > 0;
  };
  return {.model = expected.model,
          .is_known = is_operand,
          .known = operands,
          .nearby = operands,
          .is_by_engine = expected.is_by_engine,
          .cancel = expected.cancel};
}

Tensor as_in_model(Tensor got, const Expected& expected, const std::string& name) {
  const auto type = expected.model.graph.types.find(name);
  if (type == expected.model.graph.types.end()) return got;
  return as_half(std::move(got), type->second.data_type);
}

UnitCheck check_unit(const PreparationCall& call, const Json& unit_id, const PreparedUnit& unit,
                     const Expected& expected) {
  const auto run = run_unit(call, unit_id, unit, expected);
  if (!run) return {{}, run.error()};
  if (!*run) return {};
  const std::vector<Json>& outputs = (*run)->outputs;
  JudgedModel judged = judged_by_operands(unit, expected);
  UnitCheck check;
  const std::vector<std::string> names = result_names(unit);
  for (size_t i = 0; i < names.size() && i < outputs.size(); ++i) {
    if (!expected.values.contains(names[i])) continue;
    auto got = read_tensor(outputs[i]);
    if (!got) return {{}, Failure{FailureKind::kRunError, "its output is unreadable"}};
    *got = as_in_model(std::move(*got), expected, names[i]);
    const std::string key = key_of(names[i], unit.values.operands);
    judged.is_expected_wrong = expected.wrong.contains(key);
    const Judgement found = judge_value(got, names[i], expected, judged);
    const double error = found.difference.relative_error;
    check.is_settled |= found.is_settled;
    keep_wrong(found, {.key = key, .name = names[i], .nodes = unit.identity.nodes}, check.wrong);
    if (!check.error || error > *check.error) check.error = error;
    if (!found.agrees && !check.failure) {
      check.failure = Failure{FailureKind::kWrongResult, text_of(found)};
    }
  }
  if (check.error && !check.failure) {
    check.audit = std::make_shared<Audit>(Audit{(*run)->operands, Json(outputs).dump()});
  }
  return check;
}

ValueFiles::ValueFiles() = default;
ValueFiles::~ValueFiles() = default;
ValueFiles::ValueFiles(ValueFiles&&) noexcept = default;
ValueFiles& ValueFiles::operator=(ValueFiles&&) noexcept = default;

void ValueFiles::add(const std::string& name, Json file) {
  files_[name] = std::make_unique<Json>(std::move(file));
}

const Json& ValueFiles::file(const std::string& name) const { return *files_.at(name); }

Result<Tensor> ValueFiles::tensor(const std::string& name) const {
  return read_tensor(*files_.at(name));
}

Result<ValueFiles> compute_values(const EngineDef& engine, const Model& model,
                                  const NamedTensors& inputs, const std::vector<std::string>& names,
                                  const EngineOptions& options) {
  OPBENCH_TRY(const PreparedModel prepared, observed_model(engine, model, names, options));
  OPBENCH_TRY(const Json files, write_tensors(options.folder / "reference-inputs", inputs));
  Json prepare = {{"kind", prepared.kind}, {"path", prepared.path.string()}, {"inputs", files}};
  if (engine.injects_faults) add_fault(options.inject_fault, prepare);
  EngineSetup setup{process_starter(engine.command(options), 0),
                    options.threads,
                    options.cpus,
                    {{"reference", json_text(prepare), kModelLimit}}};
  EngineRunner runner({setup}, {});
  const fs::path folder = options.folder / "reference";
  if (auto refusal = refusal_of(runner.prepared(0, 0, "reference"), engine.name)) return *refusal;
  const auto reply =
      runner.call(0, 0, "reference", "run", {{"outputs_dir", folder.string()}}, kModelLimit);
  std::error_code ignored;
  fs::remove_all(prepared.path, ignored);
  return files_of_reply(reply, engine.name);
}

Result<ValueFiles> compute_references(const Model& model, const NamedTensors& inputs,
                                      const std::vector<std::string>& names,
                                      const EngineOptions& options) {
  OPBENCH_TRY(auto values, evaluate_all(model, inputs, options.cancel));
  NamedTensors wanted;
  for (const std::string& name : names) {
    const auto value = values.find(name);
    const auto constant = model.graph.constants.find(name);
    if (value != values.end()) wanted.emplace_back(name, std::move(value->second));
    if (constant != model.graph.constants.end()) wanted.emplace_back(name, constant->second);
  }
  values.clear();
  OPBENCH_TRY(const Json written, write_tensors(options.folder / "reference", wanted));
  return files_of_reply(Json{{"outputs", written}}, "reference");
}

ModelCheck check_model(const PreparationCall& call, const std::vector<PreparedUnit>& units,
                       const Expected& expected) {
  ModelCheck check{{.engine = expected.engine}, {}};
  CheckResult& result = check.result;
  const auto reply = call("run", {{"outputs_dir", expected.folder.string()}}, kModelLimit);
  if (!reply) {
    result.reason = to_text(reply.error());
    return check;
  }
  JudgedModel judged{
      .model = expected.model, .is_by_engine = expected.is_by_engine, .cancel = expected.cancel};
  judged.is_known = [&](const std::string& name) {
    return std::ranges::count(expected.inputs, name, &NamedTensors::value_type::first) > 0;
  };
  judged.known = [&] {
    return std::map<std::string, Tensor>(expected.inputs.begin(), expected.inputs.end());
  };
  size_t settled = 0;
  double worst = -1;  // of those that are wrong
  for (const Json& output : outputs_of(*reply)) {
    const std::string value = output.at("name");
    if (!expected.values.contains(value)) continue;
    const auto unit = std::ranges::find_if(
        units, [&](const PreparedUnit& made) { return made.values.output == value; });
    const std::string key = key_of(value, {});
    judged.nearby = unit == units.end() ? NamedValues() : check_operands_of(*unit, expected);
    judged.is_expected_wrong = expected.wrong.contains(key);
    const Judgement found = judge_value(read_tensor(output), value, expected, judged);
    const double error = found.difference.relative_error;
    settled += found.is_settled ? 1 : 0;
    keep_wrong(found, {.key = key, .name = value}, check.wrong);
    result.max_relative_error = std::max(result.max_relative_error.value_or(0), error);
    if (found.agrees || error <= worst) continue;
    worst = error;
    result.reason = "\"" + value + "\": " + text_of(found);
  }
  result.passed = result.max_relative_error && worst < 0;
  if (!result.max_relative_error) result.reason = "no output in common";
  if (result.passed && settled > 0) {
    result.reason = settled_text(settled, "output", expected.engine, check.wrong);
  }
  return check;
}

std::string key_of(const std::string& value, const std::vector<std::string>& from) {
  return fmt::format("{} from {}", value, fmt::join(from, " "));
}

const WrongValue& worst_of(const std::vector<WrongValue>& wrong) {
  return *std::ranges::max_element(wrong, {}, &WrongValue::error);
}

std::string settled_text(size_t count, const std::string& thing, const std::string& engine,
                         const std::vector<WrongValue>& wrong) {
  std::string text = fmt::format("{} {}{} with the exact reference where {} does not", count, thing,
                                 count == 1 ? " agrees" : "s agree", engine);
  if (wrong.empty()) return text;
  const WrongValue& worst = worst_of(wrong);
  return fmt::format("{}; its \"{}\" is {}", text, worst.name, worst.text);
}

std::vector<std::string> values_before_softmax(const Model& model) {
  std::set<std::string> names;
  for (const Node& node : model.graph.nodes) {
    if (node.type != "Softmax" && node.type != "LogSoftmax") continue;
    if (!model.graph.constants.contains(node.inputs.front())) names.insert(node.inputs.front());
  }
  return {names.begin(), names.end()};
}

}  // namespace opbench

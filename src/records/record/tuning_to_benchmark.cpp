#include "records/record/tuning_to_benchmark.h"

#include <nlohmann/json.hpp>

#include <array>
#include <cmath>
#include <utility>

#include "base/system/seconds.h"
#include "machine/target/tvm_target.h"
#include "records/record/benchmark_times.h"
#include "records/record/own_trial.h"

namespace opbench {
namespace {

JsonText tuning_to_benchmark_text_of(const Json& json) { return {canonical_text(json)}; }

Json json_of(const std::vector<Argument>& items);

Json json_of(const Argument& argument) {
  switch (argument.kind) {
    case ArgumentKind::kNull:
      return nullptr;
    case ArgumentKind::kBool:
      return argument.flag;
    case ArgumentKind::kInt:
      return argument.integer;
    case ArgumentKind::kDouble:
      return argument.real;
    case ArgumentKind::kTuple:
      return json_of(argument.items);
    case ArgumentKind::kTensor: {
      Json tensor = {"TENSOR", json_of(argument.items), argument.text};
      for (const Argument& item : argument.trailing) tensor.push_back(json_of(item));
      return tensor;
    }
    case ArgumentKind::kString:
    case ArgumentKind::kSymbol:
    case ArgumentKind::kBigInt:
      break;
  }
  return argument.text;
}

Json json_of(const std::vector<Argument>& items) {
  Json list = Json::array();
  for (const Argument& item : items) list.push_back(json_of(item));
  return list;
}

Json config_of(const KnobConfig& config) {
  Json entities = Json::array();
  for (const KnobValue& knob : config.knobs) {
    entities.push_back({knob.name, knob.kind, json_of(knob.value)});
  }
  return {{"index", config.index},
          {"code_hash", config.code_hash ? Json(*config.code_hash) : Json()},
          {"entity", entities}};
}

Json config_of(const AnsorConfig& config) {
  Json steps = Json::array();
  for (const AnsorStep& step : config.steps) {
    Json items = json_of(step.items);
    items.insert(items.begin(), step.kind);
    steps.push_back(std::move(items));
  }
  return {{"workload_key", config.workload_key}, {"steps", std::move(steps)}};
}

Json config_of(const TraceConfig& config) {
  Json trace = Json::parse(config.trace_json, nullptr, false);
  if (trace.is_discarded()) trace = config.trace_json;
  return {{"workload_hash", config.workload_hash}, {"trace", std::move(trace)}};
}

/// Tensors with whole extents; others have no shape.
Json tuning_to_benchmark_inputs_of(const TuningRecord& trial) {
  Json inputs = Json::array();
  for (size_t i = 0; i < trial.arguments.size(); ++i) {
    const auto& [name, value] = trial.arguments[i];
    const auto is_extent = [](const Argument& extent) {
      return extent.kind == ArgumentKind::kInt && extent.integer >= 0;
    };
    if (value.kind != ArgumentKind::kTensor || !std::ranges::all_of(value.items, is_extent)) {
      continue;
    }
    Json input = {{"name", name.empty() ? "arg" + std::to_string(i) : name},
                  {"shape", json_of(value.items)}};
    if (is_dtype(value.text)) input["dtype"] = value.text;
    inputs.push_back(std::move(input));
  }
  return inputs;
}

/// AutoTVM's name of an error number (docs/reference/formats.md, "Results and error numbers").
std::string error_name(int error_no) {
  constexpr std::array kNames = {"NO_ERROR",       "INSTANTIATION_ERROR", "COMPILE_HOST",
                                 "COMPILE_DEVICE", "RUNTIME_DEVICE",      "WRONG_ANSWER",
                                 "BUILD_TIMEOUT",  "RUN_TIMEOUT",         "UNKNOWN_ERROR"};
  const auto index = static_cast<size_t>(error_no);
  return index < kNames.size() ? kNames[index] : "UNKNOWN_ERROR";
}

/// The format without its version.
std::string form_of(TuningFormat format) {
  const std::string_view name = name_of(format);
  return std::string(name.substr(0, name.find('-')));
}

void add_result(const TuningResult& result, BenchmarkRecord& record,
                std::vector<RecordIssue>& issues) {
  constexpr double kMicro = 1e6;
  if (result.error_no == 0) {
    record.status = "ok";
    std::vector<double> times;
    for (const double cost : result.costs_s) times.push_back(s_to_ms(cost));
    if (!times.empty()) set_times(record, std::move(times));
    record.runtime_ms_mean = s_to_ms(mean_cost(result.costs_s));
    // Whether the smallest and the largest are gone: AutoTVM does not say.
    record.execution_config = tuning_to_benchmark_text_of({{"trimmed", nullptr}});
  } else {
    record.status = "error";
    record.error_no = result.error_no;
    record.error_message =
        result.error_message.empty() ? error_name(result.error_no) : result.error_message;
  }
  const bool has_cost = result.all_cost_s && std::isfinite(*result.all_cost_s);
  if (has_cost) record.metrics.emplace()["all_cost_s"] = *result.all_cost_s;
  constexpr double kYear2010 = 1262304000;
  constexpr double kYear2100 = 4102444800;
  const double moment = result.timestamp.value_or(0);
  const bool has_moment = moment >= kYear2010 && moment < kYear2100;
  record.timestamp = rfc3339_of_us(std::llround((has_moment ? moment : kYear2010) * kMicro));
  if (!has_moment)
    issues.push_back({"W_TIMESTAMP", "timestamp", "the log has none; taken as 2010"});
}

/// A task of our own schedules has the unit's workload as its first argument.
std::string workload_of(const TuningRecord& trial) {
  const bool has_text =
      !trial.arguments.empty() && trial.arguments.front().value.kind == ArgumentKind::kString;
  if (own_schedule_of(trial) && has_text) return "opbench." + trial.arguments.front().value.text;
  return std::holds_alternative<KnobConfig>(trial.config) ? "topi." + trial.task : trial.task;
}

/// Our own trials ran in the engine `halide`, whatever template they are of.
void set_engine(const TuningRecord& trial, BenchmarkRecord& record) {
  const std::optional<std::string> own = own_version_of(trial);
  record.engine = own ? "halide" : "tvm";
  record.engine_version = own ? own : trial.tvm_version;
  if (record.engine_version && record.engine_version->empty()) record.engine_version.reset();
}

}  // namespace

BenchmarkRecord benchmark_of(const TuningRecord& trial, std::vector<RecordIssue>& issues) {
  BenchmarkRecord record;
  add_result(trial.result, record, issues);
  record.workload = workload_of(trial);
  record.inputs = tuning_to_benchmark_text_of(tuning_to_benchmark_inputs_of(trial));
  Json arguments = Json::array();
  for (const NamedArgument& argument : trial.arguments)
    arguments.push_back(json_of(argument.value));
  record.workload_args = tuning_to_benchmark_text_of({{"args", std::move(arguments)}});
  set_engine(trial, record);
  Json config;
  std::visit([&](const auto& value) { config = config_of(value); }, trial.config);
  Json compilation = {{"config", std::move(config)}};
  if (const auto schedule = own_schedule_of(trial)) compilation["schedule"] = *schedule;
  if (trial.template_key) compilation["template_key"] = *trial.template_key;
  record.compilation_config = tuning_to_benchmark_text_of(compilation);
  record.target = trial.target;
  const auto target = parse_tvm_target(trial.target);
  record.hardware = target ? target->model : "unknown";
  if (record.hardware == "unknown") {
    issues.push_back({"W_HARDWARE", "hardware", "the target names no model; taken as unknown"});
  }
  if (!trial.origin.file.empty()) {
    record.metadata = tuning_to_benchmark_text_of(
        {{"source", {{"file", trial.origin.file}, {"line", trial.origin.line}}}});
  }
  record.scope = "unit";
  record.source_form = form_of(trial.origin.format);
  return record;
}

}  // namespace opbench

#include "records/formats/record_diff.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <map>

#include "base/json/json.h"
#include "base/system/seconds.h"
#include "machine/facts/facts.h"
#include "machine/target/target_text.h"
#include "machine/target/tvm_target.h"
#include "records/json/python_json.h"

namespace opbench {
namespace {

/// Fields and their values as text, in order.
using Fields = std::vector<std::pair<std::string, std::string>>;

void add_config(const TuningRecord& record, Fields& fields) {
  if (const auto* knobs = std::get_if<KnobConfig>(&record.config)) {
    fields.emplace_back("config.index", std::to_string(knobs->index));
    for (const KnobValue& knob : knobs->knobs) {
      fields.emplace_back("config." + knob.name, python_json(knob.value));
    }
  } else if (const auto* ansor = std::get_if<AnsorConfig>(&record.config)) {
    for (size_t i = 0; i < ansor->steps.size(); ++i) {
      fields.emplace_back(
          "config.steps[" + std::to_string(i) + "]",
          ansor->steps[i].kind + " " + python_json(Argument::of_tuple(ansor->steps[i].items)));
    }
  } else {
    fields.emplace_back("config.trace", std::get<TraceConfig>(record.config).trace_json);
  }
}

Fields fields_of(const TuningRecord& record) {
  Fields fields = {{"kind", "trial"}, {"task", record.task}};
  for (size_t i = 0; i < record.arguments.size(); ++i) {
    fields.emplace_back("args[" + std::to_string(i) + "]", python_json(record.arguments[i].value));
  }
  for (const NamedArgument& named : record.kwargs) {
    fields.emplace_back("kwargs." + named.name, python_json(named.value));
  }
  if (const auto target = parse_tvm_target(record.target)) {
    const Json json = Json::parse(canonical_text(target->identity), nullptr, false);
    for (const auto& [key, value] : json.items()) {
      fields.emplace_back("target." + key,
                          value.is_string() ? value.get<std::string>() : value.dump());
    }
  } else {
    fields.emplace_back("target", record.target);
  }
  add_config(record, fields);
  if (record.template_key) fields.emplace_back("template_key", *record.template_key);
  if (record.tvm_version) fields.emplace_back("tvm_version", *record.tvm_version);
  fields.emplace_back("error_no", std::to_string(record.result.error_no));
  return fields;
}

/// Results, moments and what a run settles by itself, as the calls a sample: never the same twice.
bool is_result(const std::string& field) {
  static constexpr std::array kResults = {"record_id",
                                          "timestamp",
                                          "run_id",
                                          "runtime_ms",
                                          "runtime_raw",
                                          "std_ddof",
                                          "n_samples",
                                          "metrics",
                                          "samples_dropped",
                                          "stop_reason",
                                          "steady",
                                          "check",
                                          "software_hash",
                                          "reproducer",
                                          "argv",
                                          "engine_config.call_floor_ms",
                                          "execution_config.number",
                                          "execution_config.repeat",
                                          "execution_config.effective_n",
                                          "workload_metadata.steps",
                                          "metadata.bound",
                                          "metadata.findings",
                                          "metadata.state.frequency_now_mhz",
                                          "metadata.state.load_average",
                                          "metadata.state.steal_s",
                                          "metadata.state.temperature_c"};
  return std::ranges::any_of(kResults, [&](const char* name) { return field.starts_with(name); });
}

/// The machine as its hash covers it: without what changes over boots.
void leave_identity(Json& record) {
  const auto config = record.find("hardware_config");
  if (config == record.end() || !config->is_object() || !config->contains("machine")) return;
  Json& machine = (*config)["machine"];
  if (!machine.is_object()) return;
  machine = stable_part(machine);
  if (machine.contains("memory_bytes")) config->erase("memory_GB");
}

/// A value that is no object, and every such value inside of one.
void add_leaves(const std::string& name, const Json& value, Fields& fields) {
  if (!value.is_object()) {
    fields.emplace_back(name, value.is_string() ? value.get<std::string>() : value.dump());
    return;
  }
  for (const auto& [key, inner] : value.items()) add_leaves(name + "." + key, inner, fields);
}

Fields fields_of(const BenchmarkRecord& record) {
  Fields fields = {{"kind", "benchmark"}};
  Json json = to_json(record);
  leave_identity(json);
  for (const auto& [key, value] : json.items()) add_leaves(key, value, fields);
  std::erase_if(fields, [](const auto& field) { return is_result(field.first); });
  return fields;
}

bool matters(const std::string& field) {
  static constexpr std::array kReasons = {
      "kind",           "task",   "args[",    "kwargs.",  "target",       "workload",
      "inputs",         "scope",  "hardware", "hw_model", "machine_hash", "execution_config",
      "runtime_config", "status", "error_no", "cache"};
  return std::ranges::any_of(kReasons, [&](const char* name) { return field.starts_with(name); }) &&
         !field.starts_with("workload_metadata");
}

}  // namespace

std::vector<RecordDifference> diff_records(const AnyRecord& a, const AnyRecord& b) {
  const auto fields_of_any = [](const AnyRecord& record) {
    return std::visit([](const auto& held) { return fields_of(held); }, record);
  };
  const Fields fields_a = fields_of_any(a);
  const Fields fields_b = fields_of_any(b);
  if (a.index() != b.index()) {
    return {{"kind", fields_a.front().second, fields_b.front().second, true}};
  }
  const std::map<std::string, std::string> of_a(fields_a.begin(), fields_a.end());
  const std::map<std::string, std::string> of_b(fields_b.begin(), fields_b.end());
  const auto value_in = [](const std::map<std::string, std::string>& values,
                           const std::string& field) {
    const auto found = values.find(field);
    return found == values.end() ? std::string("-") : found->second;
  };
  std::vector<RecordDifference> differences;
  const auto compare = [&](const std::string& field) {
    const std::string value_a = value_in(of_a, field);
    const std::string value_b = value_in(of_b, field);
    if (value_a != value_b) differences.push_back({field, value_a, value_b, matters(field)});
  };
  for (const auto& [field, value] : fields_a) compare(field);
  for (const auto& [field, value] : fields_b) {
    if (!of_a.contains(field)) compare(field);
  }
  return differences;
}

std::optional<double> time_of(const AnyRecord& record) {
  if (const auto* trial = std::get_if<TuningRecord>(&record)) {
    if (trial->result.costs_s.empty()) return {};
    return mean_cost(trial->result.costs_s);
  }
  const auto& benchmark = std::get<BenchmarkRecord>(record);
  const auto time =
      benchmark.runtime_ms_median ? benchmark.runtime_ms_median : benchmark.runtime_ms_mean;
  if (!time) return {};
  return ms_to_s(*time);
}

}  // namespace opbench

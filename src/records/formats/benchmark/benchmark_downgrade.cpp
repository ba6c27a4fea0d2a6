#include <nlohmann/json.hpp>

#include <algorithm>
#include <limits>
#include <optional>
#include <utility>

#include "records/formats/benchmark/benchmark_v01.h"
#include "records/json/json_member.h"
#include "records/record/benchmark_inputs.h"

namespace opbench {
namespace {

/// Seconds since 1970; as the page's sample, fourteen digits, where the form takes text and the
/// moment is a whole second.
Json old_timestamp(const std::string& timestamp, BenchmarkForm form) {
  std::vector<RecordIssue> ignored;
  const auto moment = parse_timestamp(timestamp, std::numeric_limits<int64_t>::max() / 2, ignored);
  if (!moment) return timestamp;
  constexpr int64_t kMicro = 1'000'000;
  const bool is_plain = timestamp.size() == 20 && timestamp.ends_with('Z');
  if (form == BenchmarkForm::kB || *moment % kMicro != 0 || !is_plain) {
    return static_cast<double>(*moment) / static_cast<double>(kMicro);
  }
  std::string digits;
  std::ranges::copy_if(timestamp, std::back_inserter(digits),
                       [](char c) { return c >= '0' && c <= '9'; });
  return digits;
}

/// One record on its way from 0.2 to 0.1.
class Downgrade {
 public:
  explicit Downgrade(const BenchmarkRecord& record) : record_(record), json_(to_json(record)) {}

  Json form_d() {
    split_opt_level(true);
    copy({"workload", "engine", "hardware", "runtime_ms_mean", "runtime_ms_std"});
    out_["timestamp"] = old_timestamp(record_.timestamp, BenchmarkForm::kD);
    out_["schema_version"] = "0.1";
    join_metrics();
    copy({"metadata"});
    add_workload_args();
    copy({"workload_metadata", "engine_version"});
    if (record_.target) object("engine_config")["tvm_target"] = *record_.target;
    copy({"engine_config", "compilation_config", "software_config", "runtime_config",
          "hardware_config", "execution_config", "metrics"});
    join_raw();
    add_extras();
    return std::move(out_);
  }

  Json form_b() {
    split_opt_level(false);
    out_["timestamp"] = old_timestamp(record_.timestamp, BenchmarkForm::kB);
    out_["schema_version"] = 0.1;
    for (const std::string& key : metrics_of_form_b()) {
      const Json value = member(member(json_, "metrics"), key);
      if (!value.is_null()) object("metadata")[key] = value;
    }
    copy_as("additional_info", "metadata");
    copy({"workload"});
    add_workload_args();
    copy({"engine"});
    if (record_.engine == "onnxruntime") out_["engine"] = "onnx-runtime";
    copy({"engine_version", "engine_config", "target"});
    copy_as("build_config", "compilation_config");
    copy_as("env_name", "hardware");
    copy({"hw_model"});
    for (const std::string& key : software_of_form_b()) {
      const Json software = member(json_, "software_config");
      if (software.contains(key)) object("runtime_config")[key] = software[key];
    }
    copy({"runtime_config", "execution_config"});
    copy_as("execution_elapsed_ms_mean", "runtime_ms_mean");
    copy_as("execution_elapsed_ms_std", "runtime_ms_std");
    add_extras();
    return std::move(out_);
  }

 private:
  void copy_as(const char* name, const char* field) {
    const auto value = json_.find(field);
    if (value != json_.end()) out_[name] = *value;
  }

  void copy(std::initializer_list<const char*> fields) {
    for (const char* field : fields) copy_as(field, field);
  }

  Json& object(const char* field) {
    Json& value = json_[field];
    if (!value.is_object()) value = Json::object();
    return value;
  }

  /// The level has one name in a record: the old one where there is an equal one beside it.
  void split_opt_level(bool keeps_old_names) {
    const auto config = json_.find("compilation_config");
    if (config == json_.end() || !config->is_object()) return;
    const Json level = member(*config, "opt_level");
    if (level.is_null()) return;
    bool has_old_name = json_.contains("relay_opt_lvl") && json_["relay_opt_lvl"] == level;
    for (const char* field : {"compilation_config", "engine_config"}) {
      for (const std::string& name : old_names_of_opt_level()) {
        if (!json_.contains(field) || member(json_[field], name) != level) continue;
        has_old_name = true;
        if (!keeps_old_names) json_[field].erase(name);
      }
    }
    if (!has_old_name || !keeps_old_names) return;
    json_["compilation_config"].erase("opt_level");
    // Then it was made for the level alone.
    if (json_["compilation_config"].empty()) json_.erase("compilation_config");
  }

  /// What stood among the metrics and is no number.
  void join_metrics() {
    const Json others = member(member(json_, "metadata"), "metrics");
    const auto is_other = [](const Json& value) { return !value.is_number(); };
    if (!others.is_object() || others.empty() || !std::ranges::all_of(others, is_other)) return;
    for (const auto& [key, value] : others.items()) object("metrics")[key] = value;
    json_["metadata"].erase("metrics");
    if (json_["metadata"].empty()) json_.erase("metadata");
  }

  void add_workload_args() {
    const bool has_args = json_.contains("workload_args");
    const Json inputs = member(json_, "inputs");
    if (inputs.is_array() && !inputs.empty()) {
      const Json args = member(json_, "workload_args");
      if (args.is_null() || canonical_text(inputs_of(args)) != canonical_text(inputs)) {
        object("workload_args").update(workload_args_of(inputs));
      }
    }
    if (has_args || inputs.is_array()) copy({"workload_args"});
  }

  /// Raw objects again, from the times and what else each had.
  void join_raw() {
    if (!record_.runtime_raw_ms) return;
    const Json rest = member(json_, "runtime_raw");
    Json raw = Json::array();
    const bool is_parallel = rest.is_array() && rest.size() == record_.runtime_raw_ms->size() &&
                             std::ranges::all_of(rest, [](const Json& item) {
                               return item.is_object() && !item.contains("runtime_ms");
                             });
    for (const double time : *record_.runtime_raw_ms) {
      Json item = {{"runtime_ms", time}};
      if (is_parallel) item.update(rest[raw.size()]);
      raw.push_back(std::move(item));
    }
    out_["runtime_raw"] = std::move(raw);
  }

  void add_extras() {
    const Json extras = Json::parse(record_.extras.text);
    for (const auto& [key, value] : extras.items()) out_[key] = value;
  }

  const BenchmarkRecord& record_;
  Json json_;
  Json out_ = Json::object();
};

}  // namespace

Result<Json> downgrade_benchmark(const BenchmarkRecord& record, BenchmarkForm form) {
  if (record.status != "ok" || !record.runtime_ms_mean) {
    return Error{ErrorCode::kInvalidInput,
                 "a record without a time has no form in benchmark schema 0.1"};
  }
  Json old = form == BenchmarkForm::kD ? Downgrade(record).form_d() : Downgrade(record).form_b();
  // Fields in the order of the form, what they hold sorted as everywhere in records.
  for (auto& [key, value] : old.items()) value = Json::parse(canonical_text(value));
  return old;
}

}  // namespace opbench

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <optional>
#include <utility>

#include "base/errors/suggestion.h"
#include "records/formats/benchmark/benchmark_v01.h"
#include "records/record/benchmark_inputs.h"
#include "records/record/benchmark_times.h"

namespace opbench {
namespace {

const std::map<std::string, std::string, std::less<>>& names_of_form_b() {
  static const std::map<std::string, std::string, std::less<>> kNames = {
      {"hardware", "env_name"},
      {"metadata", "additional_info"},
      {"metrics", "additional_info"},
      {"compilation_config", "build_config"},
      {"software_config", "runtime_config"},
      {"runtime_ms_mean", "execution_elapsed_ms_mean"},
      {"runtime_ms_std", "execution_elapsed_ms_std"},
      {"inputs", "workload_args"}};
  return kNames;
}

bool is_there(const Json& object, const std::string& key) {
  const auto value = object.find(key);
  return value != object.end() && !value->is_null();
}

bool is_finite_number(const Json& value) {
  return value.is_number() && std::isfinite(value.get<double>());
}

/// One record on its way from 0.1 to 0.2.
class Upgrade {
 public:
  Upgrade(const Json& old, const ReadOptions& options, std::vector<RecordIssue>& issues)
      : old_(old), options_(options), issues_(issues), keys_(form_keys(old)) {}

  Json run() {
    record_["schema_version"] = "0.2";
    if (!keys_.only_b.empty() && !keys_.only_d.empty()) {
      issues_.push_back({.code = "E_MIXED_FORM",
                         .field = keys_.only_b.front(),
                         .message = "keys of form B (" + join(keys_.only_b) +
                                    ") beside keys of D (" + join(keys_.only_d) + ")",
                         .is_warning = !options_.strict});
    }
    copy_fields();
    if (!keys_.only_b.empty()) fill_from_form_b();
    upgrade_timestamp();
    record_["status"] = "ok";
    upgrade_engine();
    upgrade_opt_level();
    upgrade_hardware();
    split_metrics();
    upgrade_raw();
    add_inputs();
    record_["scope"] = scope();
    record_["source_form"] = keys_.form() == BenchmarkForm::kB ? "B" : "D";
    return std::move(record_);
  }

 private:
  void add(const char* code, const std::string& field, const std::string& message) {
    issues_.push_back({code, field, message});
  }

  /// Everything that needs no change, unknown keys too.
  void copy_fields() {
    const auto is_renamed = [&](const std::string& key) {
      return std::ranges::any_of(names_of_form_b(),
                                 [&](const auto& name) { return name.second == key; });
    };
    for (const auto& [key, value] : old_.items()) {
      const bool is_shared = key == "workload_args" || key == "runtime_config";
      if (key == "schema_version" || (is_renamed(key) && !is_shared)) continue;
      record_[key] = value;
    }
  }

  /// Objects of the new record that parts of an old one go to.
  Json& object(const std::string& field) {
    Json& value = record_[field];
    if (value.is_null()) value = Json::object();
    return value;
  }

  /// Fields of form B where form D has none.
  void fill_from_form_b() {
    for (const char* field :
         {"hardware", "compilation_config", "runtime_ms_mean", "runtime_ms_std"}) {
      const auto value = old_.find(old_name(field, BenchmarkForm::kB));
      if (value != old_.end() && !record_.contains(field)) record_[field] = *value;
    }
    const auto info = old_.find("additional_info");
    if (info != old_.end() && info->is_object()) {
      for (const auto& [key, value] : info->items()) {
        const bool is_metric = std::ranges::count(metrics_of_form_b(), key) > 0;
        Json& place = object(is_metric && is_finite_number(value) ? "metrics" : "metadata");
        if (place.is_object() && !place.contains(key)) place[key] = value;
      }
      if (info->empty()) object("metadata");
    } else if (info != old_.end()) {
      record_["metadata"] = *info;
    }
    move_software();
    if (keys_.form() == BenchmarkForm::kB) check_docker();
  }

  void move_software() {
    const auto runtime = record_.find("runtime_config");
    if (runtime == record_.end() || !runtime->is_object()) return;
    for (const std::string& key : software_of_form_b()) {
      const auto value = record_["runtime_config"].find(key);
      if (value == record_["runtime_config"].end()) continue;
      Json moved = *value;
      record_["runtime_config"].erase(key);
      if (Json& software = object("software_config"); software.is_object()) {
        if (!software.contains(key)) software[key] = std::move(moved);
      }
    }
  }

  void check_docker() {
    const Json metadata = record_.value("metadata", Json::object());
    for (const char* key : {"docker_tag", "docker_hash"}) {
      if (!metadata.is_object() || is_there(metadata, key)) continue;
      add(options_.strict ? "E_DOCKER" : "W_DOCKER", "additional_info",
          std::string("it has no ") + key);
    }
  }

  void upgrade_timestamp() {
    const auto value = record_.find("timestamp");
    if (value == record_.end() || value->is_null()) return;
    const std::string text = value->is_string() ? value->get<std::string>() : value->dump();
    const int64_t now =
        options_.now_us > 0 ? options_.now_us : std::numeric_limits<int64_t>::max() / 2;
    std::vector<RecordIssue> found;
    const auto moment = parse_timestamp(text, now, found);
    for (RecordIssue& issue : found) {
      // Old data is taken as it is.
      issue.is_warning = issue.code == "E_TIMESTAMP_RANGE" && moment.value_or(-1) >= 0;
      issues_.push_back(std::move(issue));
    }
    *value = moment && *moment >= 0 ? rfc3339_of_us(*moment) : text;
  }

  void upgrade_engine() {
    const auto engine = record_.find("engine");
    if (engine == record_.end() || !engine->is_string()) return;
    auto name = engine->get<std::string>();
    std::ranges::transform(name, name.begin(), [](unsigned char c) {
      return static_cast<char>(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
    });
    *engine = name == "onnx-runtime" ? "onnxruntime" : name;
    const auto config = record_.find("engine_config");
    if (config == record_.end() || !config->is_object() || !config->contains("tvm_target")) return;
    const Json target = (*config)["tvm_target"];
    if (is_there(record_, "target") && record_["target"] != target) {
      add("E_CONFLICT", "engine_config",
          "tvm_target is " + shown(target) + ", target " + shown(record_["target"]));
    }
    config->erase("tvm_target");
    record_["target"] = target;
  }

  static std::string shown(const Json& value) { return value.dump().substr(0, 80); }

  /// Under its one name; those it has in the record stay beside it, so that it can be written back.
  void upgrade_opt_level() {
    std::vector<Json> levels;
    for (const char* field : {"compilation_config", "engine_config"}) {
      const auto config = record_.find(field);
      if (config == record_.end() || !config->is_object()) continue;
      std::vector<std::string> names = old_names_of_opt_level();
      if (field == std::string_view("compilation_config")) names.insert(names.begin(), "opt_level");
      for (const std::string& name : names) {
        if (is_there(*config, name)) levels.push_back((*config)[name]);
      }
    }
    if (is_there(record_, "relay_opt_lvl")) levels.push_back(record_["relay_opt_lvl"]);
    if (levels.empty()) return;
    for (const Json& level : levels) {
      if (level == levels.front()) continue;
      add("E_CONFLICT", "compilation_config",
          "the optimisation level is " + shown(levels.front()) + " and " + shown(level));
      return;
    }
    Json& config = object("compilation_config");
    if (config.is_object()) config["opt_level"] = levels.front();
  }

  void upgrade_hardware() {
    const auto config = record_.find("hardware_config");
    if (config == record_.end() || !config->is_string()) return;
    const Json text = *config;
    record_.erase("hardware_config");
    if (!is_there(record_, "hardware")) {
      record_["hardware"] = text;
    } else if (Json& metadata = object("metadata"); metadata.is_object()) {
      if (!metadata.contains("hardware_config")) metadata["hardware_config"] = text;
    }
  }

  /// Metrics are numbers; what else stands there goes to metadata.metrics.
  void split_metrics() {
    const auto metrics = record_.find("metrics");
    if (metrics == record_.end() || !metrics->is_object()) return;
    Json numbers = Json::object();
    Json others = Json::object();
    for (const auto& [key, value] : metrics->items()) {
      (is_finite_number(value) ? numbers : others)[key] = value;
    }
    if (others.empty()) return;
    Json& metadata = object("metadata");
    if (!metadata.is_object() || metadata.contains("metrics")) return;
    metadata["metrics"] = std::move(others);
    record_["metrics"] = std::move(numbers);
  }

  /// Times apart from what else each raw object has.
  void upgrade_raw() {
    const auto raw = record_.find("runtime_raw");
    if (raw == record_.end() || raw->is_null()) return;
    Json times = Json::array();
    Json rest = Json::array();
    bool has_rest = false;
    const Json items = *raw;
    record_.erase("runtime_raw");
    for (const Json& item : items.is_array() ? items : Json::array({items})) {
      const Json time = item.is_object() ? item.value("runtime_ms", Json()) : Json();
      if (!is_finite_number(time)) {
        return add("E_RAW", "runtime_raw", shown(item) + " has no number runtime_ms");
      }
      times.push_back(time);
      rest.push_back(item);
      rest.back().erase("runtime_ms");
      has_rest = has_rest || !rest.back().empty();
    }
    if (has_rest) record_["runtime_raw"] = std::move(rest);
    record_["runtime_raw_ms"] = times;
    if (times.empty()) return;
    record_["n_samples"] = times.size();
    compare_with_raw(times.get<std::vector<double>>());
  }

  void compare_with_raw(const std::vector<double>& times) {
    constexpr double kTolerance = 1e-6;
    const Json given_mean = record_.value("runtime_ms_mean", Json());
    const double mean = mean_of(times);
    if (given_mean.is_null()) {
      record_["runtime_ms_mean"] = mean;
    } else if (given_mean.is_number() &&
               std::abs(mean - given_mean.get<double>()) > kTolerance * mean) {
      add("W_MEAN_MISMATCH", old_name("runtime_ms_mean", keys_.form()),
          "the mean of runtime_raw is " + Json(mean).dump() + ", not " + given_mean.dump());
    }
    const Json given_std = record_.value("runtime_ms_std", Json());
    if (!given_std.is_number() || times.size() < 2) return;
    std::vector<int> matching;
    for (const int ddof : {0, 1}) {
      const double std = std_of(times, ddof);
      if (std::abs(std - given_std.get<double>()) <= kTolerance * std) matching.push_back(ddof);
    }
    if (matching.empty()) {
      add("W_STD_MISMATCH", old_name("runtime_ms_std", keys_.form()),
          given_std.dump() + " is no standard deviation of runtime_raw");
    } else if (matching.size() == 1) {
      record_["std_ddof"] = matching.front();
    }
  }

  void add_inputs() {
    const auto args = record_.find("workload_args");
    if (args == record_.end() || !args->is_object()) return;
    Json inputs = inputs_of(*args);
    if (!inputs.empty()) record_["inputs"] = std::move(inputs);
  }

  std::string scope() const {
    const Json workload = record_.value("workload", Json());
    if (!workload.is_string()) return "model";
    std::vector<RecordIssue> ignored;
    const std::string domain = parse_workload_name(workload.get<std::string>(), ignored).domain;
    return domain == "topi" || domain == "relay" ? "unit" : "model";
  }

  const Json& old_;
  const ReadOptions& options_;
  std::vector<RecordIssue>& issues_;
  FormKeys keys_;
  Json record_ = Json::object();
};

}  // namespace

FormKeys form_keys(const Json& record) {
  FormKeys keys;
  for (const char* key : {"env_name", "hw_model", "additional_info", "build_config", "target",
                          "execution_elapsed_ms_mean", "execution_elapsed_ms_std"}) {
    if (record.contains(key)) keys.only_b.emplace_back(key);
  }
  for (const char* key :
       {"hardware", "metadata", "workload_metadata", "compilation_config", "software_config",
        "hardware_config", "metrics", "runtime_raw", "runtime_ms_mean", "runtime_ms_std"}) {
    if (record.contains(key)) keys.only_d.emplace_back(key);
  }
  return keys;
}

const std::vector<std::string>& metrics_of_form_b() {
  static const std::vector<std::string> kNames = {"device_memory_usage", "code_size",
                                                  "validation_accuracy", "compile_time"};
  return kNames;
}

const std::vector<std::string>& software_of_form_b() {
  static const std::vector<std::string> kNames = {"cudnn", "cuda_driver", "os"};
  return kNames;
}

const std::vector<std::string>& old_names_of_opt_level() {
  static const std::vector<std::string> kNames = {"relay_opt_level", "relay_opt_lvl"};
  return kNames;
}

std::string old_name(std::string_view field, BenchmarkForm form) {
  if (field == "runtime_raw_ms" || field == "n_samples") return "runtime_raw";
  if (form == BenchmarkForm::kD && field == "inputs") return "workload_args";
  if (form == BenchmarkForm::kD && field == "target") return "engine_config";
  if (form == BenchmarkForm::kD) return std::string(field);
  const auto name = names_of_form_b().find(field);
  return name == names_of_form_b().end() ? std::string(field) : name->second;
}

Json upgrade_benchmark(const Json& old, const ReadOptions& options,
                       std::vector<RecordIssue>& issues) {
  return Upgrade(old, options, issues).run();
}

}  // namespace opbench

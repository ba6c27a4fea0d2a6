#include <nlohmann/json.hpp>

#include <algorithm>

#include "base/json/json_members.h"
#include "measuring/results/profile_json.h"

namespace opbench {
namespace {

std::optional<double> time_above_0(const Json& json, const char* key) {
  const double ms = number_of(json, key);
  return ms > 0 ? std::optional(ms) : std::nullopt;
}

std::optional<double> number_there(const Json& json, const char* key) {
  const bool is_there = json.is_object() && json.contains(key) && json.at(key).is_number();
  return is_there ? std::optional(number_of(json, key)) : std::nullopt;
}

std::optional<bool> flag_there(const Json& json, const char* key) {
  const bool is_there = json.is_object() && json.contains(key) && json.at(key).is_boolean();
  return is_there ? std::optional(json.at(key).get<bool>()) : std::nullopt;
}

int64_t whole_of(const Json& json, const char* key, int64_t otherwise) {
  const bool is_there = json.is_object() && json.contains(key) && json.at(key).is_number_integer();
  return is_there ? json.at(key).get<int64_t>() : otherwise;
}

std::vector<std::string> texts_of(const Json& json, const char* key) {
  std::vector<std::string> texts;
  for (const Json& each : list_of(json, key)) {
    if (each.is_string()) texts.push_back(each.get<std::string>());
  }
  return texts;
}

template <class Value>
std::map<std::string, Value> map_of(const Json& json, const char* key) {
  std::map<std::string, Value> values;
  const Json object = object_of(json, key);
  for (const auto& [name, value] : object.items()) {
    if constexpr (std::is_same_v<Value, std::string>) {
      if (value.is_string()) values[name] = value.template get<std::string>();
    } else {
      if (value.is_number()) values[name] = value.template get<Value>();
    }
  }
  return values;
}

/// The time as the report has it: single samples are not in it. Without an interval both ends are
/// the median.
std::optional<Measurement> measurement_of(const Json& json, const char* key) {
  const Json time = object_of(json, key);
  if (time.empty()) return {};
  Measurement result{.median_ms = number_of(time, "median"),
                     .min_ms = number_of(time, "min"),
                     .q1_ms = number_of(time, "q1"),
                     .q3_ms = number_of(time, "q3")};
  result.low_ms = number_there(time, "low").value_or(result.median_ms);
  result.high_ms = number_there(time, "high").value_or(result.median_ms);
  result.number = whole_of(time, "calls_per_sample", 1);
  result.processes = static_cast<int>(whole_of(time, "processes", 0));
  result.steady = flag_there(time, "steady").value_or(true);
  result.stop_reason = text_of_member(time, "stop_reason");
  result.dropped = map_of<int64_t>(time, "dropped");
  return result;
}

UnitOccurrence occurrence_of(const Json& json) {
  return {.nodes = texts_of(json, "nodes"),
          .in_place_ms = time_above_0(json, "in_place_ms"),
          .in_place_error_ms = number_there(json, "in_place_error_ms")};
}

std::optional<Failure> failure_of(const Json& json) {
  const Json failure = object_of(json, "failure");
  if (failure.empty()) return {};
  return Failure{parse_failure_kind(text_of_member(failure, "kind")),
                 text_of_member(failure, "text")};
}

UnitIdentity identity_of(const Json& json) {
  UnitTexts texts{.workload = text_of_member(json, "workload"),
                  .shapes = text_of_member(json, "shapes")};
  for (const Json& block : list_of(json, "layouts")) {
    if (block.is_number_integer()) texts.layouts.push_back(block);
  }
  UnitIdentity identity = identity_from(std::move(texts));
  const std::string operators = text_of_member(json, "operator");
  if (!operators.empty()) identity.operator_text = operators;
  identity.schedule = text_of_member(json, "schedule");
  identity.origin = text_of_member(json, "tuned_from");
  identity.nodes = texts_of(json, "nodes");
  return identity;
}

UnitResult unit_of_profile(const Json& json) {
  UnitResult unit;
  unit.identity = identity_of(json);
  for (const Json& one : list_of(json, "occurrences")) {
    unit.occurrences.push_back(occurrence_of(one));
  }
  unit.count = whole_of(json, "count", 1);
  unit.time = measurement_of(json, "time_ms");
  unit.in_place_ms = time_above_0(json, "in_place_ms");
  unit.total_ms = number_of(json, "total_ms");
  unit.share = number_of(json, "share");
  unit.flops = number_there(json, "flops");
  unit.bytes = number_there(json, "bytes");
  unit.no_flops_reason = text_of_member(json, "flops_reason");
  unit.gflops_per_s = number_there(json, "gflops_per_s");
  unit.percent_of_peak = number_there(json, "percent_of_peak");
  unit.gbytes_per_s = number_there(json, "gbytes_per_s");
  unit.bound = text_of_member(json, "bound");
  unit.is_cold = flag_there(json, "cold");
  unit.no_cold_reason = text_of_member(json, "cold_reason");
  unit.reproducer = text_of_member(json, "reproducer");
  unit.failure = failure_of(json);
  unit.remark = text_of_member(json, "remark");
  return unit;
}

ModelResult model_of_profile(const Json& json) {
  ModelResult model;
  model.end_to_end = measurement_of(json, "end_to_end_ms");
  if (!model.end_to_end) model.end_to_end_reason = text_of_member(json, "end_to_end_ms_reason");
  model.alone = measurement_of(json, "alone_ms");
  model.sum_in_place_ms = number_there(json, "sum_in_place_ms");
  model.dispatch_ms = number_there(json, "dispatch_ms");
  model.call_overhead_ms = number_there(json, "call_overhead_ms");
  model.gap_percent = number_there(json, "gap_percent");
  if (text_of_member(json, "books") == "inconclusive") {
    model.inconclusive = text_of_member(json, "books_reason");
  }
  model.profiler_slowdown_percent = number_there(json, "profiler_slowdown_percent");
  model.peak_memory_mb = number_there(json, "peak_memory_mb");
  const Json memory = object_of(json, "planned_memory");
  if (!memory.empty()) {
    model.memory = PlannedMemory{.value_bytes = whole_of(memory, "value_bytes", 0),
                                 .live_bytes = whole_of(memory, "live_bytes", 0),
                                 .weight_bytes = whole_of(memory, "weight_bytes", 0)};
  }
  return model;
}

CheckResult check_of_profile(const Json& json) {
  return {.engine = text_of_member(json, "by"),
          .max_relative_error = number_there(json, "max_relative_error"),
          .passed = flag_there(json, "passed").value_or(false),
          .reason = text_of_member(json, "reason")};
}

EngineResult engine_of_profile(const Json& json) {
  EngineResult engine;
  engine.engine = text_of_member(json, "engine");
  engine.version = text_of_member(json, "version");
  engine.versions = map_of<std::string>(json, "versions");
  engine.threads = static_cast<int>(number_of(json, "threads"));
  for (const Json& cpu : list_of(json, "cpus")) {
    if (cpu.is_number_integer()) engine.cpus.push_back(cpu.get<int>());
  }
  engine.call_floor_ms = number_of(json, "call_floor_ms");
  engine.peak_gflops = number_there(json, "peak_gflops");
  engine.memory_gbytes_per_s = number_there(json, "memory_gbytes_per_s");
  for (const Json& unit : list_of(json, "units")) engine.units.push_back(unit_of_profile(unit));
  engine.model = model_of_profile(object_of(json, "model"));
  engine.check = check_of_profile(object_of(json, "check"));
  engine.memory_kept_mb = number_there(json, "memory_kept_mb");
  return engine;
}

}  // namespace

bool is_profile(const Json& json) { return text_of_member(json, "schema") == kProfileSchema; }

ProfileResult profile_of(const Json& report) {
  ProfileResult result;
  result.run_id = text_of_member(report, "run_id");
  result.timestamp = text_of_member(report, "timestamp");
  result.argv = texts_of(report, "command");
  result.model = text_of_member(report, "model");
  result.source = text_of_member(report, "source");
  result.sha256 = text_of_member(report, "sha256");
  result.scope = text_of_member(report, "scope");
  result.target = text_of_member(report, "target");
  result.batch_size = whole_of(report, "batch_size", 1);
  result.seed = static_cast<uint64_t>(std::max<int64_t>(whole_of(report, "seed", 0), 0));
  result.cache = text_of_member(report, "cache");
  for (const Json& input : list_of(report, "inputs")) {
    std::vector<int64_t> shape;
    for (const Json& extent : list_of(input, "shape")) {
      if (extent.is_number_integer()) shape.push_back(extent.get<int64_t>());
    }
    result.inputs.emplace_back(text_of_member(input, "name"), std::move(shape));
  }
  result.labels = map_of<std::string>(report, "labels");
  result.metrics = map_of<double>(report, "metrics");
  result.noise = text_of_member(report, "noise");
  result.preparation_ms = number_of(report, "preparation_ms");
  result.measuring_ms = number_of(report, "measuring_ms");
  result.environment = environment_from(object_of(report, "environment"));
  for (const Json& engine : list_of(report, "engines")) {
    result.engines.push_back(engine_of_profile(engine));
  }
  result.warnings = texts_of(report, "warnings");
  return result;
}

}  // namespace opbench

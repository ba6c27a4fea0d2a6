#include <nlohmann/json.hpp>

#include <cmath>
#include <cstdlib>
#include <utility>

#include "base/json/json_members.h"
#include "base/system/seconds.h"
#include "measuring/results/profile_json.h"

namespace opbench {
namespace {

std::optional<double> number_if_there(const Json& json, const char* key) {
  const auto member = json.is_object() ? json.find(key) : json.end();
  const bool is_number = json.is_object() && member != json.end() && member->is_number();
  if (!is_number) return std::nullopt;
  return member->get<double>();
}

std::optional<double> number_above_0(const Json& json, const char* key) {
  const double number = number_of(json, key);
  return number > 0 ? std::optional(number) : std::nullopt;
}

/// A count, 0 for what is none.
int64_t count_of(const Json& json, const char* key) {
  constexpr double kMost = 9e15;
  const double number = number_of(json, key);
  return std::abs(number) < kMost ? static_cast<int64_t>(number) : 0;
}

std::optional<int64_t> count_if_there(const Json& json, const char* key) {
  if (!number_if_there(json, key)) return std::nullopt;
  return count_of(json, key);
}

std::optional<bool> truth_if_there(const Json& json, const char* key) {
  const auto member = json.is_object() ? json.find(key) : json.end();
  const bool is_truth = json.is_object() && member != json.end() && member->is_boolean();
  if (!is_truth) return std::nullopt;
  return member->get<bool>();
}

std::vector<std::string> texts_of(const Json& json, const char* key) {
  std::vector<std::string> texts;
  for (const Json& one : list_of(json, key)) {
    if (one.is_string()) texts.push_back(one);
  }
  return texts;
}

std::map<std::string, std::string> text_pairs_of(const Json& json, const char* key) {
  std::map<std::string, std::string> pairs;
  const Json object = object_of(json, key);
  for (const auto& [name, value] : object.items()) {
    if (value.is_string()) pairs[name] = value;
  }
  return pairs;
}

std::optional<Measurement> measurement_of(const Json& report, const char* key) {
  const Json json = object_of(report, key);
  if (json.empty()) return std::nullopt;
  Measurement time{.median_ms = number_of(json, "median"),
                   .low_ms = number_of(json, "low"),
                   .high_ms = number_of(json, "high"),
                   .min_ms = number_of(json, "min"),
                   .q1_ms = number_of(json, "q1"),
                   .q3_ms = number_of(json, "q3")};
  time.number = count_of(json, "calls_per_sample");
  time.processes = static_cast<int>(count_of(json, "processes"));
  time.steady = truth_if_there(json, "steady").value_or(true);
  time.stop_reason = text_of_member(json, "stop_reason");
  time.device_ms = number_if_there(json, "device_ms");
  time.copies_ms = number_if_there(json, "copies_ms");
  time.without_copies_ms = number_if_there(json, "without_copies_ms");
  time.clock = time_clock_named(text_of_member(json, "clock")).value_or(TimeClock::kWall);
  const Json dropped = object_of(json, "dropped");
  for (const auto& [cause, count] : dropped.items()) {
    if (count.is_number_integer()) time.dropped[cause] = count;
  }
  int process = 0;
  for (const Json& list : list_of(json, "samples_ms")) {
    if (!list.is_array()) continue;
    for (const Json& ms : list) {
      if (!ms.is_number()) continue;
      time.samples.push_back(
          {.wall_s = ms_to_s(ms.get<double>()), .clock = time.clock, .process = process});
    }
    ++process;
  }
  return time;
}

UnitOccurrence occurrence_of(const Json& json) {
  return {.nodes = texts_of(json, "nodes"),
          .in_place_ms = number_above_0(json, "in_place_ms"),
          .in_place_error_ms = number_if_there(json, "in_place_error_ms"),
          .step = count_if_there(json, "step")};
}

UnitIdentity identity_of_profile(const Json& json) {
  UnitTexts texts{.workload = text_of_member(json, "workload")};
  for (const Json& block : list_of(json, "layouts")) {
    if (block.is_number_integer()) texts.layouts.push_back(block);
  }
  UnitIdentity identity = identity_from(std::move(texts));
  const std::string operators = text_of_member(json, "operator");
  if (!operators.empty()) identity.operator_text = operators;
  identity.texts.shapes = text_of_member(json, "shapes");
  identity.schedule = text_of_member(json, "schedule");
  identity.origin = text_of_member(json, "tuned_from");
  identity.nodes = texts_of(json, "nodes");
  return identity;
}

UnitResult unit_of_profile(const Json& json) {
  UnitResult unit{.identity = identity_of_profile(json)};
  for (const Json& one : list_of(json, "occurrences")) {
    unit.occurrences.push_back(occurrence_of(one));
  }
  unit.count = count_if_there(json, "count").value_or(1);
  unit.time = measurement_of(json, "time_ms");
  unit.in_place_ms = number_above_0(json, "in_place_ms");
  unit.total_ms = number_of(json, "total_ms");
  unit.share = number_of(json, "share");
  unit.flops = number_if_there(json, "flops");
  unit.bytes = number_if_there(json, "bytes");
  unit.no_flops_reason = text_of_member(json, "flops_reason");
  unit.gflops_per_s = number_if_there(json, "gflops_per_s");
  unit.percent_of_peak = number_if_there(json, "percent_of_peak");
  unit.gbytes_per_s = number_if_there(json, "gbytes_per_s");
  unit.bound = text_of_member(json, "bound");
  unit.is_cold = truth_if_there(json, "cold");
  unit.no_cold_reason = text_of_member(json, "cold_reason");
  unit.reproducer = text_of_member(json, "reproducer");
  const Json failure = object_of(json, "failure");
  if (!failure.empty()) {
    unit.failure = Failure{parse_failure_kind(text_of_member(failure, "kind")),
                           text_of_member(failure, "text")};
  }
  unit.remark = text_of_member(json, "remark");
  return unit;
}

ModelResult model_of_profile(const Json& json) {
  ModelResult model;
  model.end_to_end = measurement_of(json, "end_to_end_ms");
  model.end_to_end_reason = text_of_member(json, "end_to_end_ms_reason");
  model.alone = measurement_of(json, "alone_ms");
  model.sum_in_place_ms = number_if_there(json, "sum_in_place_ms");
  model.dispatch_ms = number_if_there(json, "dispatch_ms");
  model.call_overhead_ms = number_if_there(json, "call_overhead_ms");
  model.gap_percent = number_if_there(json, "gap_percent");
  if (text_of_member(json, "books") == "inconclusive") {
    model.inconclusive = text_of_member(json, "books_reason");
  }
  model.profiler_slowdown_percent = number_if_there(json, "profiler_slowdown_percent");
  model.peak_memory_mb = number_if_there(json, "peak_memory_mb");
  const Json memory = object_of(json, "planned_memory");
  if (!memory.empty()) {
    model.memory = PlannedMemory{.value_bytes = count_of(memory, "value_bytes"),
                                 .live_bytes = count_of(memory, "live_bytes"),
                                 .weight_bytes = count_of(memory, "weight_bytes")};
  }
  return model;
}

EngineResult engine_of_profile(const Json& json) {
  EngineResult engine;
  engine.engine = text_of_member(json, "engine");
  engine.version = text_of_member(json, "version");
  engine.versions = text_pairs_of(json, "versions");
  engine.emulator = text_of_member(json, "emulator");
  engine.device = text_pairs_of(json, "device");
  engine.threads = static_cast<int>(count_of(json, "threads"));
  for (const Json& cpu : list_of(json, "cpus")) {
    if (cpu.is_number_integer()) engine.cpus.push_back(cpu);
  }
  engine.call_floor_ms = number_of(json, "call_floor_ms");
  engine.peak_gflops = number_above_0(json, "peak_gflops");
  engine.memory_gbytes_per_s = number_above_0(json, "memory_gbytes_per_s");
  engine.threads_left = count_if_there(json, "threads_left");
  engine.memory_kept_mb = number_if_there(json, "memory_kept_mb");
  for (const Json& unit : list_of(json, "units")) engine.units.push_back(unit_of_profile(unit));
  engine.no_errors_reason = text_of_member(json, "errors_reason");
  engine.model = model_of_profile(object_of(json, "model"));
  const Json check = object_of(json, "check");
  engine.check = {.engine = text_of_member(check, "by"),
                  .max_relative_error = number_if_there(check, "max_relative_error"),
                  .passed = truth_if_there(check, "passed").value_or(false),
                  .reason = text_of_member(check, "reason")};
  return engine;
}

void read_inputs(const Json& report, ProfileResult& result) {
  for (const Json& input : list_of(report, "inputs")) {
    std::vector<int64_t> shape;
    for (const Json& extent : list_of(input, "shape")) {
      if (extent.is_number_integer()) shape.push_back(extent);
    }
    result.inputs.emplace_back(text_of_member(input, "name"), std::move(shape));
  }
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
  result.batch_size = count_if_there(report, "batch_size").value_or(1);
  result.seed = static_cast<uint64_t>(count_of(report, "seed"));
  const std::string cache = text_of_member(report, "cache");
  if (!cache.empty()) result.cache = cache;
  read_inputs(report, result);
  result.labels = text_pairs_of(report, "labels");
  const Json metrics = object_of(report, "metrics");
  for (const auto& [name, value] : metrics.items()) {
    if (value.is_number()) result.metrics[name] = value;
  }
  result.noise = text_of_member(report, "noise");
  result.preparation_ms = number_of(report, "preparation_ms");
  result.measuring_ms = number_of(report, "measuring_ms");
  result.environment = environment_from(object_of(report, "environment"));
  for (const Json& engine : list_of(report, "engines")) {
    result.engines.push_back(engine_of_profile(engine));
  }
  for (const Json& node : list_of(report, "graph")) {
    result.graph.push_back({.name = text_of_member(node, "name"),
                            .type = text_of_member(node, "type"),
                            .needs = texts_of(node, "needs")});
  }
  if (report.is_object() && report.contains("findings")) {
    result.findings = findings_of(report.at("findings"));
  }
  result.warnings = texts_of(report, "warnings");
  return result;
}

}  // namespace opbench

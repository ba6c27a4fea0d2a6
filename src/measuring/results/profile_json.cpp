#include "measuring/results/profile_json.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <string>

#include "base/system/seconds.h"
#include "measuring/results/measurement_json.h"
#include "measuring/results/unit_totals.h"

namespace opbench {
namespace {

/// The clean samples of each process in their order, in six digits: calls differ by more.
void add_samples(Json& json, const std::optional<Measurement>& time) {
  if (!time) return;
  std::map<int, Json> processes;
  for (const Sample& sample : time->samples) {
    if (!sample.flag.empty()) continue;
    Json& list = processes.try_emplace(sample.process, Json::array()).first->second;
    list.push_back(std::stod(fmt::format("{:.6g}", s_to_ms(sample.wall_s))));
  }
  json["samples_ms"] = Json::array();
  for (auto& [process, list] : processes) json["samples_ms"].push_back(std::move(list));
}

Json profile_json_unit_json(const UnitResult& unit, bool has_shares, const std::string& scope,
                            const std::vector<double>& percentiles) {
  const std::string failure = unit.failure ? to_text(*unit.failure) : std::string();
  const auto because = [&](const std::string& otherwise) {
    return failure.empty() ? otherwise : failure;
  };
  Json json;
  json["operator"] = unit.identity.operator_text;
  json["nodes"] = unit.identity.nodes;
  set_text(json, "workload", workload_text(unit.identity),
           "a part of the engine's own, not one operator of ours");
  json["shapes"] = short_shapes(unit.identity);
  set_text(json, "schedule", unit.identity.schedule, "not a kernel of ours");
  set_text(json, "tuned_from", unit.identity.origin,
           unit.identity.schedule.empty() ? "not a kernel of ours" : "the default config");
  const std::vector<int> layouts = layouts_of(unit.identity);
  json["layouts"] = layouts.empty() ? Json() : Json(layouts);
  if (layouts.empty()) json["layouts_reason"] = "not a kernel of ours";
  json["count"] = unit.count;
  json["occurrences"] = Json::array();
  for (const UnitOccurrence& occurrence : unit.occurrences) {
    Json one = {{"nodes", occurrence.nodes}};
    set_number(one, "in_place_ms", occurrence.in_place_ms, because("not measured"));
    set_number(one, "in_place_error_ms", occurrence.in_place_error_ms, because("not known"));
    if (occurrence.step) one["step"] = *occurrence.step;
    json["occurrences"].push_back(std::move(one));
  }
  set_time(json, "time_ms", unit.time, because("not measured in isolation"), percentiles);
  add_samples(json["time_ms"], unit.time);
  set_number(
      json, "in_place_ms", unit.in_place_ms,
      because(scope == "model" ? "not measured inside the model" : "there is no model around it"));
  const bool has_total = unit.time || unit.in_place_ms;
  set_number(json, "total_ms", has_total ? std::optional(unit.total_ms) : std::nullopt,
             because("not measured"));
  set_number(json, "share", has_total && has_shares ? std::optional(unit.share) : std::nullopt,
             because(has_shares ? "not measured" : "interrupted before all rows had a time"));
  const std::string no_flops =
      unit.no_flops_reason.empty() ? "not known for this operator" : unit.no_flops_reason;
  set_number(json, "flops", unit.flops, no_flops);
  set_number(json, "bytes", unit.bytes, no_flops);
  set_number(json, "gflops_per_s", unit.gflops_per_s, because("FLOPs or time not known"));
  const auto no_ceilings = [&](const char* otherwise) {
    return because(unit.no_bound_reason.empty() ? std::string(otherwise) : unit.no_bound_reason);
  };
  set_number(json, "percent_of_peak", unit.percent_of_peak, no_ceilings("FLOPs or peak not known"));
  set_number(json, "gbytes_per_s", unit.gbytes_per_s, because("bytes or time not known"));
  json["cold"] = unit.is_cold ? Json(*unit.is_cold) : Json();
  if (!unit.is_cold) {
    json["cold_reason"] =
        unit.no_cold_reason.empty() ? because("not looked at") : unit.no_cold_reason;
  }
  set_text(json, "bound", unit.bound, no_ceilings("FLOPs, bytes or ceilings not known"));
  set_text(json, "reproducer", unit.reproducer, "the engine runs it inside its model only");
  json["failure"] = nullptr;
  if (unit.failure) {
    json["failure"] = {{"kind", name_of(unit.failure->kind)}, {"text", unit.failure->text}};
  }
  json["remark"] = unit.remark;
  return json;
}

Json planned_json(const std::optional<PlannedMemory>& memory) {
  if (!memory) return Json();
  return {{"value_bytes", memory->value_bytes},
          {"live_bytes", memory->live_bytes},
          {"weight_bytes", memory->weight_bytes}};
}

Json profile_json_model_json(const ModelResult& model, const std::string& scope,
                             const std::vector<double>& percentiles) {
  const std::string otherwise =
      scope == "model" ? "the engine gives no times of its parts" : "there is no model";
  const std::string& reason = model.end_to_end_reason.empty() ? otherwise : model.end_to_end_reason;
  Json json;
  set_time(json, "end_to_end_ms", model.end_to_end, reason, percentiles);
  add_samples(json["end_to_end_ms"], model.end_to_end);
  if (scope == "unit") {
    set_time(json, "alone_ms", model.alone, "its only unit is measured in isolation", percentiles);
  }
  set_number(json, "sum_in_place_ms", model.sum_in_place_ms, reason);
  set_number(json, "dispatch_ms", model.dispatch_ms, reason);
  set_number(json, "call_overhead_ms", model.call_overhead_ms, reason);
  const bool is_known = model.inconclusive.empty();
  set_number(json, "gap_percent", is_known ? model.gap_percent : std::nullopt,
             is_known ? reason : "inconclusive: " + model.inconclusive);
  json["books"] = !model.gap_percent ? Json() : is_known ? "conclusive" : "inconclusive";
  if (!model.gap_percent) json["books_reason"] = reason;
  if (!is_known) json["books_reason"] = model.inconclusive;
  set_number(json, "profiler_slowdown_percent", model.profiler_slowdown_percent, reason);
  set_number(json, "peak_memory_mb", model.peak_memory_mb, "the engine does not say");
  json["planned_memory"] = planned_json(model.memory);
  if (!model.memory) json["planned_memory_reason"] = "the engine does not plan it";
  return json;
}

Json engine_json(const EngineResult& engine, const ProfileResult& result) {
  Json json;
  json["engine"] = engine.engine;
  json["version"] = engine.version;
  json["versions"] = engine.versions;
  if (!engine.device.empty()) json["device"] = engine.device;
  json["threads"] = engine.threads;
  json["cpus"] = engine.cpus;
  json["call_floor_ms"] = engine.call_floor_ms;
  const std::string no_ceiling = engine.device.empty() ? "not measured" : kNoDeviceCeilings;
  set_number(json, "peak_gflops", engine.peak_gflops, no_ceiling);
  set_number(json, "memory_gbytes_per_s", engine.memory_gbytes_per_s, no_ceiling);
  const TimeCaches caches = caches_of(engine, result.cache);
  json["caches"] = {{"time_ms", caches.alone},
                    {"in_place_ms", caches.in_place},
                    {"total_ms", caches.total},
                    {"end_to_end_ms", "hot"}};
  json["units"] = Json::array();
  for (const UnitResult& unit : engine.units) {
    json["units"].push_back(
        profile_json_unit_json(unit, has_all_totals(engine), result.scope, result.percentiles));
  }
  json["key_units"] = key_unit_count(engine);
  json["model"] = profile_json_model_json(engine.model, result.scope, result.percentiles);
  json["check"] = check_json(engine.check);
  if (!engine.errors.empty()) json["errors"] = unit_errors_json(engine.errors);
  if (!engine.no_errors_reason.empty()) json["errors_reason"] = engine.no_errors_reason;
  json["threads_left"] = engine.threads_left ? Json(*engine.threads_left) : Json();
  set_number(json, "memory_kept_mb", engine.memory_kept_mb, "not measured");
  return json;
}

Json graph_json(const std::vector<ModelNode>& nodes) {
  Json list = Json::array();
  for (const ModelNode& node : nodes) {
    list.push_back({{"name", node.name}, {"type", node.type}, {"needs", node.needs}});
  }
  return list;
}

}  // namespace

Json profile_json(const ProfileResult& result) {
  Json json;
  json["schema"] = kProfileSchema;
  json["tool"] = "opbench " OPBENCH_VERSION;
  json["run_id"] = result.run_id;
  json["timestamp"] = result.timestamp;
  json["command"] = result.argv;
  json["model"] = result.model;
  json["source"] = result.source;
  set_text(json, "sha256", result.sha256, "the model is no file");
  json["scope"] = result.scope;
  json["target"] = result.target;
  json["batch_size"] = result.batch_size;
  json["seed"] = result.seed;
  json["cache"] = result.cache;
  json["inputs"] = Json::array();
  for (const auto& [name, shape] : result.inputs) {
    json["inputs"].push_back({{"name", name}, {"shape", shape}});
  }
  json["labels"] = result.labels;
  json["metrics"] = result.metrics;
  set_text(json, "noise", result.noise, "not looked at");
  json["preparation_ms"] = result.preparation_ms;
  json["measuring_ms"] = result.measuring_ms;
  set_environment(json, result.environment);
  json["engines"] = Json::array();
  for (const EngineResult& engine : result.engines) {
    json["engines"].push_back(engine_json(engine, result));
  }
  if (!result.graph.empty()) json["graph"] = graph_json(result.graph);
  json["warnings"] = result.warnings;
  if (result.findings) json["findings"] = findings_json(*result.findings);
  return json;
}

}  // namespace opbench

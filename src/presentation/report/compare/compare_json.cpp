#include "presentation/report/compare/compare_json.h"

#include <nlohmann/json.hpp>

#include <cmath>

#include "measuring/results/measurement_json.h"
#include "measuring/results/time_interval.h"
#include "presentation/report/compare/compare_text.h"
#include "presentation/report/compare/winners.h"

namespace opbench {
namespace {

constexpr const char* kCompareSchema = "opbench.compare/1";

Json side_json(const ComparedVariant& side) {
  Json json;
  json["label"] = side.label;
  json["engine"] = side.engine;
  json["version"] = side.version;
  json["versions"] = side.versions;
  set_text(json, "build", side.build, "this one");
  set_text(json, "opbench_version", side.program_version, "that build does not say");
  set_text(json, "git_commit", side.commit,
           "not built from a checkout, or that build does not say");
  if (!side.emulator.empty()) json["emulator"] = side.emulator;
  if (!side.device.empty()) json["device"] = side.device;
  json["threads"] = side.threads;
  json["cpus"] = side.cpus;
  if (!side.executor.empty()) json["executor"] = side.executor;
  if (!side.is_fused) json["fusion"] = "off";
  json["batch_size"] = side.batch_size;
  json["call_floor_ms"] = side.call_floor_ms;
  json["check"] = check_json(side.check);
  json["tuned_kernels"] = side.kernels;
  return json;
}

void set_ratio(Json& json, const CompareUnit& unit, const std::string& reason) {
  const std::optional<Ratio>& ratio = unit.ratio;
  const bool is_finite = ratio && std::isfinite(ratio->median) && std::isfinite(ratio->low) &&
                         std::isfinite(ratio->high);
  if (is_finite) {
    json["ratio"] = {{"median", ratio->median}, {"low", ratio->low}, {"high", ratio->high}};
    if (has_ratio_interval(unit)) return;
    for (const char* bound : {"low", "high"}) set_number(json["ratio"], bound, {}, kNoInterval);
    return;
  }
  json["ratio"] = nullptr;
  json["ratio_reason"] = ratio ? "not a finite number" : reason;
}

/// The fields that a unit and the model share.
void add_verdict(Json& json, const CompareUnit& unit) {
  const std::string why = unit.reason.empty() ? "not measured" : unit.reason;
  set_time(json, "base_ms", unit.base, why);
  set_time(json, "new_ms", unit.candidate, why);
  set_ratio(json, unit, why);
  set_number(json, "floor_percent", unit.floor_percent, "no A/A pairs of it were measured");
  json["margin_percent"] = unit.margin_percent;
  json["verdict"] = unit.verdict ? Json(name_of(*unit.verdict)) : Json();
  if (!unit.verdict) json["verdict_reason"] = why;
  json["reason"] = unit.reason;
  json["remark"] = unit.remark;
  json["failed"] = unit.has_failed;
  const bool is_open = unit.verdict == Verdict::kInconclusive;
  set_number(json, "needs_s", unit.needs_s,
             is_open        ? "more time alone would not decide it"
             : unit.verdict ? "it is decided"
                            : why);
  json["rounds"] = unit.rounds;
  json["dropped_rounds"] = unit.dropped_rounds;
}

Json compare_json_unit_json(const CompareUnit& unit) {
  Json json;
  json["operator"] = unit.identity.operator_text;
  json["nodes"] = unit.identity.nodes;
  set_text(json, "workload", workload_text(unit.identity), "not one operator of ours");
  json["shapes"] = short_shapes(unit.identity);
  json["count"] = unit.count;
  add_verdict(json, unit);
  return json;
}

/// `units`, `model` and `differences` of a pair of sides.
void add_pair(Json& json, const CompareResult& result, const Comparison& pair) {
  json["units"] = Json::array();
  for (const CompareUnit& unit : pair.units) json["units"].push_back(compare_json_unit_json(unit));
  json["model"]["name"] = result.model;
  add_verdict(json["model"], pair.model);
  json["differences"] = pair.differences;
}

Json compare_json_pair_json(const CompareResult& result, const Comparison& pair) {
  Json json;
  json["base"] = side_json(result.sides.at(pair.base));
  json["new"] = side_json(result.sides.at(pair.candidate));
  add_pair(json, result, pair);
  return json;
}

Json standing_json(const CompareResult& result, const Standing& standing) {
  const bool is_model = standing.identity.operator_text == "model";
  Json json;
  json["operator"] = standing.identity.operator_text;
  set_text(json, "workload", workload_text(standing.identity),
           is_model ? "the whole model" : "not one operator of ours");
  json["shapes"] = short_shapes(standing.identity);
  json["count"] = standing.count;
  set_text(json, "winner", standing.winner ? result.sides[*standing.winner].label : "",
           standing.tied.empty() ? "verdicts are missing" : "a tie");
  for (const auto& [field, sides] :
       {std::pair{"tied", &standing.tied}, {"unbeaten", &standing.unbeaten}}) {
    json[field] = Json::array();
    for (const size_t side : *sides) json[field].push_back(result.sides[side].label);
  }
  return json;
}

Json noise_json(const CompareNoise& noise) {
  Json json;
  set_text(json, "class", noise.noise_class, "not looked at");
  set_number(json, "floor_percent", noise.floor_percent, "no A/A pairs were measured");
  json["advice"] = noise.advice;
  return json;
}

void add_head(Json& json, const CompareResult& result) {
  json["schema"] = kCompareSchema;
  json["tool"] = "opbench " OPBENCH_VERSION;
  json["run_id"] = result.run_id;
  json["timestamp"] = result.timestamp;
  json["command"] = result.argv;
  json["source"] = result.source;
  set_text(json, "sha256", result.sha256, "the model is no file");
  json["target"] = result.target;
  json["unit"] = result.unit;
  json["layouts"] = result.layouts;
  json["cache"] = result.cache;
  json["seed"] = result.seed;
  json["margin_percent"] = result.margin_percent;
  json["correction"] = result.correction;
  json["forced"] = result.is_forced;
  json["incomparable"] = result.incomparable;
}

}  // namespace

Json compare_json(const CompareResult& result) {
  Json json;
  add_head(json, result);
  Comparison none;
  none.model.reason = "nothing was compared";
  const Comparison& first = result.comparisons.empty() ? none : result.comparisons.front();
  for (const auto& [field, side] : {std::pair{"base", first.base}, {"new", first.candidate}}) {
    json[field] = side < result.sides.size() ? side_json(result.sides[side]) : Json();
    if (side >= result.sides.size()) json[std::string(field) + "_reason"] = "there is none";
  }
  json["noise"] = noise_json(result.noise);
  add_pair(json, result, first);
  if (result.sides.size() > 2) {
    json["comparisons"] = Json::array();
    for (const Comparison& pair : result.comparisons) {
      json["comparisons"].push_back(compare_json_pair_json(result, pair));
    }
    json["winners"] = Json::array();
    for (const Standing& standing : unit_standings(result)) {
      json["winners"].push_back(standing_json(result, standing));
    }
    json["winners"].push_back(standing_json(result, model_standing(result)));
  }
  set_environment(json, result.environment);
  json["warnings"] = result.warnings;
  return json;
}

}  // namespace opbench

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "measuring/results/measurement_json.h"
#include "presentation/report/together/together_report.h"

namespace opbench {
namespace {

constexpr const char* kTuneTogetherSchema = "opbench.tune-together/1";

Json ratio_json(const std::optional<Ratio>& ratio) {
  if (!ratio) return nullptr;
  return {{"median", ratio->median}, {"low", ratio->low}, {"high", ratio->high}};
}

Json verdict_json(const std::optional<Verdict>& verdict) {
  return verdict ? Json(name_of(*verdict)) : Json(nullptr);
}

Json together_json_config_json(const UnitConfig& config, const std::optional<double>& pressure) {
  Json json = {{"schedule", config.kernel.schedule},
               {"config", config.kernel.config},
               {"origin", config.kernel.origin},
               {"one_thread_ms", config.one_ms}};
  set_number(json, "two_threads_ms", config.two_ms, "not measured");
  json["resident_bytes"] = {{"kind", "modelled"}, {"bytes", config.resident_bytes}};
  json["dram_bytes"] = {{"kind", "modelled"}, {"bytes", config.dram_bytes}};
  set_number(json, "pressure", pressure, "not measured beside a neighbour");
  return json;
}

Json together_json_unit_json(const TogetherUnit& unit) {
  Json json = {{"workload", workload_text(unit.identity)},
               {"operator", unit.identity.operator_text},
               {"shapes", short_shapes(unit.identity)},
               {"layouts", unit.identity.blocks},
               {"configs_tried", unit.tried},
               {"configs_failed", unit.failed},
               {"configs_from_log", unit.resumed}};
  json["configs"] = Json::array();
  for (size_t i = 0; i < unit.list.size(); ++i) {
    json["configs"].push_back(together_json_config_json(
        unit.list[i], i < unit.pressures.size() ? unit.pressures[i] : std::nullopt));
  }
  return json;
}

Json together_json_candidate_json(const TogetherCandidate& candidate) {
  Json json = {{"arrangement", name_of(candidate.forecast.arrangement)},
               {"configs", candidate.forecast.configs},
               {"baseline", candidate.baseline.empty() ? Json(nullptr) : Json(candidate.baseline)},
               {"predicted_ms", candidate.forecast.predicted_ms}};
  std::optional<double> measured;
  if (candidate.time) measured = candidate.time->median_ms;
  set_number(json, "measured_ms", measured, candidate.reason);
  json["over_sequential"] = ratio_json(candidate.ratio);
  json["verdict"] = verdict_json(candidate.verdict);
  json["reason"] = candidate.reason;
  return json;
}

}  // namespace

Json together_json(const TogetherResult& result) {
  Json json = {{"schema", kTuneTogetherSchema},
               {"timestamp", result.timestamp},
               {"target", result.target},
               {"cpus", result.cpus},
               {"seed", result.seed}};
  json["units"] = {together_json_unit_json(result.units[0]),
                   together_json_unit_json(result.units[1])};
  json["has_slow_downs"] = result.has_pressures;
  json["combinations"] = result.forecasts;
  json["candidates"] = Json::array();
  for (const TogetherCandidate& one : result.candidates) {
    json["candidates"].push_back(together_json_candidate_json(one));
  }
  json["better_baseline"] = result.baseline;
  json["judgement"] = nullptr;
  if (const auto& judgement = result.judgement) {
    json["judgement"] = {{"candidate", judgement->candidate},
                         {"over_baseline", ratio_json(judgement->ratio)},
                         {"verdict", verdict_json(judgement->verdict)},
                         {"reason", judgement->reason}};
  }
  json["choice"] = {
      {"candidate", result.chosen}, {"speed_up", result.speedup()}, {"reason", result.reason}};
  json["key"] = result.key;
  json["kept"] = result.kept.empty() ? Json(nullptr) : Json(result.kept);
  json["spent_s"] = result.spent_s;
  json["environment"] = to_json(result.environment);
  json["warnings"] = result.warnings;
  return json;
}

}  // namespace opbench

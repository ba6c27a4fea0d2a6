#include <nlohmann/json.hpp>

#include "measuring/results/measurement_json.h"
#include "presentation/report/place/place_report.h"
#include "presentation/report/place/place_run_tables.h"

namespace opbench {
namespace {

Json place_json_point_json(const FrontPoint& point) {
  return {{"makespan_ms", point.makespan_ms},
          {"energy_mj", point.energy_mj},
          {"placement", point.placement}};
}

Json place_json_candidate_json(const PlaceResult& result, const PlaceCandidate& one) {
  Json json = {{"method", one.method}};
  json.update(place_json_point_json(one.point));
  json["speedup"] = one.speedup;
  json["low"] = one.low;
  json["high"] = one.high;
  json["verdict"] = one.verdict;
  json["over_bound"] = one.point.makespan_ms / result.study.bound_ms;
  std::optional<double> over;
  if (result.study.optimum_ms) over = one.point.makespan_ms / *result.study.optimum_ms;
  set_number(json, "over_optimum", over, result.study.no_optimum_reason);
  return json;
}

Json flip_json(const EnergyFlip& flip) {
  Json json = {{"constant", flip.constant}, {"factor", flip.factor}};
  if (!flip.is_possible) {
    json["flips"] = nullptr;
    json["flips_reason"] = "a device would draw less when busy than when idle";
    return json;
  }
  json["flips"] = flip.moved_units > 0;
  json["moved_units"] = flip.moved_units;
  json["kept_mj"] = flip.kept_mj;
  json["new_mj"] = flip.new_mj;
  return json;
}

Json energy_json(const PlaceResult& result) {
  Json json = {{"kind", "modelled"},
               {"constants", result.energy.name},
               {"transfer_pj_per_byte", result.energy.transfer_pj_per_byte}};
  json["devices"] = Json::array();
  for (size_t d = 0; d < result.graph.devices.size(); ++d) {
    const DevicePower& power = result.study.powers[d];
    json["devices"].push_back(
        {{"name", result.graph.devices[d].name},
         {"busy_w", power.busy_w},
         {"idle_w", power.idle_w},
         {"source",
          power.source.empty() ? "declared (" + result.energy.name + ")" : power.source}});
  }
  return json;
}

}  // namespace

Json place_json(const PlaceResult& result) {
  const PlaceStudy& study = result.study;
  Json json = to_json(result.graph);
  json["energy"] = energy_json(result);
  std::optional<double> floor, chance_gain;
  if (result.graph.control) {
    floor = study.floor.floor;
    chance_gain = study.floor.chance_gain;
  }
  const std::string why = result.graph.disturbance.empty()
                              ? "no device of this machine was timed twice"
                              : result.graph.disturbance;
  set_number(json, "floor", floor, why);
  set_number(json, "chance_gain", chance_gain, why);
  json["bound_ms"] = study.bound_ms;
  set_number(json, "optimum_ms", study.optimum_ms, study.no_optimum_reason);
  json["candidates"] = Json::array();
  for (const PlaceCandidate& one : study.candidates) {
    json["candidates"].push_back(place_json_candidate_json(result, one));
  }
  json["limit_ms"] = study.limit_ms;
  json["is_limit_met"] = study.is_limit_met;
  json["is_frugal_optimal"] = study.is_frugal_optimal;
  std::optional<double> energy_bound;
  if (study.is_limit_met) energy_bound = study.energy_bound_mj;
  set_number(json, "energy_bound_mj", energy_bound, "no placement ends within the limit");
  json["front"] = Json::array();
  for (const FrontPoint& point : study.front.front.points()) {
    json["front"].push_back(place_json_point_json(point));
  }
  std::optional<double> tolerance;
  if (study.front.is_optimal) tolerance = study.front.tolerance;
  set_number(json, "front_tolerance", tolerance, "the graph is too large to be searched");
  json["sensitivity"] = Json::array();
  for (const EnergyFlip& flip : study.flips) json["sensitivity"].push_back(flip_json(flip));
  if (!result.runs.empty()) json["runs"] = place_runs_json(result);
  json["warnings"] = result.warnings;
  return json;
}

}  // namespace opbench

#include <nlohmann/json.hpp>

#include "measuring/results/measurement_json.h"
#include "prediction/interference/interference_file.h"

namespace opbench {
namespace {

Json slowdown_json(const std::optional<Slowdown>& slowdown) {
  if (!slowdown) return nullptr;
  return {{"ratio", slowdown->ratio},
          {"low", slowdown->interval.low},
          {"high", slowdown->interval.high},
          {"rounds", slowdown->rounds}};
}

/// `first`, `second`: what the sides are called.
Json corun_json(const MeasuredCorun& corun, const std::string& first, const std::string& second) {
  Json json;
  json["slow_down_of_" + first] = slowdown_json(corun.slowdowns[0]);
  json["slow_down_of_" + second] = slowdown_json(corun.slowdowns[1]);
  if (!corun.reason.empty()) json["slow_down_reason"] = corun.reason;
  json["alone_ms"] = {{first, corun.solo_ms[0]}, {second, corun.solo_ms[1]}};
  json["rounds_kept"] = corun.kept;
  json["rounds_dropped"] = corun.dropped;
  json["disturbed_turns"] = corun.disturbed_turns;
  return json;
}

Json interference_json_unit_json(const InterferenceResult& result, size_t index) {
  const InterferenceUnit& unit = result.units[index];
  Json json = {{"unit", unit.key},
               {"model", unit.subject},
               {"operator", unit.identity.operator_text},
               {"shapes", short_shapes(unit.identity)},
               {"workload", workload_text(unit.identity)},
               {"schedule", unit.identity.schedule},
               {"count", unit.count},
               {"in_model_ms", unit.in_model_ms},
               {"share", unit.share}};
  set_number(json, "alone_ms", unit.alone_ms > 0 ? std::optional(unit.alone_ms) : std::nullopt,
             "no round of it was undisturbed");
  set_number(json, "bytes", unit.bytes, "they are not known");
  json["pressure"] = slowdown_json(result.pressure_of(index));
  json["beside"] = Json::array();
  for (size_t level = 0; level < result.levels.size(); ++level) {
    Json one = {{"neighbour", result.levels[level].name}};
    one.update(corun_json(result.beside[index][level], "unit", "neighbour"));
    json["beside"].push_back(std::move(one));
  }
  return json;
}

Json level_json(const InterferenceLevel& level) {
  Json json = {{"neighbour", level.name},
               {"bytes", level.bytes},
               {"duty", level.duty},
               {"is_probe", level.is_probe}};
  json.update(corun_json(level.probe, "probe", "neighbour"));
  return json;
}

Json forecast_json(const PairForecast& forecast) {
  Json json = {{"curve", forecast.curve}, {"max", forecast.max}, {"sum", forecast.sum}};
  set_number(json, "bandwidth_share", forecast.bandwidth_share,
             "bytes of a unit or the bandwidth are not known");
  return json;
}

Json interference_json_pair_json(const InterferenceResult& result, const InterferencePair& pair) {
  Json json = {{"first", result.units[pair.first].key}, {"second", result.units[pair.second].key}};
  json.update(corun_json(pair.corun, "first", "second"));
  if (!pair.forecasts) {
    json["forecasts"] = nullptr;
    json["forecasts_reason"] = "a unit was not measured beside the neighbour";
    return json;
  }
  json["forecasts"] = {{"first", forecast_json((*pair.forecasts)[0])},
                       {"second", forecast_json((*pair.forecasts)[1])}};
  return json;
}

Json errors_json(const ForecastErrors& errors) {
  Json json = {{"method", errors.method},
               {"slow_downs", errors.pairs},
               {"mean_error", errors.mean_error},
               {"median_error", errors.median_error},
               {"worst_error", errors.worst_error},
               {"found", errors.hits},
               {"false_alarms", errors.false_alarms},
               {"missed", errors.misses}};
  set_number(json, "precision", errors.precision(), "it predicts no pair to hurt");
  set_number(json, "recall", errors.recall(), "no pair hurts");
  return json;
}

}  // namespace

Json interference_json(const InterferenceResult& result) {
  Json json = {{"schema", kInterferenceSchema},
               {"timestamp", result.timestamp},
               {"models", result.models},
               {"target", result.target},
               {"cpus", result.cpus},
               {"seed", result.seed},
               {"threshold", result.threshold},
               {"rounds_kept", result.kept},
               {"rounds_dropped", result.dropped},
               {"disturbed_turns", result.disturbed_turns},
               {"passes", result.passes},
               {"has_raised_priority", result.has_raised_priority},
               {"spent_s", result.spent_s}};
  set_number(json, "peak_gbytes_per_s",
             result.peak_gbytes_per_s > 0 ? std::optional(result.peak_gbytes_per_s) : std::nullopt,
             "it could not be measured");
  json["control"] = corun_json(result.control, "first", "second");
  json["units"] = Json::array();
  for (size_t i = 0; i < result.units.size(); ++i)
    json["units"].push_back(interference_json_unit_json(result, i));
  json["probe"] = Json::array();
  for (const InterferenceLevel& level : result.levels) json["probe"].push_back(level_json(level));
  if (result.has_pairs) {
    json["pairs"] = Json::array();
    for (const InterferencePair& pair : result.pairs) {
      json["pairs"].push_back(interference_json_pair_json(result, pair));
    }
    json["forecasts"] = Json::array();
    for (const ForecastErrors& one : result.errors) json["forecasts"].push_back(errors_json(one));
    json["noise_floor"] = result.noise_floor;
    json["undecided"] = result.undecided;
  }
  json["failures"] = result.failures;
  json["warnings"] = result.warnings;
  set_environment(json, result.environment);
  return json;
}

}  // namespace opbench

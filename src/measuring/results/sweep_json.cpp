#include "measuring/results/sweep_json.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/json/json_members.h"
#include "measuring/results/measurement_json.h"

namespace opbench {
namespace {

constexpr const char* kSweepSchema = "opbench.sweep/1";

Json value_json(const SweepKey& key, const std::string& value) {
  if (key.is_numeric) return static_cast<int64_t>(std::stoll(value));
  return value;
}

Json over_json(const SweepResult& result) {
  Json over = Json::array();
  for (const SweepKey& key : result.keys) {
    Json values = Json::array();
    for (const std::string& value : key.values) values.push_back(value_json(key, value));
    over.push_back({{"key", key.name}, {"values", std::move(values)}});
  }
  return over;
}

void sweep_json_set_time(Json& json, const SweepPoint& point, const std::string& reason) {
  if (!point.time) {
    json["time_ms"] = nullptr;
    json["time_ms_reason"] = reason;
    return;
  }
  const Measurement& time = *point.time;
  const auto clean =
      std::ranges::count_if(time.samples, [](const Sample& sample) { return sample.flag.empty(); });
  Json object = {{"median", time.median_ms}};
  set_interval(object, time);
  object["min"] = time.min_ms;
  set_number(object, "samples",
             clean > 0 ? std::optional(static_cast<double>(clean)) : std::nullopt,
             "the record does not hold them");
  if (clean > 0) object["samples"] = clean;
  object["steady"] = time.steady;
  set_text(object, "stop_reason", time.stop_reason, "the record does not say");
  json["time_ms"] = std::move(object);
}

Json sweep_json_point_json(const SweepResult& result, const SweepPoint& point,
                           const std::optional<double>& speed_up) {
  const auto because = [&](const char* otherwise) {
    return point.time || point.failure.empty() ? std::string(otherwise) : point.failure;
  };
  Json json;
  json["values"] = Json::object();
  for (size_t i = 0; i < result.keys.size(); ++i) {
    json["values"][result.keys[i].name] = value_json(result.keys[i], point.values[i]);
  }
  json["engine"] = point.engine;
  set_text(json, "version", point.version, because("not known"));
  json["threads"] = point.threads;
  json["cpus"] = point.cpus;
  json["batch"] = point.batch;
  if (!point.workload.empty()) json["workload"] = point.workload;
  sweep_json_set_time(json, point, because("no time was taken"));
  set_text(json, "time_of", point.time_of, because("there is no time"));
  set_number(json, "item_ms", item_ms(point), because("there is no time"));
  set_number(json, "speed_up", speed_up,
             because("the first point of its series, or this one, has no time"));
  set_number(json, "flops", point.flops, because("not known for this operator"));
  set_number(json, "bytes", point.bytes, because("not known for this operator"));
  set_number(json, "gflops_per_s", point.gflops_per_s, because("FLOPs or time not known"));
  set_number(json, "percent_of_peak", point.percent_of_peak, because("FLOPs or peak not known"));
  set_number(json, "gbytes_per_s", point.gbytes_per_s, because("bytes or time not known"));
  set_text(
      json, "bound", point.bound,
      because(point.is_recorded ? "records do not say" : "FLOPs, bytes or ceilings not known"));
  json["check"] = check_json(point.check);
  json["is_recorded"] = point.is_recorded;
  json["is_interrupted"] = point.is_interrupted;
  json["failure"] = point.failure.empty() ? Json() : Json(point.failure);
  return json;
}

std::optional<Measurement> time_of_point(const Json& point) {
  if (point.contains("failure") && point.at("failure").is_string()) return {};
  const Json time = object_of(point, "time_ms");
  if (!time.contains("median") || !time.at("median").is_number()) return {};
  return Measurement{.median_ms = time.at("median").get<double>()};
}

}  // namespace

Json sweep_json(const SweepResult& result) {
  Json json;
  json["schema"] = kSweepSchema;
  json["tool"] = "opbench " OPBENCH_VERSION;
  set_text(json, "timestamp", result.timestamp, "nothing was measured");
  json["command"] = result.argv;
  if (result.workload.empty()) {
    json["model"] = result.model;
    json["source"] = result.source;
  } else {
    json["workload"] = result.workload;
  }
  json["target"] = result.target;
  json["seed"] = result.seed;
  const bool is_key = std::ranges::find(result.keys, "cache", &SweepKey::name) != result.keys.end();
  set_text(json, "cache", is_key ? "" : result.cache, "a key of the sweep");
  json["over"] = over_json(result);
  json["total"] = result.total;
  set_text(json, "noise", result.noise, "not looked at");
  set_environment(json, result.environment);
  const std::vector<std::optional<double>> ratios = speed_ups(result);
  json["points"] = Json::array();
  for (size_t i = 0; i < result.points.size(); ++i) {
    json["points"].push_back(sweep_json_point_json(result, result.points[i], ratios[i]));
  }
  json["warnings"] = result.warnings;
  return json;
}

Result<SweepResult> parse_sweep(const Json& report, const std::string& what) {
  const auto refuse = [&](const std::string& why) {
    return Error{ErrorCode::kInvalidInput, fmt::format("\"{}\" {}", what, why)}.with(
        "valid", "what opbench sweep --format json prints");
  };
  const std::string schema = text_of_member(report, "schema");
  if (schema != kSweepSchema) {
    return refuse("has the schema \"" + schema + "\", not " + kSweepSchema);
  }
  SweepResult result{.model = text_of_member(report, "model"),
                     .workload = text_of_member(report, "workload")};
  const auto over = report.find("over");
  if (over == report.end() || !over->is_array()) return refuse("does not say what it is over");
  for (const Json& key : *over) result.keys.push_back({text_of_member(key, "key"), {}});
  const auto points = report.find("points");
  if (points == report.end() || !points->is_array()) return refuse("has no list of points");
  for (const Json& json : *points) {
    const auto values = json.find("values");
    if (values == json.end() || !values->is_object()) return refuse("has a point without values");
    SweepPoint point;
    for (const SweepKey& key : result.keys) {
      const auto value = values->find(key.name);
      if (value == values->end()) return refuse("has a point without " + key.name);
      point.values.push_back(value->is_string() ? value->get<std::string>() : value->dump());
    }
    point.time = time_of_point(json);
    result.points.push_back(std::move(point));
  }
  return result;
}

}  // namespace opbench

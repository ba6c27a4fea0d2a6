#include "measuring/results/measurement_json.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <cmath>

#include "measuring/results/percentiles.h"
#include "measuring/results/time_interval.h"

namespace opbench {
namespace {

int64_t clean_samples(const Measurement& time) {
  int64_t count = 0;
  for (const Sample& sample : time.samples) count += sample.flag.empty() ? 1 : 0;
  return count;
}

Json time_json(const Measurement& time) {
  Json json;
  json["median"] = time.median_ms;
  set_interval(json, time);
  json["min"] = time.min_ms;
  json["q1"] = time.q1_ms;
  json["q3"] = time.q3_ms;
  json["samples"] = clean_samples(time);
  json["calls_per_sample"] = time.number;
  json["processes"] = time.processes;
  json["steady"] = time.steady;
  json["stop_reason"] = time.stop_reason;
  json["dropped"] = time.dropped;
  json["clock"] = name_of(time.clock);
  if (const std::optional<double> device = device_ms(time)) {
    json["device_ms"] = *device;
    json["device_clock"] = name_of(TimeClock::kEvent);
  }
  if (const std::optional<double> copies = copies_ms(time); copies && *copies > 0) {
    json["copies_ms"] = *copies;
    json["without_copies_ms"] = *without_copies_ms(time);
  }
  return json;
}

Json percentiles_json(const Measurement& time, const std::vector<double>& percents) {
  Json json;
  for (const Percentile& one : percentiles_of(time, percents)) {
    set_number(json, percentile_name(one.percent), one.ms,
               fmt::format("{} samples of {} that it needs", one.taken, one.needed));
  }
  return json;
}

Json finite_json(const std::optional<double>& value) {
  return value && std::isfinite(*value) ? Json(*value) : Json();
}

}  // namespace

void set_number(Json& json, const std::string& field, const std::optional<double>& value,
                const std::string& reason) {
  if (value && std::isfinite(*value)) {
    json[field] = *value;
    return;
  }
  json[field] = nullptr;
  json[field + "_reason"] = value ? "not a finite number" : reason;
}

void set_interval(Json& json, const Measurement& time) {
  const std::optional<Interval> interval = interval_of(time);
  set_number(json, "low", interval ? std::optional(interval->low) : std::nullopt, kNoInterval);
  set_number(json, "high", interval ? std::optional(interval->high) : std::nullopt, kNoInterval);
}

void set_text(Json& json, const std::string& field, const std::string& text,
              const std::string& reason) {
  if (!text.empty()) {
    json[field] = text;
    return;
  }
  json[field] = nullptr;
  json[field + "_reason"] = reason;
}

void set_time(Json& json, const std::string& field, const std::optional<Measurement>& time,
              const std::string& reason, const std::vector<double>& percents) {
  if (time) {
    json[field] = time_json(*time);
    if (!percents.empty()) json[field]["percentiles"] = percentiles_json(*time, percents);
    return;
  }
  json[field] = nullptr;
  json[field + "_reason"] = reason;
}

void set_environment(Json& json, const Environment& environment) {
  const bool is_captured = environment != Environment();
  json["environment"] = is_captured ? to_json(environment) : Json();
  if (!is_captured) json["environment_reason"] = "not captured";
}

Json check_json(const CheckResult& check) {
  Json json;
  set_text(json, "by", check.engine, check.reason.empty() ? "not asked for" : check.reason);
  set_number(json, "max_relative_error", check.max_relative_error,
             check.reason.empty() ? "not compared" : check.reason);
  json["passed"] = is_made(check) ? Json(check.passed) : Json();
  json["reason"] = check.reason;
  return json;
}

Json unit_errors_json(const std::vector<UnitError>& errors) {
  Json list = Json::array();
  for (const UnitError& each : errors) {
    list.push_back({{"unit", each.unit},
                    {"operator", each.identity.operator_text},
                    {"nodes", each.identity.nodes},
                    {"value", each.value},
                    {"error", finite_json(each.error)},
                    {"allowed", finite_json(each.allowed)},
                    {"exceeds", each.error ? Json(each.exceeds()) : Json()},
                    {"reason", each.reason}});
  }
  return list;
}

}  // namespace opbench

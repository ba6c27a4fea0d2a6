#include "presentation/report/analysis/turning_json.h"

#include <nlohmann/json.hpp>

#include "measuring/results/measurement_json.h"

namespace opbench {
namespace {

constexpr const char* kTurningPointSchema = "opbench.turning-point/1";

Json turning_json_place_json(const Place& place) {
  return {{"value", place.x}, {"low", place.low}, {"high", place.high}};
}

Json knee_json(const Knee& knee) {
  Json json;
  json["kind"] = name_of(knee.kind);
  json["reason"] = knee.reason.empty() ? Json() : Json(knee.reason);
  json["n_knee"] =
      knee.exists() ? turning_json_place_json({knee.last, knee.low, knee.high}) : Json();
  json["next"] = knee.exists() ? Json(knee.next) : Json();
  json["is_gradual"] = knee.is_gradual;
  json["break"] = knee.last;
  json["bic_gain"] = knee.gain;
  json["chance"] = knee.chance;
  json["slope_before"] = knee.slope_before;
  json["slope_behind"] = knee.slope_behind;
  json["jump"] = knee.jump;
  json["bent_line"] = {{"break", knee.bend}, {"bic_gain", knee.bend_gain}};
  return json;
}

Json form_json(const CurveFit& fit) {
  Json json;
  json["form"] = name_of(fit.form);
  json["parameters"] = Json::object();
  for (const CurveParameter& each : fit.parameters) json["parameters"][each.name] = each.value;
  set_number(json, "aicc", fit.aicc, "too few values for so many parameters");
  json["bic"] = fit.bic;
  json["mean_relative_error"] = fit.mean_error;
  if (fit.form == CurveForm::kUsl) {
    set_number(json, "optimum", usl_optimum(fit), "kappa is 0: more never does harm");
  }
  if (fit.form == CurveForm::kHockney) {
    set_number(json, "half_performance_size", half_performance_size(fit), "the time does not grow");
  }
  json["fitted"] = fit.fitted;
  return json;
}

Json rises_json(const TurningSeries& series) {
  Json rises = Json::array();
  for (const Rise& rise : series.rises) {
    rises.push_back({{"bytes", rise.at},
                     {"last", rise.last},
                     {"next", rise.next},
                     {"time_before", rise.before},
                     {"time_behind", rise.behind}});
  }
  return rises;
}

Json series_json(const TurningSeries& series) {
  Json json;
  json["axis"] = series.axis;
  json["series"] = series.name;
  json["points"] = Json::array();
  for (const CurvePoint& point : series.curve) json["points"].push_back({point.x, point.y});
  json["failure"] = series.failure.empty() ? Json() : Json(series.failure);
  if (series.point) {
    const TurningPoint& point = *series.point;
    json["n_best"] = turning_json_place_json(point.best);
    json["n95"] = turning_json_place_json(point.enough);
    json["n95_fitted"] = turning_json_place_json(point.enough_fitted);
    set_number(json, "n_theta", point.marginal, "more always brings at least 0.3 % for 1 %");
    json["knee"] = knee_json(point.knee);
    json["forms"] = Json::array();
    for (const CurveFit& fit : point.forms) json["forms"].push_back(form_json(fit));
  }
  if (!series.rises.empty()) json["levels"] = rises_json(series);
  if (!series.probe_order.empty()) {
    json["probes"] = series.probe_order;
    set_number(json, "regret", series.regret, "the other values were not measured");
    set_number(json, "regret_n95", series.regret_enough, "the other values were not measured");
  }
  return json;
}

Json effect_json(const AxisEffect& effect) {
  Json splits = Json::array();
  for (const AxisThreshold& split : effect.splits) {
    splits.push_back({{"threshold", split.threshold}, {"gain_share", split.share}});
  }
  return {{"axis", effect.axis},
          {"variance_share", effect.share},
          {"has_effect", effect.has_effect},
          {"gain_share", effect.gain_share},
          {"splits", std::move(splits)}};
}

}  // namespace

Json turning_json(const TurningReport& report) {
  Json json;
  json["schema"] = kTurningPointSchema;
  json["tool"] = "opbench " OPBENCH_VERSION;
  set_text(json, "subject", report.subject, "the file does not say");
  json["source"] = report.source;
  json["time"] = report.time_name;
  set_text(json, "unit", report.unit, "the file does not say");
  json["is_per_item"] = report.is_per_item;
  json["rows"] = report.rows;
  json["rows_without_time"] = report.without_time;
  json["axes"] = Json::array();
  for (const AxisEffect& effect : report.effects) json["axes"].push_back(effect_json(effect));
  if (!report.effects.empty()) {
    json["unexplained"] = report.unexplained;
    json["is_surrogate"] = report.is_surrogate;
  }
  json["series"] = Json::array();
  for (const TurningSeries& series : report.series) json["series"].push_back(series_json(series));
  if (!report.caches.empty()) {
    json["caches"] = Json::array();
    for (const CacheSize& cache : report.caches) {
      json["caches"].push_back({{"level", cache.level}, {"bytes", cache.bytes}});
    }
  }
  json["notes"] = report.notes;
  return json;
}

}  // namespace opbench

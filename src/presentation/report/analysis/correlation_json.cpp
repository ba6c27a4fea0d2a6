#include "presentation/report/analysis/correlation_json.h"

#include <nlohmann/json.hpp>

#include <cmath>

#include "measuring/results/measurement_json.h"

namespace opbench {
namespace {

constexpr const char* kCorrelateSchema = "opbench.correlate/1";

void set_measure(Json& json, const char* name, const std::optional<Dependence>& measure,
                 const std::string& reason) {
  if (!measure) {
    json[name] = nullptr;
    json[std::string(name) + "_reason"] = reason;
    return;
  }
  json[name] = {
      {"value", measure->value}, {"p", measure->chance}, {"p_corrected", measure->corrected}};
}

Json bins_json(const FactorCorrelation& factor) {
  Json bins = Json::array();
  for (size_t i = 0; i < factor.shape.bins.size(); ++i) {
    const FactorBin& bin = factor.shape.bins[i];
    Json json;
    if (factor.words.empty()) {
      json["low"] = bin.low;
      json["high"] = bin.high;
    } else {
      json["word"] = factor.words[i];
    }
    json["rows"] = bin.rows;
    json["median"] = std::exp(bin.median);
    json["lower_quartile"] = std::exp(bin.lower);
    json["upper_quartile"] = std::exp(bin.upper);
    bins.push_back(std::move(json));
  }
  return bins;
}

Json factor_json(const FactorCorrelation& factor) {
  const bool is_measured = !factor.shape.bins.empty();
  const std::string reason =
      is_measured ? "its values have no order" : "not varied, or too few rows";
  Json json;
  json["factor"] = factor.factor;
  json["verdict"] = name_of(factor.verdict);
  json["rows"] = factor.rows;
  json["values"] = factor.distinct;
  set_measure(json, "pearson", factor.pearson, reason);
  set_number(json, "elasticity", factor.elasticity,
             is_measured ? "not all values are above 0" : reason);
  set_measure(json, "spearman", factor.spearman, reason);
  set_measure(json, "distance_correlation", factor.distance, reason);
  set_measure(json, "mutual_information", factor.information, reason);
  if (!is_measured) return json;
  json["variance_share"] = factor.shape.share;
  json["effect"] = factor.shape.effect;
  json["larger_is_faster"] = factor.shape.falls;
  json["fastest_bin"] = factor.shape.fastest;
  json["is_fast_at_bound"] = factor.words.empty() && is_fast_at_bound(factor.shape);
  json["bins"] = bins_json(factor);
  return json;
}

Json correlation_json_task_json(const TaskCorrelation& task) {
  Json json;
  set_text(json, "task", task.task, "the rows are a sweep");
  set_text(json, "target", task.target, "the rows are a sweep");
  json["rows"] = task.rows;
  json["failed"] = task.failed;
  json["workloads"] = task.workloads;
  json["left_out"] = task.left_out;
  json["sampled"] = task.table.sampled;
  json["failure"] = task.failure.empty() ? Json() : Json(task.failure);
  json["factors"] = Json::array();
  for (const FactorCorrelation& factor : task.table.factors) {
    json["factors"].push_back(factor_json(factor));
  }
  return json;
}

}  // namespace

Json correlation_json(const CorrelationReport& report) {
  Json json;
  json["schema"] = kCorrelateSchema;
  json["tool"] = "opbench " OPBENCH_VERSION;
  json["source"] = report.source;
  json["of"] = report.of == CorrelationOf::kTime ? "time" : "failure";
  json["is_across_workloads"] = report.is_across;
  json["tasks"] = Json::array();
  for (const TaskCorrelation& task : report.tasks)
    json["tasks"].push_back(correlation_json_task_json(task));
  json["notes"] = report.notes;
  return json;
}

}  // namespace opbench

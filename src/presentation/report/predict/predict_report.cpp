#include "presentation/report/predict/predict_report.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <cmath>

#include "base/json/json_text.h"
#include "base/system/seconds.h"
#include "base/text/counted.h"
#include "presentation/report/predict/predicted_time.h"
#include "presentation/report/text/number_text.h"

namespace opbench {
namespace {

constexpr const char* kPredictSchema = "opbench.predict/1";

const PredictedTime& time_of(const PredictReport& report, const PredictedRow& row) {
  return report.is_workload ? row.time.isolated : row.time.in_model;
}

std::string learnt_text(const ConfigurationChange& change) {
  if (change.pairs == 0) return "by the ceilings of both: --pairs gives records to learn from";
  return fmt::format("with what {} pairs of units teach", change.pairs);
}

std::string knowledge_text(const DeviceKnowledge& known) {
  std::string text = fmt::format("on {}, of which {} and {} are known", known.device,
                                 counted(static_cast<int64_t>(known.probes), "probe"),
                                 counted(static_cast<int64_t>(known.labels), "unit"));
  if (known.typical_error > 0)
    text += fmt::format("; one that is left out is off by {:.0f} %", known.typical_error * 100);
  text += "\n";
  for (const std::string& left_out : known.left_out) text += "not used: " + left_out + "\n";
  return text;
}

/// `90 % interval`, or why it is none.
std::string interval_text(const PredictReport& report) {
  const double percent = report.level * 100;
  if (!report.prediction.total.is_assumed) return fmt::format("{:.0f} % interval", percent);
  return fmt::format("interval assumed, a factor of 2: too few errors are known for {:.0f} %",
                     percent);
}

/// Units whose own interval is assumed, where that of the whole is not.
std::string assumed_text(const PredictReport& report) {
  if (report.prediction.total.is_assumed) return "";
  int64_t units = 0;
  for (const PredictedRow& row : report.prediction.units) {
    if (time_of(report, row).is_assumed) units += row.count;
  }
  if (units == 0) return "";
  return counted(units, "unit has", "units have") +
         " an assumed interval, a factor of 2: too few errors are known\n";
}

/// What stands between the sum of the units and the headline.
std::string parts_text(const PredictReport& report) {
  constexpr double kVisible = 0.005;
  if (!report.prediction.parts) return "";
  const TotalParts& parts = *report.prediction.parts;
  const double total_s = report.prediction.total.median_s;
  if (!(std::abs(total_s - parts.sum_s) > kVisible * total_s)) return "";
  const auto ms = [](double seconds) { return ms_text(s_to_ms(seconds)); };
  std::string text = fmt::format("units sum to {} ms", ms(parts.sum_s));
  if (parts.dispatch_s > 0) text += fmt::format(", + {} ms of dispatch", ms(parts.dispatch_s));
  if (parts.factor != 1) {
    text +=
        fmt::format(", × {:.3f}, which models that were left out took of their sums", parts.factor);
  }
  if (parts.call_overhead_s > 0) {
    text += fmt::format(", + {} ms a call", ms(parts.call_overhead_s));
  }
  return text + "\n";
}

Json parts_json(const TotalParts& parts) {
  return {{"sum_of_units_ms", s_to_ms(parts.sum_s)},
          {"dispatch_ms", s_to_ms(parts.dispatch_s)},
          {"factor", parts.factor},
          {"call_overhead_ms", s_to_ms(parts.call_overhead_s)}};
}

Json row_json(const PredictReport& report, const PredictedRow& row) {
  Json json = {{"operator", row.identity.operator_text},
               {"shapes", short_shapes(row.identity)},
               {"workload", workload_text(row.identity)},
               {"layouts", row.identity.blocks},
               {"schedule", row.identity.schedule},
               {"config", row.config},
               {"count", row.count},
               {"nodes", row.identity.nodes}};
  json.update(json_of(time_of(report, row)));
  json["isolated_ms"] = s_to_ms(row.time.isolated.median_s);
  json["in_range"] = row.time.is_in_range;
  if (!row.time.is_in_range) json["in_range_reason"] = row.time.why_not;
  json["predictor"] = report.predictor;
  return json;
}

}  // namespace

std::string predict_summary(const PredictReport& report) {
  const PredictedTime& total = report.prediction.total;
  std::string text = fmt::format(
      "{}: {}{} ms {} predicted, not measured ({}, {}, {})\n", report.model,
      report.missing.empty() ? "" : "at least ", ms_text(s_to_ms(total.median_s)),
      bracket_text(total), interval_text(report), report.engine, counted(report.threads, "thread"));
  text += parts_text(report) + assumed_text(report);
  if (report.change) {
    text += fmt::format("measured with {}\npredicted for {}, {}\n", report.change->from,
                        report.change->to, learnt_text(*report.change));
  }
  if (report.device) text += knowledge_text(*report.device);
  if (report.prediction.out_of_range > 0) {
    text += fmt::format("{} outside the {}, marked (!)\n",
                        counted(report.prediction.out_of_range, "unit"),
                        report.change ? "records" : "training range");
  }
  if (!report.missing.empty()) {
    std::string names;
    for (const auto& [name, count] : report.missing) {
      names += fmt::format("{}{} × {}", names.empty() ? "" : ", ", name, count);
    }
    text += "a lower bound: no time is known for " + names + "\n";
  }
  if (!report.stale.empty()) text += "warning: " + report.stale + "\n";
  return text;
}

TextTable predict_table(const PredictReport& report) {
  TextTable table;
  table.columns = {
      {.header = "operator", .shrinks_to = 16},
      {.header = "shapes", .shrinks_to = 12},
      {.header = "schedule", .shrinks_to = 10, .drop_order = 1},
      {.header = "count", .is_right_aligned = true},
      {.header = report.is_workload ? "isolated" : "in model",
       .is_right_aligned = true,
       .unit = "ms"},
      {.header = "interval", .unit = "ms", .numbers = {"interval low", "interval high"}},
      {.header = "share", .is_right_aligned = true}};
  double sum_s = 0;
  for (const PredictedRow& row : report.prediction.units) {
    sum_s += time_of(report, row).median_s * static_cast<double>(row.count);
  }
  for (const PredictedRow& row : report.prediction.units) {
    const PredictedTime& time = time_of(report, row);
    const double share = sum_s > 0 ? time.median_s * static_cast<double>(row.count) / sum_s : 0;
    TextRow line{{row.identity.operator_text + (row.time.is_in_range ? "" : " (!)"),
                  short_shapes(row.identity), row.identity.schedule, std::to_string(row.count),
                  ms_text(s_to_ms(time.median_s)), range_text(time), percent_text(share)}};
    if (!row.time.is_in_range) line.below.push_back(row.time.why_not);
    table.rows.push_back(std::move(line));
  }
  return table;
}

std::string predict_json(const PredictReport& report) {
  Json json = {{"schema", kPredictSchema},
               {"model", report.model},
               {"engine", report.engine},
               {"threads", report.threads},
               {"interval_percent", report.level * 100},
               {"is_lower_bound", !report.missing.empty()}};
  json.update(json_of(report.prediction.total));
  const auto& parts = report.prediction.parts;
  json["total_parts"] = parts ? parts_json(*parts) : Json();
  json["units_out_of_range"] = report.prediction.out_of_range;
  json["missing"] = Json::array();
  for (const auto& [name, count] : report.missing) {
    json["missing"].push_back({{"operator", name}, {"count", count}});
  }
  json["predictor"] = report.predictor;
  if (report.device) {
    json["device"] = {{"name", report.device->device},
                      {"labels", report.device->labels},
                      {"probes", report.device->probes},
                      {"typical_error", report.device->typical_error},
                      {"left_out", report.device->left_out}};
  }
  if (report.change) {
    json["change"] = {
        {"from", report.change->from}, {"to", report.change->to}, {"pairs", report.change->pairs}};
  }
  json["warning"] = report.stale.empty() ? Json() : Json(report.stale);
  json["units"] = Json::array();
  for (const PredictedRow& row : report.prediction.units) {
    json["units"].push_back(row_json(report, row));
  }
  constexpr int kIndent = 2;
  return json_text(json, kIndent) + "\n";
}

}  // namespace opbench

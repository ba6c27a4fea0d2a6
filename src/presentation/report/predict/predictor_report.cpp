#include "presentation/report/predict/predictor_report.h"

#include <fmt/format.h>

#include <cmath>

namespace opbench {
namespace {

std::string predictor_report_percent(double share) { return fmt::format("{:.1f}", share * 100); }

/// Of a prediction, in percent of it: the scale is the logarithm of a factor up and down.
std::string interval(const IntervalScale& scale) {
  constexpr double kLevel = 0.9;
  const auto width = scale.half_width(kLevel);
  if (!width) return "-";
  return fmt::format("{:+.1f} to {:+.1f}", std::expm1(-*width) * 100, std::expm1(*width) * 100);
}

TextRow predictor_report_row_of(const std::string& name, int64_t samples, int64_t workloads,
                                const ErrorFigures& errors, const IntervalScale& scale) {
  const bool is_known = errors.count > 0;
  return {{name, std::to_string(samples), std::to_string(workloads),
           is_known ? predictor_report_percent(errors.median) : "-",
           is_known ? predictor_report_percent(errors.mean) : "-",
           is_known ? predictor_report_percent(errors.rms) : "-",
           is_known ? predictor_report_percent(errors.within_10) : "-", interval(scale)}};
}

}  // namespace

TextTable predictor_table(const UnitPredictor& predictor) {
  TextTable table;
  table.columns = {{.header = "kind"},
                   {.header = "samples", .is_right_aligned = true},
                   {.header = "workloads", .is_right_aligned = true},
                   {.header = "median", .is_right_aligned = true, .unit = "error %"},
                   {.header = "mean", .is_right_aligned = true, .unit = "error %"},
                   {.header = "RMSPE", .is_right_aligned = true, .unit = "%"},
                   {.header = "within 10 %", .is_right_aligned = true, .unit = "%"},
                   {.header = "interval", .is_right_aligned = true, .unit = "% at 90 %"}};
  for (const auto& [kind, card] : predictor.kinds) {
    const IntervalScale& scale = card.in_model.size() > 0 ? card.in_model : card.isolated;
    table.rows.push_back(
        predictor_report_row_of(kind, card.samples, card.workloads, card.errors, scale));
  }
  table.rows.push_back(predictor_report_row_of("all units", predictor.all.samples,
                                               predictor.all.workloads, predictor.all.errors,
                                               predictor.all.in_model));
  const ModelCard& models = predictor.models;
  table.rows.push_back(predictor_report_row_of("models", models.samples, models.samples,
                                               models.errors, models.scale));
  return table;
}

std::string predictor_summary(const UnitPredictor& predictor) {
  return fmt::format(
      "predictor {} of {} with {} {}, learnt {} from {} records\n"
      "errors are of groups of models that were left out\n",
      predictor.id(), predictor.engine, predictor.threads,
      predictor.threads == 1 ? "thread" : "threads", predictor.timestamp,
      predictor.record_ids.size());
}

}  // namespace opbench

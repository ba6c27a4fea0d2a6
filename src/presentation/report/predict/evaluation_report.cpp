#include "presentation/report/predict/evaluation_report.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <utility>

#include "base/json/json_text.h"
#include "base/system/seconds.h"
#include "presentation/report/predict/predicted_time.h"
#include "presentation/report/text/number_text.h"

namespace opbench {
namespace {

constexpr const char* kPredictEvaluationSchema = "opbench.predict-evaluation/1";

std::string evaluation_report_percent(double share) { return fmt::format("{:.1f}", share * 100); }

std::string signed_percent(double share) { return fmt::format("{:+.1f}", share * 100); }

TextRow evaluation_report_row_of(const std::string& name, const ErrorFigures& errors) {
  if (errors.count == 0) return {{name, "0", "-", "-", "-", "-", "-", "-"}};
  return {{name, std::to_string(errors.count), evaluation_report_percent(errors.within_5),
           evaluation_report_percent(errors.within_10), evaluation_report_percent(errors.mean),
           evaluation_report_percent(errors.median), evaluation_report_percent(errors.rms),
           evaluation_report_percent(errors.worst)}};
}

Json evaluation_report_json_of(const ErrorFigures& errors) {
  return {{"count", errors.count}, {"within_5", errors.within_5}, {"within_10", errors.within_10},
          {"mean", errors.mean},   {"median", errors.median},     {"rmspe", errors.rms},
          {"worst", errors.worst}};
}

/// A model that was left out has none where too few others tell how far off predictions are.
bool has_interval(const EvaluatedModel& model) {
  return model.predicted.low_s < model.predicted.high_s;
}

Json evaluation_report_json_of(const EvaluatedModel& model) {
  Json visits = Json::array();
  for (const double seconds : model.visits_s) visits.push_back(s_to_ms(seconds));
  Json baselines = Json::object();
  for (const auto& [baseline, seconds] : model.baselines_s) {
    baselines[name_of(baseline)] = s_to_ms(seconds);
  }
  Json units = Json::array();
  for (const EvaluatedUnit& unit : model.units) {
    Json json = {{"operator", unit.identity.operator_text},
                 {"kind", unit.kind},
                 {"shapes", short_shapes(unit.identity)},
                 {"count", unit.count}};
    json["predicted"] = json_of(unit.predicted);
    json["measured_ms"] = unit.measured_s > 0 ? Json(s_to_ms(unit.measured_s)) : Json();
    json["in_range"] = unit.is_in_range;
    units.push_back(std::move(json));
  }
  Json json = {{"model", model.model}, {"predicted", json_of(model.predicted)}};
  if (!has_interval(model)) json["predicted"]["low_ms"] = json["predicted"]["high_ms"] = nullptr;
  json["visits_ms"] = std::move(visits);
  json["baselines_ms"] = std::move(baselines);
  json["reason"] = model.reason.empty() ? Json() : Json(model.reason);
  json["units"] = std::move(units);
  return json;
}

}  // namespace

TextTable evaluation_table(const Evaluation& evaluation) {
  TextTable table;
  table.columns = {
      {.header = "model", .shrinks_to = 12},
      {.header = "predicted", .is_right_aligned = true, .unit = "ms"},
      {.header = "interval", .unit = "ms", .numbers = {"interval low", "interval high"}},
      {.header = "measured", .is_right_aligned = true, .unit = "ms"},
      {.header = "error", .is_right_aligned = true, .unit = "%"},
      {.header = "visits", .is_right_aligned = true, .unit = "differ by %"},
      {.header = "nearest unit", .is_right_aligned = true, .drop_order = 2, .unit = "error %"},
      {.header = "regression", .is_right_aligned = true, .drop_order = 1, .unit = "error %"}};
  for (const EvaluatedModel& model : evaluation.models) {
    TextRow row{{model.model, ms_text(s_to_ms(model.predicted.median_s)),
                 has_interval(model) ? range_text(model.predicted) : "-"}};
    const double measured = model.measured_s();
    if (measured <= 0) {
      row.cells.insert(row.cells.end(), {"-", "-", "-", "-", "-"});
      row.below.push_back(model.reason);
    } else {
      const auto error = [&](double predicted) { return signed_percent(predicted / measured - 1); };
      row.cells.push_back(ms_text(s_to_ms(measured)));
      row.cells.push_back(error(model.predicted.median_s));
      row.cells.push_back(
          model.visits_s.size() > 1 ? evaluation_report_percent(model.disagreement()) : "-");
      row.cells.push_back(error(model.baselines_s.at(Baseline::kNearest)));
      row.cells.push_back(error(model.baselines_s.at(Baseline::kRegression)));
    }
    table.rows.push_back(std::move(row));
  }
  return table;
}

TextTable error_table(const Evaluation& evaluation) {
  TextTable table;
  table.columns = {{.header = "errors of"},
                   {.header = "count", .is_right_aligned = true},
                   {.header = "within 5 %", .is_right_aligned = true, .unit = "%"},
                   {.header = "within 10 %", .is_right_aligned = true, .unit = "%"},
                   {.header = "mean", .is_right_aligned = true, .unit = "%"},
                   {.header = "median", .is_right_aligned = true, .unit = "%"},
                   {.header = "RMSPE", .is_right_aligned = true, .unit = "%"},
                   {.header = "worst", .is_right_aligned = true, .unit = "%"}};
  table.rows.push_back(evaluation_report_row_of("predictor, models", evaluation.of_predictor));
  for (const auto& [baseline, errors] : evaluation.of_baselines) {
    table.rows.push_back(evaluation_report_row_of(name_of(baseline) + ", models", errors));
  }
  table.rows.push_back(
      evaluation_report_row_of("slower visit, models (noise)", evaluation.of_visits));
  table.rows.push_back(evaluation_report_row_of("predictor, units in models", evaluation.of_units));
  return table;
}

std::string kinds_text(const std::vector<KindShare>& kinds, bool is_heavy) {
  std::string text;
  for (const KindShare& kind : kinds) {
    if (kind.is_heavy != is_heavy) continue;
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", kind.kind, percent_text(kind.share));
  }
  return text.empty() ? "none" : text;
}

namespace {

/// `intervals of 90 % hold 88 % of the models and 92 % of the units`, as far as there are
/// intervals.
std::string coverage_text(const Evaluation& evaluation, double level) {
  std::string held;
  for (const auto& [share, what] : {std::pair(evaluation.model_coverage, "models"),
                                    std::pair(evaluation.unit_coverage, "units")}) {
    if (!share) continue;
    held += fmt::format("{}{:.0f} % of the {}", held.empty() ? "" : " and ", *share * 100, what);
  }
  if (held.empty()) {
    return fmt::format("too few errors are known for intervals of {:.0f} %\n", level * 100);
  }
  return fmt::format("intervals of {:.0f} % hold {}\n", level * 100, held);
}

}  // namespace

std::string evaluation_summary(const Evaluation& evaluation, double level) {
  if (evaluation.is_left_out) {
    const auto& share = evaluation.model_coverage;
    const std::string coverage =
        share ? fmt::format("intervals of {:.0f} % hold {:.0f} % of the models", level * 100,
                            *share * 100)
              : "too few models for intervals";
    return fmt::format(
        "each model is predicted by what has seen neither it nor its kernels; {}\n"
        "heavy kinds, of which the regression has one line each: {}\n"
        "light kinds, of which it has the median: {}\n",
        coverage, kinds_text(evaluation.kinds, true), kinds_text(evaluation.kinds, false));
  }
  if (evaluation.of_predictor.count == 0) return "nothing was measured: no error is known\n";
  return coverage_text(evaluation, level) + fmt::format("{} of {} models: both visits within 5 %\n",
                                                        evaluation.agreeing,
                                                        evaluation.of_predictor.count);
}

std::string evaluation_json(const Evaluation& evaluation, double level,
                            const std::string& predictor) {
  Json json = {{"schema", kPredictEvaluationSchema},
               {"predictor", predictor},
               {"interval_percent", level * 100}};
  Json baselines = Json::object();
  for (const auto& [baseline, errors] : evaluation.of_baselines) {
    baselines[name_of(baseline)] = evaluation_report_json_of(errors);
  }
  json["errors"] = {{"predictor", evaluation_report_json_of(evaluation.of_predictor)},
                    {"baselines", std::move(baselines)},
                    {"visits", evaluation_report_json_of(evaluation.of_visits)},
                    {"units", evaluation_report_json_of(evaluation.of_units)}};
  json["is_left_out"] = evaluation.is_left_out;
  json["kinds"] = Json::array();
  for (const KindShare& kind : evaluation.kinds) {
    json["kinds"].push_back({{"kind", kind.kind}, {"share", kind.share}, {"heavy", kind.is_heavy}});
  }
  const auto share_json = [](std::optional<double> share) { return share ? Json(*share) : Json(); };
  json["model_coverage"] = share_json(evaluation.model_coverage);
  json["unit_coverage"] = share_json(evaluation.unit_coverage);
  json["agreeing_models"] = evaluation.agreeing;
  json["models"] = Json::array();
  for (const EvaluatedModel& model : evaluation.models)
    json["models"].push_back(evaluation_report_json_of(model));
  constexpr int kIndent = 2;
  return json_text(json, kIndent) + "\n";
}

}  // namespace opbench

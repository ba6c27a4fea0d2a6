#include "presentation/report/predict/predict_report.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <cmath>

#include "presentation/report/predict/evaluation_report.h"
#include "presentation/report/predict/predictor_report.h"

namespace opbench {
namespace {

using testing::HasSubstr;
using testing::Not;

PredictReport report_of_two_units() {
  PredictReport report{.model = "net", .engine = "halide", .threads = 2};
  PredictedRow row{.identity = {.operator_text = "conv2d"}, .config = {}, .count = 2};
  row.time.in_model = {.median_s = 0.05, .low_s = 0.04, .high_s = 0.06};
  report.prediction.units = {row};
  report.prediction.total = {.median_s = 0.0903, .low_s = 0.08, .high_s = 0.1};
  report.prediction.parts =
      TotalParts{.sum_s = 0.1, .dispatch_s = 0.0001, .factor = 0.9, .call_overhead_s = 0.0002};
  return report;
}

TEST(PredictReport, NamesWhatStandsBetweenTheSumAndTheHeadline) {
  const std::string text = predict_summary(report_of_two_units());
  EXPECT_THAT(text, HasSubstr("net: 90.300 ms [80.000, 100.000] predicted, not measured (90 % "
                              "interval, halide, 2 threads)\n"));
  EXPECT_THAT(text, HasSubstr("units sum to 100.000 ms, + 0.100 ms of dispatch, × 0.900, which "
                              "models that were left out took of their sums, + 0.200 ms a call\n"));
  const Json json = Json::parse(predict_json(report_of_two_units()));
  EXPECT_EQ(json["total_parts"]["sum_of_units_ms"], 100.0);
  EXPECT_EQ(json["total_parts"]["factor"], 0.9);
}

TEST(PredictReport, SaysNothingOfASumThatIsTheHeadline) {
  PredictReport report = report_of_two_units();
  report.prediction.parts = TotalParts{.sum_s = 0.0901};
  EXPECT_THAT(predict_summary(report), Not(HasSubstr("units sum")));
}

TEST(PredictReport, CallsAFactorOfTwoNoInterval) {
  PredictReport report = report_of_two_units();
  report.prediction.total.is_assumed = true;
  const std::string text = predict_summary(report);
  EXPECT_THAT(text, HasSubstr("[80.000, 100.000] predicted"));
  EXPECT_THAT(text,
              HasSubstr("(interval assumed, a factor of 2: too few errors are known for 90 %"));
  EXPECT_THAT(text, Not(HasSubstr("90 % interval")));
  EXPECT_EQ(Json::parse(predict_json(report))["is_interval_assumed"], true);

  report = report_of_two_units();
  report.prediction.units[0].time.in_model.is_assumed = true;
  EXPECT_THAT(predict_summary(report),
              HasSubstr("2 units have an assumed interval, a factor of 2"));
}

TEST(PredictorReport, GivesIntervalsInPercentOfTheTime) {
  UnitPredictor predictor;
  predictor.all.in_model = IntervalScale(std::vector<double>(20, std::log(1.5)));
  const TextTable table = predictor_table(predictor);
  EXPECT_EQ(table.rows.at(0).cells.back(), "-33.3 to +50.0");
}

TEST(EvaluationReport, HasNoShareOfNothing) {
  Evaluation evaluation;
  evaluation.models.push_back({.model = "a", .reason = "it failed"});
  add_figures(evaluation);
  EXPECT_EQ(evaluation_summary(evaluation, 0.9), "nothing was measured: no error is known\n");
  const Json json = Json::parse(evaluation_json(evaluation, 0.9, "p"));
  EXPECT_TRUE(json["model_coverage"].is_null());
  EXPECT_TRUE(json["unit_coverage"].is_null());
}

TEST(EvaluationReport, CountsOnlyIntervalsThatPromiseSomething) {
  Evaluation evaluation;
  EvaluatedModel model{.model = "a"};
  model.predicted = {.median_s = 1, .low_s = 0.5, .high_s = 2, .is_assumed = true};
  model.visits_s = {1.1, 1.2};
  for (const Baseline baseline : kBaselines) model.baselines_s[baseline] = 1;
  evaluation.models.push_back(model);
  add_figures(evaluation);
  EXPECT_THAT(evaluation_summary(evaluation, 0.9),
              HasSubstr("too few errors are known for intervals of 90 %\n"));
  evaluation.models[0].predicted.is_assumed = false;
  add_figures(evaluation);
  EXPECT_THAT(evaluation_summary(evaluation, 0.9),
              HasSubstr("intervals of 90 % hold 100 % of the models\n"));
}

}  // namespace
}  // namespace opbench

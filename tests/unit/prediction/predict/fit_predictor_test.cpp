#include "prediction/predict/fit_predictor.h"

#include <gtest/gtest.h>

#include "simulated_samples.h"
#include "test_form.h"

namespace opbench {
namespace {

PredictorIdentity identity() {
  return {.engine = "halide",
          .machine_hash = "m",
          .software_hash = "s",
          .schedule_version = "v",
          .target = "llvm",
          .timestamp = "2026-01-01T00:00:00Z",
          .ceilings = round_ceilings()};
}

double median_error(const UnitPredictor& predictor, const SampleSet& set) {
  std::vector<PredictedPair> pairs;
  for (const UnitSample& unit : set.units) {
    const PredictedUnit time = predict_unit(predictor, unit.features, unit.context, 0.9);
    pairs.push_back({time.in_model.median_s, *unit.in_model_s});
  }
  return error_figures(pairs).median;
}

/// Fitted once, for tests that only ask it.
const Result<UnitPredictor>& learnt() {
  static const Result<UnitPredictor> kLearnt = fit_predictor(simulated_samples(40, 1), identity());
  return kLearnt;
}

TEST(FitPredictor, LearnsALaw) {
  const auto& predictor = learnt();
  ASSERT_TRUE(predictor) << to_text(predictor.error());
  EXPECT_LT(median_error(*predictor, simulated_samples(10, 2)), 0.04);
  EXPECT_TRUE(predictor->forests.schedules.contains("conv2d_pointwise"));
  EXPECT_EQ(predictor->kinds.at("elementwise").samples, 120);
  EXPECT_EQ(predictor->models.samples, 40);
  EXPECT_NEAR(predictor->models.dispatch_s, 3e-7, 1e-9);
  EXPECT_NEAR(predictor->models.call_overhead_s, 5e-6, 1e-9);
}

TEST(FitPredictor, SumsUpToModels) {
  const auto& predictor = learnt();
  ASSERT_TRUE(predictor);
  const SampleSet unseen = simulated_samples(10, 4);
  std::vector<PredictedPair> pairs;
  for (const ModelSample& model : unseen.models) {
    double sum_s = 0;
    for (const auto& [unit, count] : model.units) {
      const UnitSample& sample = unseen.units[unit];
      sum_s += predict_unit(*predictor, sample.features, sample.context, 0.9).in_model.median_s;
    }
    pairs.push_back({predict_model(*predictor, sum_s, 12, 0.9).median_s, model.end_to_end_s});
  }
  EXPECT_LT(error_figures(pairs).mean, 0.05);
}

TEST(FitPredictor, IntervalsHoldWhatTheyPromise) {
  const auto predictor = fit_predictor(simulated_samples(by_form(30, 60), 5, 0.1), identity());
  ASSERT_TRUE(predictor);
  const SampleSet unseen = simulated_samples(60, 6, 0.1);
  for (const double level : {0.5, 0.9}) {
    double inside = 0;
    for (const UnitSample& unit : unseen.units) {
      const PredictedTime time =
          predict_unit(*predictor, unit.features, unit.context, level).in_model;
      if (*unit.in_model_s >= time.low_s && *unit.in_model_s <= time.high_s) ++inside;
    }
    EXPECT_NEAR(inside / static_cast<double>(unseen.units.size()), level, 0.06);
  }
}

TEST(FitPredictor, UnseenPredictionsComeFromOtherGroups) {
  // Two groups with laws of their own: each is predicted by the other's.
  SampleSet set = simulated_samples(20, 7);
  for (UnitSample& unit : set.units) {
    const bool is_slow = unit.model < "model-15";
    unit.group = is_slow ? "slow" : "fast";
    if (is_slow) unit.in_model_s = *unit.in_model_s * 4;
    unit.isolated_s.reset();
  }
  const auto unseen = predict_unseen(set, 5);
  ASSERT_TRUE(unseen && *unseen);
  for (size_t i = 0; i < set.units.size(); ++i) {
    const double ratio = (*unseen)->units[i].in_model_s / *set.units[i].in_model_s;
    if (set.units[i].group == "slow") {
      EXPECT_LT(ratio, 0.7);
    } else {
      EXPECT_GT(ratio, 1.5);
    }
  }
}

TEST(FitPredictor, OneGroupTellsNothingOfOthers) {
  const SampleSet set = simulated_samples(1, 8);
  const auto unseen = predict_unseen(set, 5);
  ASSERT_TRUE(unseen);
  EXPECT_FALSE(*unseen);
  const auto predictor = fit_predictor(set, identity());
  ASSERT_TRUE(predictor);
  EXPECT_EQ(predictor->models.errors.count, 0);
  const PredictedTime time = predict_model(*predictor, 1e-3, 3, 0.9);
  EXPECT_NEAR(time.high_s / time.median_s, 2, 1e-9);
  EXPECT_TRUE(time.is_assumed);  // nothing is known of errors
}

TEST(FitPredictor, WantsSamples) {
  const auto predictor = fit_predictor({}, identity());
  ASSERT_FALSE(predictor);
  EXPECT_EQ(predictor.error().code, ErrorCode::kInvalidInput);
}

TEST(FitPredictor, SaysWhatIsOutOfRange) {
  const auto& predictor = learnt();
  ASSERT_TRUE(predictor);
  const auto predicted = [&](const std::string& text, int block) {
    const UnitFeatures features = unit_features(default_kernel(text, block), round_ceilings());
    return predict_unit(*predictor, features, context_of({{&features, 1}}, round_ceilings(), 1),
                        0.9);
  };
  EXPECT_TRUE(predicted("conv2d 1x64x28x28 w:64x64x3x3 pads=1,1,1,1", 16).is_in_range);
  const PredictedUnit large = predicted("conv2d 1x2048x28x28 w:64x2048x3x3 pads=1,1,1,1", 16);
  EXPECT_FALSE(large.is_in_range);
  EXPECT_NE(large.why_not.find("measured were"), std::string::npos) << large.why_not;
  EXPECT_NE(large.why_not.find(" M, measured were "), std::string::npos) << large.why_not;
  EXPECT_EQ(predicted("softmax 4x8", 0).why_not, "no softmax was measured");
  EXPECT_GT(predicted("softmax 4x8", 0).isolated.median_s, 0);
}

}  // namespace
}  // namespace opbench

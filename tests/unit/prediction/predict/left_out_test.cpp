#include "prediction/predict/left_out.h"

#include <gtest/gtest.h>

#include "prediction/predict/error_figures.h"
#include "simulated_samples.h"
#include "test_form.h"

namespace opbench {
namespace {

TEST(LeftOut, EveryModelIsPredictedWithItsIntervalAndBaselines) {
  const SampleSet set = simulated_samples(by_form(24, 40), 8, 0.01);
  const auto models = leave_models_out(set, by_form(4, 8), 0.9);
  ASSERT_TRUE(models) << to_text(models.error());
  ASSERT_EQ(models->size(), set.models.size());
  std::vector<PredictedPair> ours, flops;
  for (const LeftOutModel& model : *models) {
    EXPECT_TRUE(model.has_interval);
    EXPECT_LT(model.predicted.low_s, model.predicted.median_s);
    EXPECT_EQ(model.baselines_s.size(), kBaselines.size());
    ours.push_back({model.predicted.median_s, model.measured_s});
    flops.push_back({model.baselines_s.at(Baseline::kFlops), model.measured_s});
  }
  EXPECT_LT(error_figures(ours).mean, 0.15);
  EXPECT_LT(error_figures(ours).mean, error_figures(flops).mean);
}

// A model whose units take a hundred times as long as the law of the others says: what has seen it
// would know, what has not cannot.
TEST(LeftOut, NothingOfAModelIsSeen) {
  SampleSet set = simulated_samples(12, 9);
  const std::string odd = set.models.front().model;
  for (UnitSample& unit : set.units) {
    if (unit.model == odd) unit.in_model_s = *unit.in_model_s * 100;
  }
  set.models.front().end_to_end_s *= 100;
  const auto models = leave_models_out(set, by_form(4, 12), 0.9);
  ASSERT_TRUE(models);
  const LeftOutModel& model = models->front();
  ASSERT_EQ(model.model, odd);
  EXPECT_LT(model.predicted.median_s, 0.1 * model.measured_s);
  for (const auto& [baseline, seconds] : model.baselines_s) {
    EXPECT_LT(seconds, 0.1 * model.measured_s) << name_of(baseline);
  }
}

TEST(LeftOut, NeedsTwoModels) {
  const auto models = leave_models_out(simulated_samples(1, 10), 5, 0.9);
  ASSERT_FALSE(models);
  EXPECT_EQ(models.error().message, "there are too few measured models to leave one out");
}

}  // namespace
}  // namespace opbench

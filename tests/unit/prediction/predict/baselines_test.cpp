#include "prediction/predict/baselines.h"

#include <gtest/gtest.h>

#include "prediction/predict/error_figures.h"
#include "simulated_samples.h"

namespace opbench {
namespace {

TEST(Baselines, NearestOfASeenUnitIsItsOwnTime) {
  const SampleSet set = simulated_samples(5, 1);
  const Baselines baselines(set);
  for (const UnitSample& unit : set.units) {
    EXPECT_NEAR(baselines.unit_s(Baseline::kNearest, unit.features), *unit.in_model_s,
                1e-9 * *unit.in_model_s);
  }
}

TEST(Baselines, SumsAreScaledToModels) {
  const SampleSet set = simulated_samples(30, 2);
  const Baselines baselines(set);
  for (const Baseline baseline : kBaselines) {
    std::vector<PredictedPair> pairs;
    for (const ModelSample& model : set.models) {
      std::vector<CountedUnit> units;
      for (const auto& [unit, count] : model.units) {
        units.push_back({&set.units[unit].features, count});
      }
      pairs.push_back({baselines.model_s(baseline, units), model.end_to_end_s});
    }
    EXPECT_LT(error_figures(pairs).median, 0.5) << name_of(baseline);
  }
}

TEST(Baselines, UnknownKindsHaveATime) {
  const Baselines baselines(simulated_samples(3, 3));
  const UnitFeatures features =
      unit_features(default_kernel("softmax 64x1000", 0), round_ceilings());
  for (const Baseline baseline : kBaselines) {
    EXPECT_GT(baselines.unit_s(baseline, features), 0) << name_of(baseline);
  }
}

}  // namespace
}  // namespace opbench

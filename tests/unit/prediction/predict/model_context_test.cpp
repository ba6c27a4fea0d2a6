#include "prediction/predict/model_context.h"

#include <gtest/gtest.h>

#include <cmath>

#include "default_kernel.h"

namespace opbench {
namespace {

UnitFeatures model_context_features_of(const std::string& text) {
  return unit_features(default_kernel(text, 0), round_ceilings());
}

ModelContext context(const std::vector<CountedUnit>& units) {
  return context_of(units, round_ceilings(), 1);
}

TEST(ModelContext, SumsOverUnitsByTheirCount) {
  const UnitFeatures product = model_context_features_of("matmul 4x256 w:256x256");
  const UnitFeatures sum = model_context_features_of("add 4x256 4x256");
  const ModelContext both = context({{&product, 3}, {&sum, 2}});
  const double weights = 3.0 * 256 * 256 * 4;
  const double others = 3.0 * 2 * 4 * 256 * 4 + 2.0 * 3 * 4 * 256 * 4;
  EXPECT_FLOAT_EQ(both.values[0], static_cast<float>(std::log2(1 + weights)));
  EXPECT_FLOAT_EQ(both.values[1], static_cast<float>(std::log2(1 + weights + others)));
  EXPECT_FLOAT_EQ(both.values[3], static_cast<float>(std::log2(1 + 5)));
  EXPECT_EQ(both.values[4], 0);
}

TEST(ModelContext, WeightsThatUnitsShareCountOnce) {
  const UnitFeatures product = model_context_features_of("matmul 4x256 w:256x256");
  const ModelContext shared = context({{&product, 100, 2}});
  const double weights = 256.0 * 256 * 4;
  const double others = 2.0 * 4 * 256 * 4;
  EXPECT_FLOAT_EQ(shared.values[0], static_cast<float>(std::log2(1 + 2 * weights)));
  EXPECT_FLOAT_EQ(shared.values[1], static_cast<float>(std::log2(1 + 2 * weights + 100 * others)));
}

TEST(ModelContext, AUnitAloneHasWarmWeights) {
  const UnitFeatures product = model_context_features_of("matmul 1x1024 w:1024x1024");
  EXPECT_EQ(cold_weights_s(product, context({{&product, 1}})), 0);
}

TEST(ModelContext, InALargeModelWeightsComeFromMemory) {
  const UnitFeatures product = model_context_features_of("matmul 1x1024 w:1024x1024");
  const UnitFeatures large = model_context_features_of("matmul 1x8192 w:8192x32768");  // 1 GiB
  const ModelContext model = context({{&product, 1}, {&large, 1}});
  // 4 MiB at nearly 10 GB/s instead of 50.
  const double bytes = product.work.weight_bytes;
  EXPECT_NEAR(cold_weights_s(product, model), bytes / 10e9 - bytes / 50e9, 0.03 * bytes / 10e9);
  const UnitFeatures sum = model_context_features_of("add 4x256 4x256");
  EXPECT_EQ(cold_weights_s(sum, model), 0);
}

}  // namespace
}  // namespace opbench

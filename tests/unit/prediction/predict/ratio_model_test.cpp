#include "prediction/predict/ratio_model.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "simulated_samples.h"

namespace opbench {
namespace {

constexpr Configuration kOne{.threads = 1, .isa = VectorIsa::kAvx512};
constexpr Configuration kTwo{.threads = 2, .isa = VectorIsa::kAvx512};

UnitFeatures ratio_model_features_of(const std::string& text, int threads) {
  return unit_features(default_kernel(text, 16, threads), round_ceilings());
}

TEST(WaveScaling, HalvesWhatTwoThreadsShareEvenly) {
  const std::string text = "relu 1x1048576";
  const WaveScaling scaling =
      wave_scaling(ratio_model_features_of(text, 1), 1, ratio_model_features_of(text, 2), 2);
  EXPECT_NEAR(scaling.ratio, 0.5, 1e-9);
}

TEST(WaveScaling, LeavesATaskThatOneThreadHasAsItIs) {
  const std::string text = "dense 1x16 w:16x16";
  const UnitFeatures features = ratio_model_features_of(text, 2);
  ASSERT_EQ(parallel_tasks(features), 1);
  EXPECT_DOUBLE_EQ(wave_scaling(ratio_model_features_of(text, 1), 1, features, 2).compute_ratio, 1);
}

TEST(WaveScaling, FollowsTheBandwidthOfStreams) {
  const std::string text = "relu 1x4194304";
  UnitFeatures slow = ratio_model_features_of(text, 1);
  slow.roofline.memory_s *= 3;
  const WaveScaling scaling = wave_scaling(ratio_model_features_of(text, 1), 1, slow, 1);
  EXPECT_DOUBLE_EQ(scaling.memory_ratio, 3);
  EXPECT_GT(scaling.ratio, 2.5);
  EXPECT_LE(scaling.ratio, 3);
}

TEST(RatioPairs, AreUnitsThatBothHave) {
  SampleSet one = simulated_samples(2, 1), two = one;
  two.units.resize(5);
  const auto pairs = pairs_of(one, kOne, two, kTwo);
  ASSERT_FALSE(pairs.empty());
  EXPECT_LE(pairs.size(), 5);
  EXPECT_EQ(pairs.front().from, kOne);
  EXPECT_EQ(pairs.front().to_s, pairs.front().from_s);
}

TEST(RatioPairs, TeachWhereAKeyChangesAlikeOrStays) {
  const RatioPair pair{.from = {.threads = 1, .isa = VectorIsa::kAvx2},
                       .to = {.threads = 2, .isa = VectorIsa::kAvx2}};
  EXPECT_TRUE(is_alike(pair, kOne, kTwo));
  EXPECT_FALSE(is_alike(pair, kTwo, kOne));
  EXPECT_FALSE(is_alike(pair, kOne, {.threads = 2, .isa = VectorIsa::kAvx2}));
}

/// Two threads take `law` of the time that one takes.
std::vector<RatioPair> pairs_by(const SampleSet& samples, double (*law)(const UnitFeatures&)) {
  std::vector<RatioPair> pairs = pairs_of(samples, kOne, samples, kTwo);
  for (RatioPair& pair : pairs) pair.to_s = pair.from_s * law(pair.to_features);
  return pairs;
}

double by_channels(const UnitFeatures& features) { return features.kind == "conv2d" ? 0.55 : 0.9; }

TEST(RatioModel, LearnsWhatScalingDoesNotTell) {
  const auto model = RatioModel::fit(pairs_by(simulated_samples(12, 1), by_channels)).value();
  EXPECT_GT(model.pairs(), RatioModel::kFewestPairs);
  std::vector<PredictedPair> learnt, scaled;
  for (const RatioPair& pair : pairs_by(simulated_samples(4, 2), by_channels)) {
    learnt.push_back({model.predict(pair, 0.9).median_s, pair.to_s});
    scaled.push_back({RatioModel().predict(pair, 0.9).median_s, pair.to_s});
  }
  EXPECT_LT(error_figures(learnt).mean, 0.05);
  EXPECT_GT(error_figures(scaled).mean, 2 * error_figures(learnt).mean);
}

TEST(RatioModel, HasAnIntervalThatHoldsUnseenUnits) {
  auto pairs = pairs_by(simulated_samples(24, 1), by_channels);
  auto unseen = pairs_by(simulated_samples(12, 2), by_channels);
  Random random(3);
  for (auto* all : {&pairs, &unseen}) {
    for (RatioPair& pair : *all) pair.to_s *= std::exp(0.1 * random.normal());
  }
  const auto model = RatioModel::fit(pairs).value();
  double inside = 0;
  for (const RatioPair& pair : unseen) {
    const PredictedTime time = model.predict(pair, 0.9);
    inside += pair.to_s >= time.low_s && pair.to_s <= time.high_s ? 1 : 0;
  }
  const double share = inside / static_cast<double>(unseen.size());
  EXPECT_GT(share, 0.8);
  EXPECT_LT(share, 0.98);
}

TEST(RatioModel, IsWaveScalingWithoutPairs) {
  const auto model = RatioModel::fit({}).value();
  EXPECT_EQ(model.pairs(), 0);
  const RatioPair pair = pairs_by(simulated_samples(1, 1), by_channels).front();
  const PredictedTime time = model.predict(pair, 0.9);
  EXPECT_DOUBLE_EQ(time.high_s, 2 * time.median_s);
}

}  // namespace
}  // namespace opbench

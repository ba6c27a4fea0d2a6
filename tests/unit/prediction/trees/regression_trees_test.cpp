#include "prediction/trees/regression_trees.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <cmath>

#include "base/numbers/random.h"

namespace opbench {
namespace {

/// Two columns that tell the label and one that does not.
struct RegressionTreesRows {
  FeatureTable features{.columns = 3};
  std::vector<float> labels;
  std::vector<float> weights;

  RegressionTreesRows(size_t count, uint64_t seed) {
    Random random(seed);
    for (size_t i = 0; i < count; ++i) {
      const auto a = static_cast<float>(random.uniform());
      const auto b = static_cast<float>(random.uniform());
      features.add(std::vector<float>{a, b, static_cast<float>(random.uniform())});
      labels.push_back(label_of(a, b));
      weights.push_back(1);
    }
  }
  static float label_of(float a, float b) { return std::sin(6 * a) + (b < 0.5F ? 1.0F : 3.0F); }
};

double mean_error(const RegressionTrees& trees, const RegressionTreesRows& rows) {
  double sum = 0;
  for (size_t i = 0; i < rows.labels.size(); ++i) {
    const std::span<const float> row(&rows.features.values[i * 3], 3);
    sum += std::abs(trees.predict(row) - rows.labels[i]);
  }
  return sum / static_cast<double>(rows.labels.size());
}

TEST(RegressionTrees, LearnWhatTheyHaveNotSeen) {
  const RegressionTreesRows seen(600, 1);
  const auto trees = fit_regression(seen.features, seen.labels, seen.weights, {});
  ASSERT_TRUE(trees) << to_text(trees.error());
  EXPECT_EQ(trees->roots.size(), 250U);
  EXPECT_LT(mean_error(*trees, RegressionTreesRows(200, 2)), 0.1);
}

TEST(RegressionTrees, HeavyRowsCount) {
  FeatureTable features{.columns = 1, .values = {0, 0, 0}};
  const auto trees =
      fit_regression(features, std::vector<float>{1, 1, 4}, std::vector<float>{1, 1, 100}, {});
  ASSERT_TRUE(trees);
  EXPECT_NEAR(trees->predict(std::vector<float>{0}), 4 - 6.0 / 102, 1e-4);
}

TEST(RegressionTrees, AreTheSameAfterJson) {
  const RegressionTreesRows rows(300, 3);
  const auto trees =
      fit_regression(rows.features, rows.labels, rows.weights, {.rounds = 20, .depth = 4});
  ASSERT_TRUE(trees);
  const std::string text = to_json(*trees).dump();
  const auto again = regression_trees_from_json(Json::parse(text), 3);
  ASSERT_TRUE(again) << to_text(again.error());
  EXPECT_EQ(*again, *trees);
}

TEST(RegressionTrees, EmptyOnesPredictTheirBase) {
  RegressionTrees trees;
  trees.base = 2;
  EXPECT_TRUE(trees.is_empty());
  EXPECT_EQ(trees.predict({}), 2);
}

Json small() {
  RegressionTrees trees;
  trees.roots = {0};
  trees.feature = {1, -1, -1};
  trees.value = {0.5F, 1, 2};
  trees.child = {1, 0, 0};
  return to_json(trees);
}

TEST(RegressionTrees, BelowTheValueIsTheFirstChild) {
  const auto trees = regression_trees_from_json(small(), 2);
  ASSERT_TRUE(trees);
  EXPECT_EQ(trees->predict(std::vector<float>{9, 0.4F}), 1);
  EXPECT_EQ(trees->predict(std::vector<float>{9, 0.5F}), 2);
}

TEST(RegressionTrees, RefuseWhatIsNoTree) {
  const auto refused = [](const char* field, const Json& value) {
    Json json = small();
    json[field] = value;
    return !regression_trees_from_json(json, 2).has_value();
  };
  EXPECT_FALSE(refused("base", 1.5));
  EXPECT_TRUE(refused("base", "much"));
  EXPECT_TRUE(refused("roots", Json::array({3})));
  EXPECT_TRUE(refused("roots", Json::array({-1})));
  EXPECT_TRUE(refused("feature", Json::array({2, -1, -1})));
  EXPECT_TRUE(refused("feature", Json::array({1, -1})));
  EXPECT_TRUE(refused("value", Json::array({"x", 1, 2})));
  EXPECT_TRUE(refused("child", Json::array({0, 0, 0})));
  EXPECT_TRUE(refused("child", Json::array({2, 0, 0})));
  EXPECT_TRUE(refused("child", nullptr));
}

}  // namespace
}  // namespace opbench

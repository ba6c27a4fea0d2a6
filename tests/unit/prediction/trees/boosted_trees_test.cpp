#include "prediction/trees/boosted_trees.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "base/numbers/random.h"
#include "prediction/trees/average_recall.h"

namespace opbench {
namespace {

/// Five columns, of which two tell the label and one is another written twice.
struct BoostedTreesRows {
  FeatureTable features{.columns = 5};
  std::vector<float> labels;

  BoostedTreesRows(size_t count, uint64_t seed) {
    Random random(seed);
    for (size_t i = 0; i < count; ++i) {
      const auto a = static_cast<float>(random.below(16));
      const auto b = static_cast<float>(random.below(16));
      const auto noise = static_cast<float>(random.uniform());
      features.add(std::vector<float>{7, noise, a, b, a});
      labels.push_back(1 / (1 + 0.1F * std::abs(a - 9) + 0.2F * std::abs(b - 4)));
    }
  }
};

TEST(BoostedTrees, LearnASurface) {
  const BoostedTreesRows known(300, 1), unknown(200, 2);
  for (const TreeObjective objective :
       {TreeObjective::kSquaredError, TreeObjective::kPairwiseRank}) {
    const auto trees = BoostedTrees::fit(known.features, known.labels, {.objective = objective});
    ASSERT_TRUE(trees);
    const std::vector<float> predicted = *trees->predict(unknown.features);
    ASSERT_EQ(predicted.size(), 200);
    const double best = average_recall(unknown.labels, unknown.labels, 32);
    EXPECT_GT(average_recall(predicted, unknown.labels, 32), 0.75 * best);
  }
}

TEST(BoostedTrees, PredictTheLabelItselfWhereTheyLearnIt) {
  const BoostedTreesRows known(300, 1);
  const auto trees = BoostedTrees::fit(known.features, known.labels, {});
  const std::vector<float> predicted = *trees->predict(known.features);
  double away = 0;
  for (size_t i = 0; i < predicted.size(); ++i) {
    away += std::abs(predicted[i] - known.labels[i]) / static_cast<double>(predicted.size());
  }
  EXPECT_LT(away, 0.05);
}

TEST(BoostedTrees, EndWhenTheRecallGrowsNoMore) {
  const BoostedTreesRows known(300, 1);
  const auto trees = BoostedTrees::fit(known.features, known.labels, {});
  EXPECT_GT(trees->size(), 20);
  EXPECT_LT(trees->size(), 2000);
  const auto few = BoostedTrees::fit(known.features, known.labels, {.most_rounds = 3});
  EXPECT_EQ(few->size(), 3);
}

TEST(BoostedTrees, AreTheSameForTheSameRows) {
  const BoostedTreesRows known(200, 1);
  for (const TreeObjective objective :
       {TreeObjective::kSquaredError, TreeObjective::kPairwiseRank}) {
    const auto fit = [&] {
      return *BoostedTrees::fit(known.features, known.labels, {.objective = objective})
                  ->predict(known.features);
    };
    EXPECT_EQ(fit(), fit());
  }
}

TEST(BoostedTrees, StartFromMarginsInTheOrderOfTheRows) {
  // The margins are the labels: nothing is left to learn, so that predictions are margins too.
  const BoostedTreesRows known(100, 1);
  const auto trees = BoostedTrees::fit(known.features, known.labels, {}, known.labels);
  ASSERT_TRUE(trees);
  const std::vector<float> predicted = *trees->predict(known.features, known.labels);
  for (size_t i = 0; i < predicted.size(); ++i) EXPECT_NEAR(predicted[i], known.labels[i], 1e-4);
}

TEST(BoostedTrees, TakeRowsThatSayNothing) {
  FeatureTable same{.columns = 3};
  const std::vector<float> labels = {1, 2, 3, 4};
  for (size_t i = 0; i < labels.size(); ++i) same.add(std::vector<float>{1, 2, 3});
  const auto trees = BoostedTrees::fit(same, labels, {});
  ASSERT_TRUE(trees);
  const std::vector<float> predicted = *trees->predict(same);
  EXPECT_EQ(predicted.front(), predicted.back());
}

TEST(FeatureTable, CutsRowsAndFillsThemUp) {
  FeatureTable table{.columns = 3};
  table.add(std::vector<float>{1, 2, 3, 4});
  table.add(std::vector<float>{5});
  EXPECT_EQ(table.values, (std::vector<float>{1, 2, 3, 5, 0, 0}));
  EXPECT_EQ(table.rows(), 2);
}

}  // namespace
}  // namespace opbench

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>

#include "prediction/trees/boosted_trees.h"

namespace opbench {
namespace {

TEST(TreeSplits, NameTheColumnThatTheLabelsFollow) {
  FeatureTable features{.columns = 3, .values = {}};
  std::vector<float> labels;
  for (int i = 0; i < 100; ++i) {
    const auto acting = static_cast<float>(i % 10);
    features.add(std::vector<float>{7, static_cast<float>(i / 10), acting});  // the first is fixed
    labels.push_back(acting < 4 ? 1.0F : 0.0F);
  }
  const auto trees =
      BoostedTrees::fit(features, labels, {.most_rounds = 20, .patience = 20, .recall = 64});
  ASSERT_TRUE(trees) << to_text(trees.error());
  const auto splits = trees->splits();
  ASSERT_TRUE(splits) << to_text(splits.error());
  std::map<size_t, double> gains;
  for (const TreeSplit& split : *splits) {
    gains[split.column] += split.gain;
    if (split.column == 2) {
      EXPECT_TRUE(split.threshold > 3.0F && split.threshold <= 4.0F) << split.threshold;
    }
  }
  EXPECT_GT(gains[2], 100 * gains[1]);
  EXPECT_EQ(gains.count(0), 0U);
}

}  // namespace
}  // namespace opbench

#include "prediction/predict/key_kinds.h"

#include <gtest/gtest.h>

#include "base/numbers/random.h"

namespace opbench {
namespace {

TEST(KeyKinds, HeavyOnesTakeNineTenths) {
  const auto kinds = kind_shares({{"conv2d", 60}, {"pool", 4}, {"dense", 30.5}, {"relu", 5.5}});
  ASSERT_EQ(kinds.size(), 4U);
  EXPECT_EQ(kinds[0], (KindShare{"conv2d", 60, 0.6, true}));
  EXPECT_EQ(kinds[1], (KindShare{"dense", 30.5, 0.305, true}));
  EXPECT_FALSE(kinds[2].is_heavy);
  EXPECT_EQ(kinds[3].kind, "pool");
}

TEST(KeyKinds, WithoutTimesAllAreLight) {
  EXPECT_TRUE(kind_shares({}).empty());
  for (const KindShare& kind : kind_shares({{"relu", 0}, {"pool", 0}})) EXPECT_FALSE(kind.is_heavy);
}

// Tried against all subsets: no smaller set of kinds takes as much.
TEST(KeyKinds, HeavyOnesAreTheFewest) {
  Random random(7);
  for (int round = 0; round < 200; ++round) {
    std::map<std::string, double> seconds;
    const size_t count = 1 + random.below(7);
    double all = 0;
    for (size_t i = 0; i < count; ++i) {
      all += seconds["kind" + std::to_string(i)] = 1 + static_cast<double>(random.below(50));
    }
    const auto kinds = kind_shares(seconds);
    size_t heavy = 0;
    double covered = 0;
    for (const KindShare& kind : kinds) {
      if (!kind.is_heavy) continue;
      ++heavy;
      covered += kind.seconds;
    }
    EXPECT_GE(covered, kHeavyShare * all - 1e-9);
    size_t fewest = count;
    for (size_t subset = 0; subset < size_t{1} << count; ++subset) {
      double sum = 0;
      size_t size = 0;
      for (size_t i = 0; i < count; ++i) {
        if ((subset >> i & 1) == 0) continue;
        sum += seconds["kind" + std::to_string(i)];
        ++size;
      }
      if (sum >= kHeavyShare * all) fewest = std::min(fewest, size);
    }
    EXPECT_EQ(heavy, fewest);
  }
}

}  // namespace
}  // namespace opbench

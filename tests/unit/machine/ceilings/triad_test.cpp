#include "machine/ceilings/triad.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "machine/ceilings/ceiling_kernels.h"

namespace opbench {
namespace {

TEST(Triad, ComputesWithEveryInstructionSet) {
  alignas(64) float a[128] = {}, b[128], c[128];
  for (int i = 0; i < 128; ++i) {
    b[i] = static_cast<float>(i);
    c[i] = static_cast<float>(2 * i);
  }
  for (const KernelIsa isa : {KernelIsa::kPortable, widest_isa()}) {
    std::fill(std::begin(a), std::end(a), -1.0F);
    run_triads(isa, a, b, c, 128, 3);
    for (int i = 0; i < 128; ++i) EXPECT_EQ(a[i], 2.0F * static_cast<float>(i));
  }
}

TEST(Triad, GivesARateForTheBytesThatItUsed) {
  const auto point = measure_triad(0, 10'000, 0.001);
  ASSERT_TRUE(point) << to_text(point.error());
  EXPECT_EQ(point->bytes, 9'984);  // a multiple of 768
  EXPECT_GT(point->gbytes_per_s, 0);
  EXPECT_EQ(measure_triad(0, 1, 0.001)->bytes, 768);
}

TEST(Triad, RefusesACpuThatIsNotThere) { EXPECT_FALSE(measure_triad(100'000, 4096, 0.001)); }

TEST(WorkingSets, GrowByEqualFactors) {
  const std::vector<int64_t> sets = working_sets(4096, 1 << 20, 2);
  ASSERT_EQ(sets.size(), 17U);
  EXPECT_NEAR(static_cast<double>(sets[2]), 8192, 768);
  EXPECT_NEAR(static_cast<double>(sets.back()), 1 << 20, 768);
}

}  // namespace
}  // namespace opbench

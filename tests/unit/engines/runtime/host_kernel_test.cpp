#include "engines/runtime/host_kernel.h"

#include <gmock/gmock.h>

namespace opbench {
namespace {

using ::testing::ElementsAre;

TEST(HostKernel, RunsAChainWithResultsInBetween) {
  std::vector<float> x = {-1, 2, -3, 4};
  std::vector<float> w = {10, 10, 10, 10};
  std::vector<float> y(4);
  auto kernel =
      HostKernel::make("abs 1x4; mul w:4; clip =0 =25; neg", {x.data(), w.data()}, {y.data()});
  ASSERT_TRUE(kernel) << to_text(kernel.error());
  HostKernel moved = std::move(*kernel);
  ASSERT_TRUE(moved.run());
  EXPECT_THAT(y, ElementsAre(-10, -20, -25, -25));
  x[0] = 0.5F;
  ASSERT_TRUE(moved.run());
  EXPECT_THAT(y, ElementsAre(-5, -20, -25, -25));
}

TEST(HostKernel, RefusesWhatIsNoWorkload) {
  EXPECT_FALSE(HostKernel::make("frobnicate 1x4", {nullptr}, {nullptr}));
  EXPECT_FALSE(HostKernel::make("relu 1x4", {}, {nullptr}));
  EXPECT_FALSE(HostKernel::make("relu 1x4", {nullptr, nullptr}, {nullptr}));
}

}  // namespace
}  // namespace opbench

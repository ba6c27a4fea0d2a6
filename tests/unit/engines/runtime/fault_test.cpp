#include "engines/runtime/fault.h"

#include <gmock/gmock.h>

#include "base/tensors/tensor_difference.h"
#include "engines/runtime/executor.h"
#include "package_fixture.h"

namespace opbench {
namespace {

class InjectedFault : public PackageFixture {
 protected:
  /// Loads the small program and makes the steps of a unit misbehave.
  int64_t inject(int unit, const char* word) {
    package_ = loaded();
    bench_ = std::make_unique<UnitBench>(*package_);
    const auto extra_steps = inject_fault(*package_, *bench_, unit, word);
    EXPECT_TRUE(extra_steps) << to_text(extra_steps.error());
    return extra_steps.value_or(-1);
  }

  std::unique_ptr<LoadedPackage> package_;
  std::unique_ptr<UnitBench> bench_;
};

TEST_F(InjectedFault, WritesOutOfBoundsAndIsSeen) {
  inject(1, "out-of-bounds");
  EXPECT_TRUE(bench_->run_checked(0, {floats({1, 6}, {1, 1, 1, 1, 1, 1})}));
  const auto checked = bench_->run_checked(1, {floats({1, 6}, {1, 1, 1, 1, 1, 1})});
  ASSERT_FALSE(checked);
  EXPECT_EQ(checked.error(), (Failure{FailureKind::kRunError, "wrote outside of its buffers"}));
}

TEST_F(InjectedFault, MakesAResultWrong) {
  inject(0, "wrong");
  const auto checked = bench_->run_checked(0, {floats({1, 6}, {0, 0, 0, 0, 0, 0})});
  ASSERT_TRUE(checked) << to_text(checked.error());
  EXPECT_GT(max_relative_error(checked->front(), floats({1, 6}, {0, 1, 2, 3, 4, 5})), 0.1);
}

TEST_F(InjectedFault, ReachesARunOfTheModel) {
  inject(0, "wrong");
  const auto executor = (*executor_table().find(kDefaultExecutor))->make(*package_);
  ASSERT_TRUE(executor) << to_text(executor.error());
  ASSERT_TRUE(package_->set_input(0, floats({1, 6}, {0, 0, 0, 0, 0, 0})));
  EXPECT_EQ((*executor)->run(), 0);
  EXPECT_NE(package_->output(0), floats({1, 6}, {0, 1, 2, 3, 4, 5}));
}

TEST_F(InjectedFault, SwapsTwoChannelsOfAResult) {
  inject(1, "swap-channels");
  const auto checked = bench_->run_checked(1, {floats({1, 6}, {1, 2, 3, 4, 5, 6})});
  ASSERT_TRUE(checked) << to_text(checked.error());
  EXPECT_EQ(checked->front(), floats({1, 6}, {2, 1, 3, 4, 5, 6}));
}

TEST_F(InjectedFault, MakesAStepSlowWithoutChangingItsResult) {
  EXPECT_GT(inject(1, "slow-1000"), 0);
  const auto checked = bench_->run_checked(1, {floats({1, 6}, {1, -1, 2, -2, 3, -3})});
  ASSERT_TRUE(checked) << to_text(checked.error());
  EXPECT_EQ(checked->front(), floats({1, 6}, {1, 0, 2, 0, 3, 0}));
}

TEST_F(InjectedFault, OfNoUnitChangesNothing) {
  EXPECT_EQ(inject(7, "slow-3"), 0);
  EXPECT_EQ(inject(-1, ""), 0);
  EXPECT_TRUE(bench_->run_checked(0, {floats({1, 6}, {1, 1, 1, 1, 1, 1})}));
}

TEST(Fault, IsReadFromItsWord) {
  EXPECT_EQ(parse_fault("crash"), Fault::kCrash);
  EXPECT_EQ(parse_fault("hang"), Fault::kHang);
  EXPECT_EQ(parse_fault("out-of-bounds"), Fault::kOutOfBounds);
  EXPECT_EQ(parse_fault("wrong"), Fault::kWrong);
  EXPECT_EQ(parse_fault("swap-channels"), Fault::kSwapChannels);
  EXPECT_EQ(parse_fault("slow-3"), Fault::kSlow);
  EXPECT_EQ(parse_fault("slow-0"), Fault::kNone);
  EXPECT_EQ(parse_fault("nothing"), Fault::kNone);
}

}  // namespace
}  // namespace opbench

#include "experiments/together/config_trials.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

#include "base/files/file.h"
#include "experiments/together/set_unit.h"
#include "machine/target/parse_target.h"

namespace opbench {
namespace {

using ::testing::HasSubstr;

constexpr double kNever = std::numeric_limits<double>::infinity();

/// Takes as many milliseconds a call as trials were made before; the second fails.
class StandIn : public TrialMachine {
 public:
  void begin(const TunableTask&) override {}
  size_t width() const override { return 1; }
  void start(uint64_t index, KernelSpec) override { index_ = index; }
  Result<MeasuredConfig> finish(double) override {
    ++made;
    MeasuredConfig config{.index = index_, .costs_s = {}, .failure = {}, .spent_s = 1};
    if (made == 2) {
      config.failure = Failure{FailureKind::kRunError, "killed"};
    } else {
      config.costs_s = {made * 1e-3};
    }
    return config;
  }
  Result<MeasuredConfig> measure_afresh(uint64_t, KernelSpec) override { return finish(0); }

  int made = 0;

 private:
  uint64_t index_ = 0;
};

class ConfigTrialsTest : public ::testing::Test {
 protected:
  ConfigTrials trials() { return {machine_, TrialLog::open(log_).value()}; }

  TemporaryFolder folder_ = TemporaryFolder::make().value();
  const std::filesystem::path log_ = folder_.path() / "set.log";
  StandIn machine_;
  const std::vector<TaskConfig> configs_ =
      task_configs(set_unit("conv2d 1x32x14x14 w:32x32x3x3 pads=1,1,1,1",
                            parse_target("llvm -mcpu=core-avx2").value())
                       .value(),
                   4, 0, {})
          .value();
};

TEST_F(ConfigTrialsTest, GoOnWhereTheLogEnds) {
  {
    ConfigTrials first = trials();
    ASSERT_TRUE(first.resume(false));
    const auto seconds = first.measure({configs_[0], configs_[1]}, kNever, [](size_t) {});
    ASSERT_TRUE(seconds) << to_text(seconds.error());
    EXPECT_EQ((*seconds)[0], 1e-3);
    EXPECT_FALSE((*seconds)[1]);
    EXPECT_EQ(first.failed(), 1);
  }
  ConfigTrials second = trials();
  ASSERT_TRUE(second.resume(true));
  const auto seconds = second.measure(configs_, kNever, [](size_t) {});
  ASSERT_TRUE(seconds) << to_text(seconds.error());
  EXPECT_EQ(second.resumed(), 2);
  EXPECT_EQ(machine_.made, 4);  // two of four were known
  EXPECT_EQ((*seconds)[0], 1e-3);
  EXPECT_FALSE((*seconds)[1]);
  EXPECT_EQ((*seconds)[3], 4e-3);
}

TEST_F(ConfigTrialsTest, DoNotMixIntoALogUnasked) {
  {
    ConfigTrials first = trials();
    ASSERT_TRUE(first.measure({configs_[0]}, kNever, [](size_t) {}));
  }
  ConfigTrials second = trials();
  const auto resumed = second.resume(false);
  ASSERT_FALSE(resumed);
  EXPECT_THAT(resumed.error().message, HasSubstr("holds trials already"));
}

TEST_F(ConfigTrialsTest, MakeOneTrialHoweverShortTheTime) {
  ConfigTrials late = trials();
  const auto seconds = late.measure(configs_, 0, [](size_t) {});
  ASSERT_TRUE(seconds);
  EXPECT_EQ(machine_.made, 1);
  EXPECT_TRUE((*seconds)[0]);
  EXPECT_FALSE((*seconds)[1]);
}

}  // namespace
}  // namespace opbench

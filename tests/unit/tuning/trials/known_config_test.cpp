#include <gmock/gmock.h>

#include "base/files/file.h"
#include "kernels/tasks/task_arguments.h"
#include "tuning/trials/tune_run.h"

namespace opbench {
namespace {

using ::testing::AllOf;
using ::testing::Each;
using ::testing::Ne;
using ::testing::SizeIs;

/// Notes what it is to build; every config takes as long.
class NotingMachine : public TrialMachine {
 public:
  void begin(const TunableTask&) override {}
  size_t width() const override { return 1; }
  void start(uint64_t index, KernelSpec) override { started.push_back(index); }
  Result<MeasuredConfig> finish(double) override {
    return MeasuredConfig{.index = started.back(), .costs_s = {1e-3}};
  }
  Result<MeasuredConfig> measure_afresh(uint64_t index, KernelSpec) override {
    return MeasuredConfig{.index = index, .costs_s = {1e-3}};
  }

  std::vector<uint64_t> started;
};

Task known_config_dense_task() {
  const TensorType matrix{DataType::kFloat32, {16, 64}};
  return {"dense_nopack.x86",
          {tensor_argument(matrix), tensor_argument(matrix), Argument::null(),
           Argument::of_string("float32")},
          host_target()};
}

constexpr uint64_t kConfig = 17;

/// The configs that a run builds when this is known of the task.
std::vector<uint64_t> built_when_known(const KnobConfig& config) {
  const TemporaryFolder folder = TemporaryFolder::make().value();
  const TuneRequest request{.tasks = {{known_config_dense_task()}},
                            .tuner = *tuner_table().find("random"),
                            .trials = 4,
                            .log = folder.path() / "a.log",
                            .known = [&](const TuningRecord& task) {
                              EXPECT_EQ(task.task, "dense_nopack.x86");
                              return std::optional(config);
                            }};
  NotingMachine machine;
  EXPECT_TRUE(run_tune(request, machine, {}));
  return machine.started;
}

TEST(KnownConfig, IsTriedFirstAndOnce) {
  const TunableTask task = *tunable_task(known_config_dense_task(), 0);
  const std::vector<uint64_t> built = built_when_known(*config_at(task.space, kConfig));
  ASSERT_THAT(built, SizeIs(4));
  EXPECT_EQ(built.front(), kConfig);
  EXPECT_THAT(std::vector<uint64_t>(built.begin() + 1, built.end()), Each(Ne(kConfig)));
}

TEST(KnownConfig, ThatIsNoConfigOfTheSpaceIsLeftOut) {
  const TunableTask task = *tunable_task(known_config_dense_task(), 0);
  KnobConfig config = *config_at(task.space, kConfig);
  config.knobs.front().name = "vanished";
  EXPECT_THAT(built_when_known(config), SizeIs(4));
}

TEST(PromisingConfigs, AreTriedFirstAndOnce) {
  const TemporaryFolder folder = TemporaryFolder::make().value();
  const TuneRequest request{.tasks = {{known_config_dense_task()}},
                            .tuner = *tuner_table().find("random"),
                            .trials = 5,
                            .log = folder.path() / "a.log",
                            .promising = [](const TunableTask&) {
                              return std::vector<uint64_t>{9, kConfig, 9};
                            }};
  NotingMachine machine;
  EXPECT_TRUE(run_tune(request, machine, {}));
  ASSERT_THAT(machine.started, SizeIs(5));
  EXPECT_EQ(machine.started[0], 9U);
  EXPECT_EQ(machine.started[1], kConfig);
  EXPECT_THAT(std::vector<uint64_t>(machine.started.begin() + 2, machine.started.end()),
              Each(AllOf(Ne(9U), Ne(kConfig))));
}

}  // namespace
}  // namespace opbench

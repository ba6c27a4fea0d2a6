#include "tuning/trials/zero_shot.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "base/files/file.h"
#include "base/numbers/random.h"
#include "kernels/tasks/task_arguments.h"
#include "tuning/trials/best_kernels.h"
#include "tuning/trials/chosen_kernel.h"
#include "tuning/trials/trial.h"
#include "tuning/trials/tune_run.h"
#include "tuning/trials/zero_shot_file.h"

namespace opbench {
namespace {

using ::testing::HasSubstr;

Task zero_shot_dense_task(int64_t rows, int64_t columns, int64_t steps) {
  const auto matrix = [](int64_t m, int64_t n) {
    return tensor_argument({DataType::kFloat32, {m, n}});
  };
  return {"dense_nopack.x86",
          {matrix(rows, steps), matrix(columns, steps), Argument::null(),
           Argument::of_string("float32")},
          host_target()};
}

/// Fast where 16 columns are computed at once.
double time_of(const KnobConfig& config) {
  for (const KnobValue& knob : config.knobs) {
    if (knob.name != "tile_x") continue;
    const double size = static_cast<double>(knob.value.items.back().integer);
    return 1e-3 * (1 + std::abs(std::log2(size) - 4));
  }
  return 1;
}

/// Trials of two shapes, as a store hands them over.
Result<void> known(const std::string& template_name,
                   const std::function<void(const TuningRecord&)>& take) {
  if (template_name != "dense_nopack.x86") return {};
  Random random(3);
  for (const int64_t columns : {128, 256}) {
    const TunableTask task = tunable_task(zero_shot_dense_task(32, columns, 64), 0).value();
    for (int i = 0; i < 100; ++i) {
      Trial trial{.config = config_at(task.space, random.below(task.size)).value()};
      trial.costs_s = {time_of(trial.config)};
      take(record_of(task, trial));
    }
  }
  return {};
}

TEST(ZeroShot, ChoosesFromTrialsOfOtherShapes) {
  ZeroShot zero_shot(known, host_target());
  const TunableTask task = tunable_task(zero_shot_dense_task(16, 64, 32), 0).value();
  const auto choice = zero_shot.choose(task, 3);
  ASSERT_TRUE(choice) << to_text(choice.error());
  EXPECT_EQ(choice->tasks, 2U);
  EXPECT_EQ(choice->configs.size(), 3U);
  EXPECT_DOUBLE_EQ(time_of(config_at(task.space, choice->configs.front()).value()), 1e-3);
  EXPECT_FALSE(choice->of_default);
}

TEST(ZeroShot, SaysWhatIsMissing) {
  ZeroShot zero_shot([](const auto&, const auto&) { return Result<void>(); }, host_target());
  const auto choice =
      zero_shot.choose(tunable_task(zero_shot_dense_task(16, 64, 32), 0).value(), 1);
  ASSERT_FALSE(choice);
  EXPECT_EQ(choice.error().code, ErrorCode::kNoMatch);
  EXPECT_THAT(choice.error().message, HasSubstr("0 trials of 0 other tasks"));
}

TEST(ZeroShot, LeavesOutTrialsOfOtherTargets) {
  const auto elsewhere = [](const std::string& name, const auto& take) {
    return known(name, [&](TuningRecord record) {
      record.target = "cuda";
      take(record);
    });
  };
  ZeroShot zero_shot(elsewhere, host_target());
  EXPECT_FALSE(zero_shot.choose(tunable_task(zero_shot_dense_task(16, 64, 32), 0).value(), 1));
}

KernelChoice some_kernel() {
  const TunableTask task = tunable_task(zero_shot_dense_task(16, 64, 32), 0).value();
  return chosen_kernel(candidate_of(task, config_at(task.space, 3).value()).value(), "somewhere");
}

TEST(ZeroShotFile, GivesItsKernelsToTheTuningLog) {
  const TemporaryFolder folder = TemporaryFolder::make().value();
  const std::string file = folder.path() / "a.jsonl";
  KernelChoice kernel = some_kernel();
  ASSERT_TRUE(write_file(file, zero_shot_text({kernel}, host_target())));
  const auto kernels = best_kernels(file, host_target());
  ASSERT_TRUE(kernels) << to_text(kernels.error());
  kernel.origin = file + ":2";
  EXPECT_EQ(*kernels, std::vector{kernel});
}

TEST(ZeroShotFile, IsRefusedForAnotherTarget) {
  const TemporaryFolder folder = TemporaryFolder::make().value();
  const std::string file = folder.path() / "a.jsonl";
  ASSERT_TRUE(write_file(
      file, "{\"schema\": \"opbench.zero-shot/1\", \"target\": \"llvm -mcpu=core-avx2\"}\n"));
  const auto kernels = read_zero_shot(file, host_target());
  ASSERT_FALSE(kernels);
  EXPECT_THAT(kernels.error().message, HasSubstr("were chosen for another target"));
}

TEST(ZeroShotFile, NamesTheLineThatIsNoKernel) {
  const TemporaryFolder folder = TemporaryFolder::make().value();
  const std::string file = folder.path() / "a.jsonl";
  ASSERT_TRUE(write_file(file, zero_shot_text({some_kernel()}, host_target()) + "{}\n"));
  const auto kernels = read_zero_shot(file, host_target());
  ASSERT_FALSE(kernels);
  EXPECT_THAT(to_text(kernels.error()), HasSubstr("a.jsonl:3"));
}

TEST(ZeroShotFile, IsNotALogOfTrials) {
  const TemporaryFolder folder = TemporaryFolder::make().value();
  const std::string file = folder.path() / "a.log";
  ASSERT_TRUE(write_file(file, "{\"input\": []}\n"));
  const auto kernels = read_zero_shot(file, host_target());
  ASSERT_TRUE(kernels);
  EXPECT_FALSE(*kernels);
}

}  // namespace
}  // namespace opbench

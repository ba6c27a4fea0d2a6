#include <gtest/gtest.h>

#include "base/files/file.h"
#include "kernels/tasks/task_arguments.h"
#include "tuning/trials/tune_run.h"

namespace opbench {
namespace {

/// Nothing is to be built.
class NoMachine : public TrialMachine {
 public:
  void begin(const TunableTask&) override {}
  size_t width() const override { return 0; }
  void start(uint64_t, KernelSpec) override { ADD_FAILURE(); }
  Result<MeasuredConfig> finish(double) override { return Error{ErrorCode::kSystem, "no machine"}; }
  Result<MeasuredConfig> measure_afresh(uint64_t, KernelSpec) override { return finish(0); }
};

Task tuner_check_dense_task() {
  const TensorType matrix{DataType::kFloat32, {4, 8}};
  return {"dense_nopack.x86",
          {tensor_argument(matrix), tensor_argument(matrix), Argument::null(),
           Argument::of_string("float32")},
          host_target()};
}

Result<TuneResult> tune_with(Result<void> (*check)(const Task&)) {
  TunerDef tuner = **tuner_table().find("random");
  tuner.check = check;
  const TemporaryFolder folder = TemporaryFolder::make().value();
  const TuneRequest request{
      .tasks = {{tuner_check_dense_task()}}, .tuner = &tuner, .log = folder.path() / "a.log"};
  NoMachine machine;
  return run_tune(request, machine, {});
}

TEST(TunerCheck, LeavesOutATaskThatTheTunerCannotSearch) {
  const auto result = tune_with([](const Task& task) -> Result<void> {
    return Error{ErrorCode::kInvalidInput, "not " + task.name};
  });
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().code, ErrorCode::kNoMatch);
  EXPECT_EQ(result.error().facts, (std::vector<Fact>{{"task 0", "not dense_nopack.x86"}}));
}

TEST(TunerCheck, EndsTheRunWhenTheTunerCannotSearchAnything) {
  const auto result = tune_with([](const Task&) -> Result<void> {
    return Error{ErrorCode::kEnvironment, "no library"};
  });
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().message, "no library");
}

TEST(TunerCheck, LetsOthersPass) {
  const auto result = tune_with([](const Task&) -> Result<void> { return {}; });
  ASSERT_TRUE(result);
  EXPECT_EQ(result->tasks.size(), 1);
}

}  // namespace
}  // namespace opbench

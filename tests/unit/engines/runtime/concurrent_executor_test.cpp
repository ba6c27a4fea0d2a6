#include <gmock/gmock.h>

#include <cmath>

#include "engines/runtime/executor.h"
#include "engines/runtime/program_json.h"
#include "package_fixture.h"

namespace opbench {
namespace {

using ::testing::HasSubstr;

/// Chains of relu(x) + x side by side: `workers` of `steps` steps each, then their sums.
Program chains(int workers, int steps) {
  Program program;
  program.slots = {arena_slot("x", {1, 6}, 0)};
  program.inputs = {0};
  program.teams.workers = workers;
  int64_t offset = 64;
  const auto add_slot = [&] {
    program.slots.push_back(arena_slot("v", {1, 6}, offset));
    offset += 64;
    return static_cast<int>(program.slots.size()) - 1;
  };
  const auto add_step = [&](std::vector<int> arguments, std::vector<int> by,
                            std::vector<int> waits) {
    const auto unit = static_cast<int>(program.steps.size());
    const int result = add_slot();
    std::vector<int> needs = waits;
    if (!program.steps.empty() && arguments[0] != 0 && waits.empty()) needs = {unit - 1};
    program.steps.push_back({unit, "", "add 1x6 1x6", std::move(arguments), {result}, needs});
    program.teams.steps.push_back({unit, std::move(by), std::move(waits)});
    return result;
  };
  std::vector<int> ends, last_steps;
  for (int worker = 0; worker < workers; ++worker) {
    int value = 0;
    for (int i = 0; i < steps; ++i) value = add_step({value, 0}, {worker}, {});
    ends.push_back(value);
    last_steps.push_back(static_cast<int>(program.steps.size()) - 1);
  }
  int sum = ends[0];
  std::vector<int> all;
  for (int worker = workers - 1; worker >= 0; --worker) all.push_back(worker);
  for (size_t i = 1; i < ends.size(); ++i) {
    std::vector<int> waits = {last_steps[i - 1], last_steps[i]};
    if (i > 1) waits.push_back(static_cast<int>(program.steps.size()) - 1);
    sum = add_step({sum, ends[i]}, all, std::move(waits));
  }
  program.outputs = {sum};
  program.arena_bytes = offset;
  program.weight_bytes = 128;
  return program;
}

class ConcurrentExecutor : public PackageFixture {
 protected:
  static std::unique_ptr<Executor> made(LoadedPackage& package) {
    const auto definition = executor_table().find("concurrent");
    auto executor = (*definition)->make(package);
    EXPECT_TRUE(executor) << to_text(executor.error());
    return executor ? std::move(*executor) : nullptr;
  }
};

TEST_F(ConcurrentExecutor, RunsProgramsOfWorkersAgainAndAgain) {
  for (const int workers : {2, 3}) {
    const auto package = loaded(chains(workers, 9), {.threads = workers});
    ASSERT_NE(package, nullptr);
    const auto executor = made(*package);
    ASSERT_TRUE(package->set_input(0, floats({1, 6}, {1, 2, 3, 4, 5, 6})));
    for (int run = 0; run < 500; ++run) {
      ASSERT_EQ(executor->run(), 0);
      const std::vector<float> values = values_of(package->output(0));
      for (size_t i = 0; i < values.size(); ++i) {
        ASSERT_EQ(values[i], static_cast<float>(workers * 10) * static_cast<float>(i + 1));
      }
    }
  }
}

TEST_F(ConcurrentExecutor, TimesEveryStepOnItsWorker) {
  const auto package = loaded(chains(2, 4), {.threads = 2});
  std::vector<double> step_s(package->program().steps.size(), -1);
  EXPECT_EQ(made(*package)->run_timed(step_s), 0);
  for (const double seconds : step_s) EXPECT_GE(seconds, 0);
}

TEST_F(ConcurrentExecutor, NeedsTheWorkersThatThePackageIsFor) {
  const auto package = loaded(chains(2, 2), {.threads = 3});
  const auto executor = (*executor_table().find("concurrent"))->make(*package);
  ASSERT_FALSE(executor);
  EXPECT_THAT(executor.error().message, HasSubstr("for 2 workers, the engine has 3"));
}

TEST_F(ConcurrentExecutor, IsSequentialWhereThePackageHasNoPlan) {
  const auto package = loaded(small_program(), {.threads = 2});
  const auto executor = made(*package);
  ASSERT_TRUE(package->set_input(0, floats({1, 6}, {1, 1, 1, 1, 1, 1})));
  EXPECT_EQ(executor->run(), 0);
  EXPECT_EQ(values_of(package->output(0)), (std::vector<float>{1, 2, 3, 4, 5, 6}));
}

TEST(TeamProgram, ComesBackFromJsonAsItWas) {
  const Program program = chains(3, 2);
  const auto parsed = parse_program(to_json(program));
  ASSERT_TRUE(parsed) << to_text(parsed.error());
  EXPECT_EQ(*parsed, program);
}

TEST(TeamProgram, IsCheckedWhenItIsRead) {
  Program program = chains(2, 2);
  program.teams.steps.back().waits = {};
  const auto parsed = parse_program(to_json(program));
  ASSERT_FALSE(parsed);
  EXPECT_THAT(parsed.error().message, HasSubstr("may start before"));
}

}  // namespace
}  // namespace opbench

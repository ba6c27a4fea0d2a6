#include "engines/runtime/executor.h"

#include <gmock/gmock.h>

#include "package_fixture.h"

namespace opbench {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

/// Every executor runs the same packages to the same results.
class EveryExecutor : public PackageFixture {
 protected:
  static std::unique_ptr<Executor> made(const ExecutorDef& definition, LoadedPackage& package) {
    auto executor = definition.make(package);
    EXPECT_TRUE(executor) << to_text(executor.error());
    return std::move(*executor);
  }
};

TEST_F(EveryExecutor, RunsStepsInOrderAndKeepsItsInputs) {
  for (const ExecutorDef& definition : executor_table().all()) {
    for (const size_t shift : {0, 64, 4032}) {
      SCOPED_TRACE(definition.name);
      const auto package = loaded(small_program(), {.threads = 2, .shift_bytes = shift});
      const auto executor = made(definition, *package);
      ASSERT_TRUE(package->set_input(0, floats({1, 6}, {-9, 1, -9, 1, -4, 0.5F})));
      for (int run = 0; run < 3; ++run) {
        EXPECT_EQ(executor->run(), 0);
        EXPECT_THAT(values_of(package->output(0)), ElementsAre(0, 2, 0, 4, 0, 5.5F));
      }
    }
  }
}

TEST_F(EveryExecutor, TimesEveryStep) {
  for (const ExecutorDef& definition : executor_table().all()) {
    const auto package = loaded();
    std::vector<double> step_s(2, -1);
    EXPECT_EQ(made(definition, *package)->run_timed(step_s), 0);
    for (const double seconds : step_s) EXPECT_GE(seconds, 0) << definition.name;
  }
}

TEST_F(EveryExecutor, RefusesAStepWithAnotherNumberOfOperands) {
  Program program = small_program();
  program.steps[0].arguments = {0};
  const auto package = loaded(program);
  for (const ExecutorDef& definition : executor_table().all()) {
    const auto executor = definition.make(*package);
    ASSERT_FALSE(executor) << definition.name;
    EXPECT_EQ(executor.error().message, "\"add 1x6 w:6\" takes 2 operands, got 1");
  }
}

TEST_F(EveryExecutor, RefusesAKernelThatThePackageLacks) {
  Program program = small_program();
  program.steps[1].symbol = "k_0123";
  const auto package = loaded(program);
  for (const ExecutorDef& definition : executor_table().all()) {
    const auto executor = definition.make(*package);
    ASSERT_FALSE(executor) << definition.name;
    EXPECT_THAT(executor.error().message, HasSubstr("\"k_0123_argv\""));
  }
}

TEST(ExecutorTable, HasTheDefaultAndGuessesNames) {
  EXPECT_TRUE(executor_table().find(kDefaultExecutor));
  const auto unknown = executor_table().find("sequentail");
  ASSERT_FALSE(unknown);
  EXPECT_THAT(to_text(unknown.error()), HasSubstr("sequential"));
}

}  // namespace
}  // namespace opbench

#include "engines/runtime/unit_bench.h"

#include <gmock/gmock.h>

#include <cmath>

#include "base/tensors/half.h"
#include "engines/runtime/executor.h"
#include "package_fixture.h"

namespace opbench {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

class UnitBenches : public PackageFixture {};

TEST_F(UnitBenches, GiveAStepBuffersOfItsOwn) {
  const auto package = loaded();
  UnitBench bench(*package);
  const auto executor = (*executor_table().find(kDefaultExecutor))->make(*package);
  ASSERT_TRUE(executor) << to_text(executor.error());
  ASSERT_TRUE(package->set_input(0, floats({1, 6}, {1, 1, 1, 1, 1, 1})));
  ASSERT_EQ((*executor)->run(), 0);
  const Tensor before = package->output(0);
  for (const size_t step : {0, 1}) {
    const auto isolated = bench.isolated(step);
    ASSERT_TRUE(isolated) << to_text(isolated.error());
    EXPECT_EQ((*isolated)->run(), 0);
    EXPECT_EQ(*bench.isolated(step), *isolated) << "made once";
  }
  EXPECT_EQ(package->output(0), before);
  EXPECT_FALSE(bench.isolated(2));
}

TEST_F(UnitBenches, NameTheMemoryOfAStep) {
  const auto package = loaded();
  UnitBench bench(*package);
  EXPECT_TRUE(bench.memory_of(0).empty()) << "not made yet";
  ASSERT_TRUE(bench.isolated(0));
  EXPECT_GE(bench.memory_of(0).size(), 2 * 6 * sizeof(float));
  EXPECT_TRUE(bench.memory_of(2).empty());
}

TEST_F(UnitBenches, FillBuffersOfHalvesWithNumbers) {
  Program program = small_program();
  for (Slot& slot : program.slots) {
    slot.type.data_type = DataType::kFloat16;
    slot.bytes = static_cast<int64_t>(slot.type.bytes());
  }
  program.steps[0].workload = "add 1x6:float16 w:6:float16";
  program.steps[1].workload = "relu 1x6:float16";
  const auto package = loaded(program);
  ASSERT_NE(package, nullptr);
  UnitBench bench(*package);
  ASSERT_TRUE(bench.isolated(1));
  const auto* values = reinterpret_cast<const Float16*>(bench.memory_of(1).data());
  for (int i = 0; i < 6; ++i) {
    EXPECT_NE(values[i], 0.0F) << i;
    EXPECT_LE(std::abs(static_cast<float>(values[i])), 1) << i;
  }
}

TEST_F(UnitBenches, CheckAStepOnGivenOperands) {
  const auto package = loaded();
  UnitBench bench(*package);
  const auto sum = bench.run_checked(0, {floats({1, 6}, {1, 1, 1, 1, 1, 1})});
  ASSERT_TRUE(sum) << to_text(sum.error());
  EXPECT_THAT(values_of(sum->front()), ElementsAre(1, 2, 3, 4, 5, 6));
  const auto relu = bench.run_checked(1, {floats({1, 6}, {1, -1, 2, -2, 3, -3})});
  ASSERT_TRUE(relu) << to_text(relu.error());
  EXPECT_THAT(values_of(relu->front()), ElementsAre(1, 0, 2, 0, 3, 0));
}

TEST_F(UnitBenches, CheckNoStepOnOperandsThatDoNotFit) {
  const auto package = loaded();
  UnitBench bench(*package);
  const auto none = bench.run_checked(1, {});
  ASSERT_FALSE(none);
  EXPECT_THAT(none.error().text, HasSubstr("\"sum\", float32 1x6"));
  EXPECT_FALSE(bench.run_checked(1, {floats({6}, {1, 2, 3, 4, 5, 6})}));
}

}  // namespace
}  // namespace opbench

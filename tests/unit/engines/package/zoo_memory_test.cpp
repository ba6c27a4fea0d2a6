#include <gmock/gmock.h>

#include <algorithm>
#include <cctype>

#include "engines/package/live_set.h"
#include "engines/package/memory_plan.h"
#include "machine/target/parse_target.h"
#include "model/passes/bind_shapes.h"
#include "model/zoo/zoo.h"

namespace opbench {
namespace {

TEST(LiveSet, CountsOperandsBesideResults) {
  // An input, a chain of two, and a value that is read at the end again.
  const std::vector<LiveValue> values = {{10, -1, 3}, {100, 0, 2}, {20, 1, 2}, {5, 2, 3}};
  EXPECT_EQ(largest_live_set(values, 3), 10 + 100 + 20 + 5);
  EXPECT_EQ(largest_live_set({}, 0), 0);
  EXPECT_EQ(largest_live_set({{7, -1, 0}}, 0), 7) << "an input that is an output";
}

class ZooMemory : public ::testing::TestWithParam<std::string> {};

// The plan goes by types: weights without values give the same one in a hundredth of the time.
TEST_P(ZooMemory, PlansAtMostAQuarterAboveTheLargestLiveSet) {
  auto model = zoo_outline(GetParam(), 1);
  ASSERT_TRUE(model) << to_text(model.error());
  ASSERT_TRUE(bind_shapes(*model, {.otherwise = zoo_dimensions(GetParam())}));
  ASSERT_TRUE(infer_types(*model));
  const auto units = lower(*model);
  ASSERT_TRUE(units) << to_text(units.error());
  for (const char* cpu : {"core-avx2", "skylake-avx512"}) {
    SCOPED_TRACE(cpu);
    const auto target = parse_target(std::string("llvm -mcpu=") + cpu);
    const auto steps = plan_layouts(*model, *units, *target);
    ASSERT_TRUE(steps) << to_text(steps.error());
    const MemoryPlan plan = plan_memory(*model, *steps);
    const auto planned = static_cast<double>(plan.program.arena_bytes);
    EXPECT_GE(planned, static_cast<double>(plan.live_bytes));
    EXPECT_LE(planned, 1.25 * static_cast<double>(plan.live_bytes));
    RecordProperty(cpu, std::to_string(planned / static_cast<double>(plan.live_bytes)));
  }
}

std::vector<std::string> names() {
  std::vector<std::string> result;
  for (const ZooEntry& entry : zoo_entries()) result.push_back(entry.name);
  return result;
}

INSTANTIATE_TEST_SUITE_P(All, ZooMemory, ::testing::ValuesIn(names()), [](const auto& name) {
  std::string word = name.param;
  std::ranges::replace_if(
      word, [](char c) { return std::isalnum(c) == 0; }, '_');
  return word;
});

}  // namespace
}  // namespace opbench

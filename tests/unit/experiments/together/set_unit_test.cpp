#include "experiments/together/set_unit.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "experiments/together/set_model.h"
#include "experiments/together/task_configs.h"
#include "machine/target/parse_target.h"
#include "model/passes/passes.h"

namespace opbench {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr const char* kConvolution = "conv2d 1x32x14x14 w:32x32x3x3 pads=1,1,1,1; relu";

Target avx2() { return parse_target("llvm -mcpu=core-avx2").value(); }

TEST(SetUnit, TakesAnOperatorWithWhatIsFusedIntoItInBlocks) {
  const auto unit = set_unit(kConvolution, avx2());
  ASSERT_TRUE(unit) << to_text(unit.error());
  EXPECT_EQ(text_of(unit->workload), kConvolution);
  EXPECT_GT(unit->output_layout().block, 0);
  EXPECT_FALSE(unit->schedule.empty());
}

TEST(SetUnit, RefusesSeveralUnits) {
  const auto unit = set_unit("relu 1x8x8; softmax; softmax", avx2());
  ASSERT_FALSE(unit);
  EXPECT_THAT(unit.error().message, HasSubstr("units, not one"));
}

TEST(SetUnit, ListsBlocksOfOperandsThenOfOutputs) {
  const auto convolution = set_unit(kConvolution, avx2());
  const auto product = set_unit("matmul 8x16 w:16x8", avx2());
  ASSERT_TRUE(convolution && product);
  const int block = convolution->output_layout().block;
  EXPECT_THAT(layouts_of_set({*convolution, *product}), ElementsAre(block, 0, block, 0));
}

TEST(TaskConfigs, BeginWithTheDefaultsAndRepeatNone) {
  const auto unit = set_unit(kConvolution, avx2());
  ASSERT_TRUE(unit);
  const auto configs = task_configs(*unit, 9, 0, {});
  ASSERT_TRUE(configs) << to_text(configs.error());
  EXPECT_EQ(configs->size(), 9);
  EXPECT_EQ(configs->front().spec.schedule, unit->schedule);
  std::vector<std::string> origins;
  std::set<std::string> texts;
  for (const TaskConfig& config : *configs) {
    origins.push_back(config.origin);
    texts.insert(text_of(config.spec));
  }
  EXPECT_EQ(texts.size(), configs->size());
  EXPECT_THAT(origins, Contains("default, 1 thread"));
  EXPECT_EQ(task_configs(*unit, 1, 0, {})->front().origin, "default, 1 thread");
}

TEST(TaskConfigs, AreOneWithoutKnobs) {
  const auto unit = set_unit("relu 1x16x8x8", avx2());
  ASSERT_TRUE(unit);
  const auto configs = task_configs(*unit, 9, 0, {});
  ASSERT_TRUE(configs) << to_text(configs.error());
  ASSERT_EQ(configs->size(), 1);
  EXPECT_EQ(text_of(configs->front().spec), text_of(*unit));
}

TEST(SetModel, HasBothUnitsAndNothingInCommon) {
  const auto unit = set_unit(kConvolution, avx2());
  ASSERT_TRUE(unit);
  Model model = model_of_set({*unit, *unit}, 3);
  ASSERT_TRUE(infer_types(model));
  EXPECT_EQ(model.graph.inputs.size(), 2);
  EXPECT_EQ(model.graph.outputs.size(), 2);
  const auto units = lower(model);
  ASSERT_TRUE(units) << to_text(units.error());
  EXPECT_EQ(units->size(), 2);
  EXPECT_NE(model.graph.inputs[0].name, model.graph.inputs[1].name);
}

}  // namespace
}  // namespace opbench

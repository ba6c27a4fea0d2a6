#include "engines/package/layout_plan.h"

#include <gmock/gmock.h>

#include "machine/target/parse_target.h"
#include "model_maker.h"

namespace opbench {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

/// A machine with blocks of eight channels.
Target eight_lanes() { return *parse_target("llvm -mcpu=core-avx2"); }

std::vector<PlannedStep> plan(const Model& model, const std::set<std::string>& refused = {}) {
  auto steps = plan_layouts(model, fuse(model), eight_lanes(), refused);
  EXPECT_TRUE(steps) << to_text(steps.error());
  return steps ? std::move(*steps) : std::vector<PlannedStep>{};
}

/// `x/0 -> y/8`, with the first operand alone and the word `change` for layout changes.
std::string text_of(const PlannedStep& step) {
  const auto text = [](const PlannedValue& value) {
    return value.name + "/" + std::to_string(value.block);
  };
  const std::string from = step.values.operands.empty() ? "" : text(step.operand(0)) + " ";
  return (step.identity.is_layout_change() ? "change " : "") + from + "-> " + text(step.output());
}

std::vector<std::string> texts_of(const std::vector<PlannedStep>& steps) {
  std::vector<std::string> texts;
  for (const PlannedStep& step : steps) texts.push_back(text_of(step));
  return texts;
}

/// Every value that a step reads was made before in that layout, and every output ends dense.
void expect_complete(const Model& model, const std::vector<PlannedStep>& steps) {
  std::set<PlannedValue> made;
  for (const Value& input : model.graph.inputs) made.insert({input.name, 0});
  for (const PlannedStep& step : steps) {
    for (size_t i = 0; i < step.values.operands.size(); ++i) {
      PlannedValue operand = step.operand(i);
      operand.scope = MemoryScope::kHost;  // copies come later (device_copies.h)
      const bool is_known = made.contains(operand) || model.graph.constants.contains(operand.name);
      EXPECT_TRUE(is_known) << operand.name << "/" << operand.block;
    }
    PlannedValue output = step.output();
    output.scope = MemoryScope::kHost;
    EXPECT_TRUE(made.insert(output).second) << step.values.output << " is made twice";
    for (const Node& node : model.graph.nodes) {
      const bool is_view = operator_of(node)->fusion == FusionRole::kView;
      if (is_view && made.contains({node.inputs[0], 0})) made.insert({node.outputs[0], 0});
    }
  }
}

Model two_convolutions(int64_t channels) {
  ModelMaker m;
  std::string x = m.input("x", {1, channels, 12, 12});
  x = m.conv(x, channels, 16, 3, "a");
  x = m.node("Relu", {x}, "b");
  x = m.conv(x, 16, 24, 3, "y");
  return m.finish({x});
}

TEST(LayoutPlan, StaysBlockedFromConvolutionToConvolution) {
  EXPECT_THAT(texts_of(plan(two_convolutions(16))),
              ElementsAre("change x/0 -> x/8", "x/8 -> b/8", "b/8 -> y/8", "change y/8 -> y/0"));
}

TEST(LayoutPlan, LeavesImagesDense) {
  EXPECT_THAT(texts_of(plan(two_convolutions(3))),
              ElementsAre("x/0 -> b/8", "b/8 -> y/8", "change y/8 -> y/0"));
}

TEST(LayoutPlan, NamesTheNodesAndLayoutsOfAUnit) {
  const auto steps = plan(two_convolutions(16));
  ASSERT_EQ(steps.size(), 4);
  EXPECT_THAT(steps[1].identity.nodes, ElementsAre("a", "b"));
  EXPECT_THAT(steps[1].identity.blocks, ElementsAre(8, 0, 0, 8)) << "weights have their own form";
  EXPECT_TRUE(steps[1].has_kernel());
  EXPECT_EQ(blocks_of(steps[1].kernel()), steps[1].identity.blocks);
  EXPECT_EQ(steps[1].kernel().schedule, steps[1].identity.schedule);
}

Model layout_plan_joined(int64_t first, int64_t second) {
  ModelMaker m;
  const std::string x = m.input("x", {1, 3, 6, 6});
  const std::string a = m.conv(x, 3, first, 1, "a");
  const std::string b = m.conv(x, 3, second, 1, "b");
  const std::string c = m.concat({a, b}, "c");
  return m.finish({m.conv(c, first + second, 8, 1, "y")});
}

TEST(LayoutPlan, JoinsWholeBlocks) {
  EXPECT_THAT(
      texts_of(plan(layout_plan_joined(8, 16))),
      ElementsAre("x/0 -> a/8", "x/0 -> b/8", "a/8 -> c/8", "c/8 -> y/8", "change y/8 -> y/0"));
}

TEST(LayoutPlan, JoinsPartsOfBlocksDense) {
  const Model model = layout_plan_joined(12, 16);
  const auto steps = plan(model);
  expect_complete(model, steps);
  const auto concat = std::ranges::find(steps, "c", [](const auto& s) { return s.values.output; });
  ASSERT_NE(concat, steps.end());
  EXPECT_THAT(concat->values.operands, ElementsAre("a", "b"));
  EXPECT_THAT(concat->identity.blocks, ElementsAre(0, 0, 0));
}

TEST(LayoutPlan, TurnsAPooledValueDenseForAView) {
  ModelMaker m;
  std::string x = m.conv(m.input("x", {1, 3, 6, 6}), 3, 16, 3, "a");
  x = m.node("GlobalAveragePool", {x}, "p");
  x = m.node("Flatten", {x}, "f");
  x = m.node("MatMul", {x, m.weight("w", {16, 4})}, "y");
  const Model model = m.finish({x});
  const auto steps = plan(model);
  expect_complete(model, steps);
  EXPECT_THAT(texts_of(steps),
              ElementsAre("x/0 -> a/8", "a/8 -> p/8", "change p/8 -> p/0", "f/0 -> y/0"));
}

TEST(LayoutPlan, KeepsAnOutputThatIsReadInsideInBothLayouts) {
  ModelMaker m;
  const std::string a = m.conv(m.input("x", {1, 3, 6, 6}), 3, 16, 3, "a");
  const std::string y = m.conv(a, 16, 16, 3, "y");
  const Model model = m.finish({y, a});
  const auto steps = plan(model);
  expect_complete(model, steps);
  EXPECT_THAT(texts_of(steps),
              ElementsAre("x/0 -> a/8", "a/8 -> y/8", "change y/8 -> y/0", "change a/8 -> a/0"));
}

TEST(LayoutPlan, TakesInputsConstantsAndViewsAsOutputs) {
  ModelMaker m;
  const std::string x = m.input("x", {1, 3, 6, 6});
  const std::string w = m.weight("w", {4});
  const std::string f = m.node("Flatten", {x}, "f");
  EXPECT_TRUE(plan(m.finish({x, w, f})).empty());
  EXPECT_TRUE(plan(Model{}).empty());
}

TEST(LayoutPlan, KeepsWhatMayNotBeFiniteOutOfPaddingLanes) {
  for (const std::string type : {"Div", "Pow"}) {
    for (const int64_t channels : {16, 20}) {
      ModelMaker m;
      const std::string x = m.input("x", {1, 3, 6, 6});
      const std::string a = m.conv(x, 3, channels, 1, "a");
      const std::string b = m.conv(x, 3, channels, 1, "b");
      const std::string c = m.node(type, {a, b}, "c");
      const Model model = m.finish({m.conv(c, channels, 8, 1, "y")});
      const auto steps = plan(model);
      expect_complete(model, steps);
      const auto made =
          std::ranges::find(steps, "c", [](const auto& s) { return s.values.output; });
      ASSERT_NE(made, steps.end());
      EXPECT_EQ(made->output().block, channels == 16 ? 8 : 0) << type << channels;
    }
  }
}

/// Refuses the kernels of a plan that `is_bad` names, as long as there are any.
std::vector<PlannedStep> plan_without(const Model& model, bool (*is_bad)(const PlannedStep&)) {
  std::set<std::string> refused;
  for (int round = 0; round < 20; ++round) {
    const auto steps = plan(model, refused);
    const size_t before = refused.size();
    for (const PlannedStep& step : steps) {
      if (step.has_kernel() && is_bad(step)) refused.insert(opbench::text_of(step.kernel()));
    }
    if (refused.size() == before) return steps;
  }
  ADD_FAILURE() << "refuses for ever";
  return {};
}

TEST(LayoutPlan, RunsReferencesWhenEveryKernelIsRefused) {
  const Model model = two_convolutions(16);
  const auto steps = plan_without(model, [](const PlannedStep&) { return true; });
  expect_complete(model, steps);
  EXPECT_THAT(texts_of(steps), ElementsAre("x/0 -> b/0", "b/0 -> y/0"));
  for (const PlannedStep& step : steps) EXPECT_FALSE(step.has_kernel());
}

TEST(LayoutPlan, DoesWithoutLayoutChangesThatAreRefused) {
  const Model model = two_convolutions(16);
  const auto steps =
      plan_without(model, [](const PlannedStep& step) { return step.identity.is_layout_change(); });
  expect_complete(model, steps);
  EXPECT_THAT(texts_of(steps), ElementsAre("x/0 -> b/0", "b/0 -> y/0"));
  for (const PlannedStep& step : steps) EXPECT_TRUE(step.has_kernel());
}

TEST(LayoutPlan, TakesTheNextLayoutWhenAKernelIsRefused) {
  const Model model = two_convolutions(16);
  const auto steps = plan_without(model, [](const PlannedStep& step) {
    return !step.identity.is_layout_change() && step.operand(0).block;
  });
  expect_complete(model, steps);
  for (const PlannedStep& step : steps) {
    EXPECT_TRUE(step.has_kernel()) << text_of(step);
  }
}

std::vector<PlannedStep> plan_given(const Model& model, const GivenLayouts& given) {
  auto steps = plan_layouts(model, fuse(model), eight_lanes(), {}, given);
  EXPECT_TRUE(steps) << to_text(steps.error());
  return steps ? std::move(*steps) : std::vector<PlannedStep>{};
}

Model one_node(const std::string& type, const Shape& shape) {
  ModelMaker m;
  return m.finish({m.node(type, {m.input("x", shape)}, "y")});
}

TEST(LayoutPlan, TakesInputsAndOutputsInGivenLayouts) {
  const Model relu = one_node("Relu", {1, 16, 6, 6});
  EXPECT_THAT(texts_of(plan(relu)), ElementsAre("x/0 -> y/0"));
  EXPECT_THAT(texts_of(plan_given(relu, {{"x", 8}, {"y", 8}})), ElementsAre("x/8 -> y/8"));
  EXPECT_THAT(texts_of(plan_given(relu, {{"x", 4}, {"y", 0}})), ElementsAre("x/4 -> y/0"));
  EXPECT_THAT(texts_of(plan_given(two_convolutions(16), {{"x", 0}, {"y", 8}})),
              ElementsAre("x/0 -> b/8", "b/8 -> y/8"));
}

TEST(LayoutPlan, ChangesTheGivenLayoutOfAnIdentity) {
  const Model identity = one_node("Identity", {1, 16, 6, 6});
  EXPECT_TRUE(plan(identity).empty());
  EXPECT_THAT(texts_of(plan_given(identity, {{"x", 0}, {"y", 8}})),
              ElementsAre("change y/0 -> y/8"));
  EXPECT_THAT(texts_of(plan_given(identity, {{"x", 4}, {"y", 0}})),
              ElementsAre("change x/4 -> x/0"));
}

TEST(LayoutPlan, RefusesGivenLayoutsThatNoKernelTakes) {
  const Model softmax = one_node("Softmax", {1, 16});
  const auto refused = plan_layouts(softmax, fuse(softmax), eight_lanes(), {}, {{"x", 8}});
  ASSERT_FALSE(refused);
  EXPECT_THAT(to_text(refused.error()), HasSubstr("\"softmax 1x16\""));
  const Model relu = one_node("Relu", {1, 16, 6, 6});
  const auto mixed = plan_layouts(relu, fuse(relu), eight_lanes(), {}, {{"x", 8}, {"y", 16}});
  ASSERT_FALSE(mixed);
  EXPECT_THAT(to_text(mixed.error()), HasSubstr("8 and 16"));
}

TEST(LayoutPlan, KnowsTheBlocksOfAWorkloadAlone) {
  const auto blocks_of = [](const std::string& text) {
    return blocks_alone(*parse_workload(text), eight_lanes());
  };
  EXPECT_THAT(blocks_of("conv2d 1x16x6x6 w:16x16x1x1 w:16; relu"), ElementsAre(8, 0, 0, 8));
  EXPECT_THAT(blocks_of("conv2d 1x3x6x6 w:16x3x1x1"), ElementsAre(0, 0, 8));
  EXPECT_THAT(blocks_of("add 1x16x6x6 1x16x6x6"), ElementsAre(0, 0, 0));
}

TEST(LayoutPlan, HasDefaultKernelsForTheThreadsThatRunThem) {
  ModelMaker m;
  const std::string weight = m.weight("w", {64, 64, 1, 7});
  const std::string y = m.node("Conv", {m.input("x", {1, 64, 17, 17}), weight}, "y",
                               {{"pads", std::vector<int64_t>{0, 3, 0, 3}}});
  const Model model = m.finish({y});
  for (const int threads : {1, 2}) {
    const auto steps =
        plan_layouts(model, fuse(model), eight_lanes(), {}, {}, KernelChoices(), threads);
    ASSERT_TRUE(steps) << to_text(steps.error());
    const auto step = std::ranges::find_if(*steps, [](const PlannedStep& one) {
      return one.identity.schedule == "conv2d_winograd1d";
    });
    ASSERT_NE(step, steps->end());
    EXPECT_EQ(step->config.at("parts"), threads);
  }
}

TEST(LayoutPlan, RefusesAValueThatNoUnitMakes) {
  ModelMaker m;
  const std::string d = m.node("Dropout", {m.input("x", {1, 3, 6, 6})}, "d");
  m.last().outputs.push_back("mask");
  const Model model = m.finish({d, "mask"});
  const auto steps = plan_layouts(model, fuse(model), eight_lanes());
  ASSERT_FALSE(steps);
  EXPECT_THAT(to_text(steps.error()), HasSubstr("\"mask\""));
}

TEST(LayoutPlan, LeavesEverythingPlainForOtherDevicesThanCpus) {
  const Model model = two_convolutions(16);
  for (const char* target : {"opencl", "cuda -arch=sm_75", "metal"}) {
    const auto steps = plan_layouts(model, fuse(model), *parse_target(target));
    ASSERT_TRUE(steps) << to_text(steps.error());
    expect_complete(model, *steps);
    for (const PlannedStep& step : *steps) {
      EXPECT_FALSE(step.identity.is_layout_change());
      EXPECT_THAT(step.identity.blocks, ::testing::Each(0)) << target;
    }
  }
}

}  // namespace
}  // namespace opbench

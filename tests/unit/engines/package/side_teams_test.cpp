#include "engines/package/side_teams.h"

#include <gmock/gmock.h>

#include "engines/package/device_copies.h"
#include "engines/runtime/teams/team_order.h"
#include "machine/target/parse_target.h"
#include "memory_simulation.h"
#include "model_maker.h"
#include "planned_model.h"
#include "random_model.h"

namespace opbench {
namespace {

using ::testing::ElementsAre;

/// A chain of convolutions, each with a relu; the k-th makes `c<k>`.
Model chain_of_convolutions(int count) {
  ModelMaker maker;
  std::string last = maker.input("x", {1, 16, 8, 8});
  for (int i = 0; i < count; ++i) {
    const std::string weight = maker.weight("w" + std::to_string(i), {16, 16, 1, 1});
    const std::string name = "c" + std::to_string(i);
    maker.node("Conv", {last, weight}, name);
    last = name;
  }
  return maker.finish({last});
}

/// The model planned for both sides, with the package builder's steps.
Planned planned_for_sides(Model model, UnitPlacement placement) {
  Planned result{std::move(model), {}, {}};
  const Target device = parse_target("opencl").value();
  placement.host = parse_target("llvm -mcpu=core-avx2").value();
  const std::vector<Unit> units = fuse(result.model);
  placement = with_all_sides(std::move(placement), units);
  auto steps = plan_layouts(result.model, units, device, {}, {}, {}, 1, placement);
  EXPECT_TRUE(steps) << to_text(steps.error());
  if (!steps) return result;
  result.steps = with_device_copies(result.model, std::move(*steps));
  result.memory = plan_memory(result.model, result.steps);
  auto memory = plan_for_sides(result.model, result.steps, result.memory, placement, {}, {});
  EXPECT_TRUE(memory) << to_text(memory.error());
  if (memory) result.memory = std::move(*memory);
  return result;
}

std::string side_text(const Planned& planned, const TeamStep& step) {
  const PlannedStep& made = planned.steps[planned.memory.planned[static_cast<size_t>(step.step)]];
  const std::string what = made.copy != StepCopy::kNone       ? made.identity.schedule + " "
                           : made.identity.is_layout_change() ? "layout "
                                                              : "";
  return std::to_string(step.workers.front()) + ": " + what + made.values.output;
}

std::vector<std::string> side_texts(const Planned& planned) {
  std::vector<std::string> texts;
  for (const TeamStep& step : planned.memory.program.teams.steps) {
    texts.push_back(side_text(planned, step));
  }
  return texts;
}

TEST(SideTeams, ComputeUnitsOfTheHostWithItsKernels) {
  const Planned planned =
      planned_for_sides(chain_of_convolutions(3), {.scopes = {{"c0", MemoryScope::kHost},
                                                              {"c1", MemoryScope::kDevice},
                                                              {"c2", MemoryScope::kHost}},
                                                   .order = {"c0", "c1", "c2"}});
  for (const PlannedStep& step : planned.steps) {
    if (step.identity.nodes.empty()) continue;
    const bool is_device = step.values.output == "c1";
    EXPECT_EQ(step.target.kind, is_device ? "opencl" : "llvm") << step.values.output;
    EXPECT_EQ(step.runs_on(), is_device ? MemoryScope::kDevice : MemoryScope::kHost);
    EXPECT_TRUE(step.has_kernel());
    EXPECT_EQ(step.identity.blocks.back(), is_device ? 0 : 8) << "units on a device are dense";
  }
  EXPECT_THAT(side_texts(planned),
              ElementsAre("0: layout x", "0: c0", "0: layout c0", "1: to_device c0", "1: c1",
                          "1: to_host c1", "0: layout c1", "0: c2", "0: layout c2"));
}

TEST(SideTeams, BringWhatTheHostNeedsAsSoonAsItIsThere) {
  ModelMaker maker;
  const std::string x = maker.input("x", {1, 40});
  maker.node("Relu", {x}, "a");
  maker.node("Softmax", {x}, "b");
  maker.node("Softmax", {"a"}, "c");
  const Planned planned =
      planned_for_sides(maker.finish({"b", "c"}), {.scopes = {{"a", MemoryScope::kDevice},
                                                              {"b", MemoryScope::kDevice},
                                                              {"c", MemoryScope::kHost}},
                                                   .order = {"a", "b", "c"}});
  EXPECT_THAT(side_texts(planned), ElementsAre("1: to_device x", "1: a", "1: to_host a", "1: b",
                                               "1: to_host b", "0: c"));
}

TEST(SideTeams, FollowTheOrderOfThePlacement) {
  ModelMaker maker;
  const std::string x = maker.input("x", {1, 40});
  maker.node("Relu", {x}, "a");
  maker.node("Softmax", {x}, "b");
  const Planned planned = planned_for_sides(
      maker.finish({"a", "b"}),
      {.scopes = {{"a", MemoryScope::kHost}, {"b", MemoryScope::kHost}}, .order = {"b", "a"}});
  EXPECT_THAT(side_texts(planned), ElementsAre("0: b", "0: a"));
}

TEST(SideTeams, GiveAUnitWithoutASideThatOfItsReader) {
  ModelMaker maker;
  const std::string x = maker.input("x", {1, 40});
  maker.node("Relu", {x}, "a");
  maker.node("Softmax", {"a"}, "b");
  maker.node("Relu", {"b"}, "c");
  const Model model = maker.finish({"c"});
  const UnitPlacement all = with_all_sides({.scopes = {{"c", MemoryScope::kDevice}}}, fuse(model));
  for (const auto& [value, scope] : all.scopes) EXPECT_EQ(scope, MemoryScope::kDevice) << value;
  const UnitPlacement last = with_all_sides({.scopes = {{"a", MemoryScope::kDevice}}}, fuse(model));
  EXPECT_EQ(last.scopes.at("c"), MemoryScope::kHost) << "b has none when c is looked at";
  EXPECT_FALSE(with_all_sides({}, fuse(model)).is_given());
}

TEST(SideTeams, KeepEveryValueOfRandomModelsWhereItBelongs) {
  size_t copies = 0;
  for (uint64_t seed = 0; seed < 60; ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    Model model = RandomModel(seed).make();
    UnitPlacement placement;
    for (const Unit& unit : fuse(model)) {
      placement.scopes[unit.output] =
          random.below(2) == 0 ? MemoryScope::kHost : MemoryScope::kDevice;
      placement.order.push_back(unit.output);
    }
    if (!placement.is_given()) continue;
    const Planned planned = planned_for_sides(std::move(model), std::move(placement));
    Simulation(planned).run();
    const auto checked = check_teams(planned.memory.program);
    ASSERT_TRUE(checked) << to_text(checked.error());
    for (const Step& step : planned.memory.program.steps) copies += step.copy != StepCopy::kNone;
    if (::testing::Test::HasFailure()) return;
  }
  EXPECT_GT(copies, 60U);
}

}  // namespace
}  // namespace opbench

#include "engines/package/memory_plan.h"

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include <array>

#include "engines/runtime/program_json.h"
#include "machine/target/parse_target.h"
#include "memory_simulation.h"
#include "model_maker.h"
#include "planned_model.h"
#include "random_model.h"

namespace opbench {
namespace {

using ::testing::ElementsAre;

TEST(MemoryPlan, KeepsEveryValueOfRandomModelsAsLongAsItIsNeeded) {
  size_t in_place = 0;
  for (uint64_t seed = 0; seed < 150; ++seed) {
    SCOPED_TRACE(seed);
    const Planned plan = planned(RandomModel(seed).make());
    Simulation(plan).run();
    in_place += plan.steps.size() - plan.memory.program.steps.size();
    if (::testing::Test::HasFailure()) return;
  }
  EXPECT_GT(in_place, 50) << "the random models have nothing to place";
}

TEST(MemoryPlan, GivesAValueWithoutElementsAPlaceWhereverItStands) {
  ModelMaker maker;
  const std::string x = maker.input("x", {1, 4});
  const std::string empty = maker.input("past", {0, 4});
  maker.node("Relu", {x}, "y");
  maker.node("Relu", {empty}, "present");
  const Planned plan = planned(maker.finish({"y", "present"}));
  const Slot& last = plan.slot("present");
  EXPECT_EQ(last.bytes, 0);
  EXPECT_GE(last.offset, 0);
  EXPECT_LE(last.offset, plan.memory.program.arena_bytes);
  EXPECT_EQ(plan.memory.program.arena_bytes, 128);
}

/// Waits at random: for some earlier steps, or group by group.
StepWaits random_waits(Random& random, const Program& program) {
  StepWaits needs;
  for (const Step& step : program.steps) needs.push_back(step.needs);
  if (random.below(3) == 0) return StepWaits(needs.size());
  if (random.below(2) == 0) {
    std::vector<int> group(needs.size());
    for (size_t i = 1; i < group.size(); ++i) {
      group[i] = group[i - 1] + (random.below(3) == 0 ? 1 : 0);
    }
    return waits_of_groups(needs, group);
  }
  for (size_t i = 1; i < needs.size(); ++i) {
    if (random.below(2) == 0) needs[i].push_back(static_cast<int>(random.below(i)));
  }
  return needs;
}

/// A plan gives weights no size, and a file of it needs one.
Program without_weights(Program program) {
  for (Slot& slot : program.slots) {
    if (slot.storage == Storage::kWeights) slot.bytes = 0;
  }
  return program;
}

TEST(MemoryPlan, LetsStepsThatDoNotWaitRunTogether) {
  size_t most_together = 0;
  for (uint64_t seed = 0; seed < 150; ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    const Planned alone = planned(RandomModel(seed).make());
    if (alone.memory.program.steps.empty()) continue;
    const StepWaits waits = random_waits(random, alone.memory.program);
    const Planned together = planned(RandomModel(seed).make(), waits);
    const Program& program = together.memory.program;
    ASSERT_EQ(program.steps.size(), alone.memory.program.steps.size());
    EXPECT_TRUE(parse_program(to_json(without_weights(program))));
    StepWaits known = waits;
    for (size_t i = 0; i < waits.size(); ++i) {
      EXPECT_EQ(program.steps[i].needs, alone.memory.program.steps[i].needs);
      std::ranges::copy(program.steps[i].needs, std::back_inserter(known[i]));
    }
    const StepOrder order = StepOrder::of(known);
    for (size_t i = 0; i < waits.size(); ++i) {
      for (const int step : program.steps[i].reuses) {
        EXPECT_TRUE(order.ends_before(step, static_cast<int>(i)))
            << "memory makes step " << i << " wait for step " << step;
      }
    }
    for (int round = 0; round < 5; ++round) {
      Simulation simulation(together);
      simulation.run_together(random);
      most_together = std::max(most_together, simulation.most_together());
    }
    Simulation(together).run();
    if (::testing::Test::HasFailure()) return;
  }
  EXPECT_GT(most_together, 3) << "the random models have nothing to run together";
}

TEST(MemoryPlan, GivesBranchesThatRunTogetherMemoryOfTheirOwn) {
  ModelMaker m;
  const std::string x = m.input("x", {1, 16, 8, 8});
  std::vector<std::string> ends;
  for (const std::string branch : {"a", "b"}) {
    std::string y = m.node("Softmax", {x}, branch + "0", {{"axis", int64_t{3}}});
    y = m.node("Softmax", {y}, branch + "1", {{"axis", int64_t{3}}});
    ends.push_back(m.node("Softmax", {y}, branch + "2", {{"axis", int64_t{3}}}));
  }
  const Model model = m.finish(ends);
  const int64_t alone = planned(model).memory.program.arena_bytes;
  const int64_t together = planned(model, StepWaits(6)).memory.program.arena_bytes;
  constexpr int64_t kValue = 16 * 8 * 8 * 4;
  EXPECT_EQ(alone, 4 * kValue) << "the input, a result, and two by turns";
  EXPECT_EQ(together, 5 * kValue) << "the input and two by turns for each branch";
}

Model chain(int length) {
  ModelMaker m;
  std::string x = m.input("x", {1, 16, 8, 8});
  for (int i = 0; i < length; ++i) {
    x = m.node("Softmax", {x}, "v" + std::to_string(i), {{"axis", int64_t{3}}});
  }
  return m.finish({x});
}

TEST(MemoryPlan, LetsAChainRunInThreePlaces) {
  const Planned plan = planned(chain(12));
  Simulation(plan).run();
  constexpr int64_t kValue = 16 * 8 * 8 * 4;
  EXPECT_EQ(plan.memory.program.arena_bytes, 3 * kValue) << "the input and two by turns";
}

/// y = concat(a, b) of two convolutions with these channels over n x 3 x side x side.
Model memory_plan_joined(int64_t n, int64_t first, int64_t second, int64_t side) {
  ModelMaker m;
  const std::string x = m.input("x", {n, 3, side, side});
  return m.finish({m.concat({m.conv(x, 3, first, 1, "a"), m.conv(x, 3, second, 1, "b")}, "y")});
}

TEST(MemoryPlan, MakesPartsWhereTheyBelong) {
  const Planned plan = planned(memory_plan_joined(1, 8, 16, 4));
  Simulation(plan).run();
  const Slot& whole = plan.slot("y", 8);
  EXPECT_EQ(plan.slot("a", 8).offset, whole.offset);
  EXPECT_EQ(plan.slot("b", 8).offset, whole.offset + 8 * 16 * 4);
  EXPECT_EQ(plan.memory.program.steps.size(), 3) << "two convolutions and the layout change";
}

TEST(MemoryPlan, CopiesPartsOfSeveralImages) {
  const Planned plan = planned(memory_plan_joined(2, 8, 16, 5));
  Simulation(plan).run();
  EXPECT_EQ(plan.memory.program.steps.size(), plan.steps.size());
}

TEST(MemoryPlan, CopiesPartsThatWouldLieAcrossCacheLines) {
  ModelMaker m;
  const std::string x = m.input("x", {1, 4, 3});
  const std::string a = m.node("Softmax", {x}, "a");
  const std::string b = m.node("Exp", {x}, "b");
  const Planned plan = planned(m.finish({m.concat({a, b}, "y")}));
  Simulation(plan).run();
  EXPECT_EQ(plan.memory.program.steps.size(), 3) << "12 floats are no whole number of lines";
}

TEST(MemoryPlan, MovesNothingToTurnOnePixelDense) {
  for (const int64_t n : {1, 2}) {
    for (const int64_t channels : {16, 20}) {
      ModelMaker m;
      const std::string a = m.conv(m.input("x", {n, 3, 6, 6}), 3, channels, 3, "a");
      const Planned plan = planned(m.finish({m.node("GlobalAveragePool", {a}, "y")}));
      Simulation(plan).run();
      const bool is_free = channels == 16 || n == 1;
      EXPECT_EQ(plan.memory.program.steps.size(), is_free ? 2 : 3) << n << " " << channels;
    }
  }
}

TEST(MemoryPlan, TakesConstantsAndTheirViewsAsWeights) {
  ModelMaker m;
  m.input("x", {1, 4});
  const std::string w = m.weight("w", {2, 6});
  const std::string f = m.node("Reshape", {w, m.integers("s", {3, 4})}, "f");
  const Planned plan = planned(m.finish({w, f, "x"}));
  EXPECT_TRUE(plan.memory.program.steps.empty());
  ASSERT_EQ(plan.memory.weights.size(), 2);
  for (const PlannedWeight& weight : plan.memory.weights) EXPECT_EQ(weight.constant, "w");
  const auto& outputs = plan.memory.program.outputs;
  ASSERT_EQ(outputs.size(), 3);
  EXPECT_EQ(plan.memory.program.slots[static_cast<size_t>(outputs[1])].type.shape, (Shape{3, 4}));
  EXPECT_EQ(outputs[2], plan.memory.program.inputs[0]);
}

TEST(MemoryPlan, KeepsInputsAndOutputsInGivenLayouts) {
  ModelMaker m;
  const Model model = m.finish({m.node("Relu", {m.input("x", {1, 20, 3, 3})}, "y")});
  const GivenLayouts given = {{"x", 8}, {"y", 8}};
  const auto steps =
      plan_layouts(model, fuse(model), *parse_target("llvm -mcpu=core-avx2"), {}, given);
  ASSERT_TRUE(steps) << to_text(steps.error());
  const Program program = plan_memory(model, *steps, given).program;
  ASSERT_EQ(program.steps.size(), 1);
  for (const int index : {program.inputs[0], program.outputs[0]}) {
    EXPECT_EQ(program.slots[static_cast<size_t>(index)].physical, (Shape{1, 3, 3, 3, 8}));
  }
}

TEST(MemoryPlan, NamesTheWeightsOfEveryStep) {
  const Planned plan = planned(memory_plan_joined(1, 8, 16, 5));
  std::vector<std::string> names;
  for (const PlannedWeight& weight : plan.memory.weights) names.push_back(weight.constant);
  EXPECT_THAT(names, ElementsAre("a_w", "a_b", "b_w", "b_b"));
  EXPECT_EQ(plan.memory.weights[2].operand, 1);
  EXPECT_EQ(plan.steps[plan.memory.weights[2].step].values.output, "b");
}

}  // namespace
}  // namespace opbench

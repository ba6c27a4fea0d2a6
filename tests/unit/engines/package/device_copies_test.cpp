#include "engines/package/device_copies.h"

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include "engines/runtime/program_json.h"
#include "engines/runtime/program_text.h"
#include "machine/target/parse_target.h"
#include "memory_simulation.h"
#include "model_maker.h"
#include "planned_model.h"
#include "random_model.h"

namespace opbench {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

/// The model's steps on the device where `is_on_device` says so, on the host elsewhere.
template <class Choice>
Planned planned_on_devices(Model model, const Choice& is_on_device) {
  Planned result{std::move(model), {}, {}};
  const Target device = parse_target("opencl").value();
  auto steps = plan_layouts(result.model, fuse(result.model), device);
  EXPECT_TRUE(steps) << to_text(steps.error());
  if (!steps) return result;
  for (PlannedStep& step : *steps) {
    step.target = device;
    step.identity.schedule = is_on_device(step) ? "made_up" : kReferenceSchedule;
  }
  result.steps = with_device_copies(result.model, std::move(*steps));
  result.memory = plan_memory(result.model, result.steps);
  return result;
}

std::vector<std::string> step_texts(const Planned& planned) {
  std::vector<std::string> texts;
  for (const size_t at : planned.memory.planned) {
    const PlannedStep& step = planned.steps[at];
    texts.push_back(step.copy == StepCopy::kNone
                        ? step.values.output
                        : step.identity.schedule + " " + step.values.output);
  }
  return texts;
}

Model two_branches() {
  ModelMaker maker;
  const std::string x = maker.input("x", {1, 40});
  maker.node("Relu", {x}, "a");
  maker.node("Softmax", {"a"}, "b");
  maker.node("Relu", {"b"}, "c");
  maker.node("Softmax", {"a"}, "d");
  return maker.finish({"c", "d"});
}

TEST(DeviceCopies, StandBeforeTheFirstStepThatNeedsThem) {
  const Planned planned = planned_on_devices(
      two_branches(), [](const PlannedStep& step) { return step.values.output != "b"; });
  EXPECT_THAT(step_texts(planned), ElementsAre("to_device x", "a", "to_host a", "b", "to_device b",
                                               "c", "d", "to_host c", "to_host d"));
  const Program& program = planned.memory.program;
  EXPECT_TRUE(program.has_device());
  EXPECT_EQ(program.steps[0].runs_on, MemoryScope::kHost);
  EXPECT_EQ(program.steps[1].runs_on, MemoryScope::kDevice);
  EXPECT_EQ(units_on_host(planned.steps, parse_target("opencl").value()),
            "1 unit has no kernel for opencl and runs on the host as its operators' references, "
            "between copies: 1 softmax");
  EXPECT_EQ(units_on_host(planned.steps, parse_target("llvm").value()), "");
}

TEST(DeviceCopies, AreNoneWithoutADevice) {
  const Planned planned =
      planned_on_devices(two_branches(), [](const PlannedStep&) { return false; });
  EXPECT_THAT(step_texts(planned), ElementsAre("a", "b", "c", "d"));
  EXPECT_FALSE(planned.memory.program.has_device());
  EXPECT_EQ(planned.memory.program.device_arena_bytes, 0);
}

TEST(DeviceCopies, MoveWhatAViewNamesOnce) {
  ModelMaker maker;
  const std::string x = maker.input("x", {2, 8});
  maker.node("Relu", {x}, "a");
  maker.node("Flatten", {"a"}, "view");
  maker.node("Relu", {"view"}, "b");
  const Planned planned =
      planned_on_devices(maker.finish({"view", "b"}),
                         [](const PlannedStep& step) { return step.values.output == "a"; });
  EXPECT_THAT(step_texts(planned), ElementsAre("to_device x", "a", "to_host a", "b"));
}

TEST(DeviceCopies, KeepEveryValueOfRandomModelsInBothMemories) {
  size_t copies = 0;
  for (uint64_t seed = 0; seed < 150; ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    const Planned planned = planned_on_devices(
        RandomModel(seed).make(), [&](const PlannedStep&) { return random.below(2) == 0; });
    Simulation(planned).run();
    for (const Step& step : planned.memory.program.steps) copies += step.copy != StepCopy::kNone;
    Program program = planned.memory.program;
    for (Step& step : program.steps) {
      if (step.runs_on == MemoryScope::kDevice) step.symbol = "k";
    }
    program.weight_bytes = int64_t{1} << 40;
    const auto parsed = parse_program(to_json(program));
    ASSERT_TRUE(parsed) << to_text(parsed.error());
    EXPECT_EQ(*parsed, program);
    if (::testing::Test::HasFailure()) return;
  }
  EXPECT_GT(copies, 300U);
}

TEST(DeviceCopies, LieOnTheBoundariesOfTheDevice) {
  const Planned planned =
      planned_on_devices(two_branches(), [](const PlannedStep&) { return true; });
  for (const int64_t boundary : {128, 4096}) {
    const MemoryPlan plan = plan_memory(planned.model, planned.steps, {}, {}, {.device = boundary});
    for (const Slot& slot : plan.program.slots) {
      const bool is_there = slot.scope == MemoryScope::kDevice;
      EXPECT_EQ(slot.offset % (is_there ? boundary : 64), 0) << slot.name;
    }
    EXPECT_EQ(plan.program.device_arena_bytes % boundary, 0);
    EXPECT_GE(plan.program.device_arena_bytes, 3 * boundary);
  }
}

TEST(DeviceCopies, LeaveProgramsOfTheHostAsTheyWere) {
  const Planned on_host = planned(two_branches());
  EXPECT_THAT(json_text_of(on_host.memory.program), HasSubstr("opbench.program/5"));
  const Planned there = planned_on_devices(two_branches(), [](const PlannedStep&) { return true; });
  EXPECT_THAT(json_text_of(there.memory.program), HasSubstr("opbench.program/6"));
}

}  // namespace
}  // namespace opbench

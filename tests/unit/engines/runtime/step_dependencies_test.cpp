#include "engines/runtime/step_dependencies.h"

#include <gmock/gmock.h>

#include "small_program.h"

namespace opbench {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

/// A program of float slots: `at[i]` is slot i's first byte; each holds 16 floats.
Program with_slots(const std::vector<int64_t>& at) {
  Program program;
  program.arena_bytes = 4096;
  for (size_t i = 0; i < at.size(); ++i) {
    program.slots.push_back(arena_slot("s" + std::to_string(i), {1, 16}, at[i]));
  }
  return program;
}

void add_step(Program& program, std::vector<int> arguments, std::vector<int> results) {
  const int unit = static_cast<int>(program.steps.size());
  program.steps.push_back({unit, "", "", std::move(arguments), std::move(results)});
}

TEST(StepDependencies, AreNeedsWhereAStepReadsWhatAnotherMade) {
  Program program = with_slots({0, 64, 128, 192});
  add_step(program, {0}, {1});
  add_step(program, {0}, {2});
  add_step(program, {1, 2}, {3});
  const StepDependencies found = find_dependencies(program);
  EXPECT_THAT(found.needs, ElementsAre(IsEmpty(), IsEmpty(), ElementsAre(0, 1)));
  EXPECT_THAT(found.reuses, ElementsAre(IsEmpty(), IsEmpty(), IsEmpty()));
}

TEST(StepDependencies, AreReusesWhereAStepOverwritesWhatOthersReadOrWrite) {
  Program program = with_slots({0, 64, 128, 64});
  add_step(program, {0}, {1});
  add_step(program, {1}, {2});
  add_step(program, {0}, {3});  // where slot 1 was
  const StepDependencies found = find_dependencies(program);
  EXPECT_THAT(found.needs, ElementsAre(IsEmpty(), ElementsAre(0), IsEmpty()));
  EXPECT_THAT(found.reuses[2], ElementsAre(1)) << "the wait for step 0 follows from it";
}

TEST(StepDependencies, TakeTheLastWriterOfEveryByte) {
  Program program = with_slots({0, 64, 128, 256});
  program.slots.push_back(arena_slot("both", {1, 32}, 64));
  add_step(program, {0}, {1});
  add_step(program, {0}, {2});
  add_step(program, {0}, {1});  // slot 1 again
  add_step(program, {4}, {3});  // reads slots 1 and 2 as one
  const StepDependencies found = find_dependencies(program);
  EXPECT_THAT(found.needs[3], ElementsAre(1, 2));
  EXPECT_THAT(found.reuses[2], ElementsAre(0));
}

TEST(StepDependencies, CountEveryResultOfAStep) {
  Program program = with_slots({0, 64, 128, 192});
  add_step(program, {0}, {1, 2});
  add_step(program, {2}, {3});
  add_step(program, {3}, {1, 2});
  const StepDependencies found = find_dependencies(program);
  EXPECT_THAT(found.needs, ElementsAre(IsEmpty(), ElementsAre(0), ElementsAre(1)));
  EXPECT_THAT(found.reuses[2], IsEmpty()) << "the waits for steps 0 and 1 follow from the need";
}

TEST(StepDependencies, LeaveOutWeightsAndEmptyTensors) {
  Program program = with_slots({0, 64, 0});
  program.slots[2].storage = Storage::kWeights;
  add_step(program, {2}, {0});
  add_step(program, {2}, {1});
  program.slots[0].bytes = 0;
  const StepDependencies found = find_dependencies(program);
  EXPECT_THAT(found.needs, ElementsAre(IsEmpty(), IsEmpty()));
  EXPECT_THAT(found.reuses, ElementsAre(IsEmpty(), IsEmpty()));
}

}  // namespace
}  // namespace opbench

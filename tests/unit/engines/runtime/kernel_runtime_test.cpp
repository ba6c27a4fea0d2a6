#include "engines/runtime/kernel_runtime.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

using ParallelBody = int (*)(void* context, int index, uint8_t* closure);
extern "C" int halide_do_par_for(void* context, ParallelBody body, int minimum, int count,
                                 uint8_t* closure);

namespace opbench {
namespace {

using ::testing::ElementsAre;

/// Notes the index; refuses 9.
int kernel_runtime_note(void*, int index, uint8_t* closure) {
  if (index == 9) return -17;
  reinterpret_cast<std::vector<int>*>(closure)->push_back(index);
  return 0;
}

TEST(ParallelLoop, RunsOnTheCallingThreadWhereThereIsNoContext) {
  std::vector<int> notes;
  auto* closure = reinterpret_cast<uint8_t*>(&notes);
  EXPECT_EQ(halide_do_par_for(nullptr, kernel_runtime_note, 2, 4, closure), 0);
  EXPECT_THAT(notes, ElementsAre(2, 3, 4, 5));
  EXPECT_EQ(halide_do_par_for(nullptr, kernel_runtime_note, 8, 4, closure), -17);
  EXPECT_THAT(notes, ElementsAre(2, 3, 4, 5, 8)) << "nothing after a task that failed";
}

}  // namespace
}  // namespace opbench

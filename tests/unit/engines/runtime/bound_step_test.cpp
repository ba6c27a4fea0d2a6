#include "engines/runtime/bound_step.h"

#include <gmock/gmock.h>

#include <array>

#include "small_program.h"

namespace opbench {
namespace {

using ::testing::ElementsAre;

float* floats_of(void* argument) {
  return reinterpret_cast<float*>(static_cast<KernelBuffer*>(argument)->host);
}

/// y = x + h, c = c0 + y, of one element each.
int add_up(void** arguments) {
  const float sum = *floats_of(arguments[1]) + *floats_of(arguments[2]);
  const float total = *floats_of(arguments[3]) + sum;
  *floats_of(arguments[4]) = sum;
  *floats_of(arguments[5]) = total;
  return 0;
}

/// Fails from the second row on.
int fail_late(void** arguments) { return *floats_of(arguments[1]) > 1 ? 9 : add_up(arguments); }

/// x[3], h[1], c0[1] in; y[3], c[1] out. Call i reads x[i] and writes y[i].
struct Calls {
  std::array<float, 3> x = {1, 2, 3};
  std::array<float, 1> h = {10}, c0 = {100}, c = {-1};
  std::array<float, 3> y = {-1, -1, -1};
  CallRepeat repeat = {.count = 3, .moving = {0, 3}, .feeds = {{3, 1}, {4, 2}}};

  BoundStep bound(Kernel kernel) {
    BoundStep step(kernel, nullptr, 5);
    bind(step, 0, x);
    bind(step, 1, h);
    bind(step, 2, c0);
    bind(step, 3, y);
    bind(step, 4, c);
    step.repeat(repeat);
    return step;
  }

  template <size_t Count>
  static void bind(BoundStep& step, size_t index, std::array<float, Count>& values) {
    step.bind(index, arena_slot("", {static_cast<int64_t>(Count)}, 0),
              reinterpret_cast<std::byte*>(values.data()));
  }
};

TEST(BoundStep, FeedsWhatACallWroteToTheNext) {
  Calls calls;
  BoundStep step = calls.bound(add_up);
  for (int run = 0; run < 2; ++run) {
    EXPECT_EQ(step.run(), 0);
    EXPECT_THAT(calls.y, ElementsAre(11, 13, 16));
    EXPECT_THAT(calls.c, ElementsAre(140));
  }
  EXPECT_THAT(calls.h, ElementsAre(10));
  EXPECT_THAT(calls.c0, ElementsAre(100));
}

TEST(BoundStep, GoesThroughThePartsBackward) {
  Calls calls;
  calls.repeat.is_backward = true;
  EXPECT_EQ(calls.bound(add_up).run(), 0);
  EXPECT_THAT(calls.y, ElementsAre(16, 15, 13));
  EXPECT_THAT(calls.c, ElementsAre(144));
}

TEST(BoundStep, EndsAtACallThatFails) {
  Calls calls;
  BoundStep step = calls.bound(fail_late);
  EXPECT_EQ(step.run(), 9);
  EXPECT_THAT(calls.y, ElementsAre(11, -1, -1));
}

}  // namespace
}  // namespace opbench

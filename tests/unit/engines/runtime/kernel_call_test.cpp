#include "engines/runtime/kernel_call.h"

#include <gtest/gtest.h>

#include <array>

namespace opbench {
namespace {

/// Bytes from the stack's end at the call, above the return address, to the next cache line: the
/// frame's first word is the caller's base pointer, the second the return address.
uintptr_t bytes_off_a_line(void* frame) {
  return (reinterpret_cast<uintptr_t>(frame) + 2 * sizeof(void*)) % 64;
}

[[gnu::noinline]] int note_kernel(void** arguments) {
  *static_cast<uintptr_t*>(arguments[0]) = bytes_off_a_line(__builtin_frame_address(0));
  return 7;
}

struct Call {
  uintptr_t off = 64;
  int index = 0;
  uint8_t* closure = nullptr;
};

[[gnu::noinline]] int note_task(void* context, int index, uint8_t* closure) {
  *static_cast<Call*>(context) = {bytes_off_a_line(__builtin_frame_address(0)), index, closure};
  return -8;
}

/// Makes the call from stacks that end at every place which C++ leaves them.
template <class Function>
void at_every_depth(int depth, const Function& call) {
  call();
  if (depth == 0) return;
  std::array<volatile char, 16> here{};  // 16 bytes further down each time, or a multiple
  here[0] = 1;
  at_every_depth(depth - 1, call);
  here[1] = here[0];
}

TEST(KernelCall, StartsKernelsOnACacheLine) {
  at_every_depth(8, [] {
    uintptr_t off = 64;
    void* arguments[] = {&off};
    EXPECT_EQ(call_kernel(note_kernel, arguments), 7);
    EXPECT_EQ(off, 0);
  });
}

TEST(KernelCall, StartsTasksOnACacheLineWithTheirArguments) {
  at_every_depth(8, [] {
    Call call;
    uint8_t closure = 0;
    EXPECT_EQ(call_task(note_task, &call, -5, &closure), -8);
    EXPECT_EQ(call.off, 0);
    EXPECT_EQ(call.index, -5);
    EXPECT_EQ(call.closure, &closure);
  });
}

}  // namespace
}  // namespace opbench

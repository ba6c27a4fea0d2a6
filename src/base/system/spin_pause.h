#pragma once

namespace opbench {

/// Tells the CPU that a loop waits for another thread.
inline void spin_pause() {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  asm volatile("yield");
#endif
}

}  // namespace opbench

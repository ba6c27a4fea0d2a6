#include "engines/protocol/engine_threads.h"

#include <sched.h>

#include <chrono>
#include <cstddef>
#include <ctime>
#include <thread>

namespace opbench {

void pin_calling_thread(int cpu) {
  if (cpu < 0 || cpu >= CPU_SETSIZE) return;
  cpu_set_t set;
  CPU_ZERO(&set);
  CPU_SET(static_cast<size_t>(cpu), &set);
  ::sched_setaffinity(0, sizeof(set), &set);
}

void let_workers_sleep() {
  constexpr std::chrono::milliseconds kStep{2};
  for (int i = 0; i < 100; ++i) {
    const std::clock_t before = std::clock();
    std::this_thread::sleep_for(kStep);
    if (std::clock() - before < CLOCKS_PER_SEC / 5000) return;
  }
}

}  // namespace opbench

#include "engines/runtime/teams/thread_pool.h"

#include <sched.h>

#include <limits>

namespace opbench {
namespace {

/// The step in which threads help until the end.
constexpr uint64_t kLastStep = std::numeric_limits<uint64_t>::max();

void pin_to(int cpu) {
  cpu_set_t set;
  CPU_ZERO(&set);
  CPU_SET(static_cast<size_t>(cpu), &set);
  sched_setaffinity(0, sizeof(set), &set);
}

}  // namespace

ThreadPool::ThreadPool(int threads, const std::vector<int>& cpus)
    : team_(static_cast<size_t>(threads)) {
  for (size_t i = 1; i < team_.members(); ++i) {
    const int cpu = i < cpus.size() ? cpus[i] : -1;
    helpers_.emplace_back([this, i, cpu] {
      if (cpu >= 0) pin_to(cpu);
      team_.help(i, kLastStep);
    });
  }
}

ThreadPool::~ThreadPool() {
  team_.dismiss(kLastStep);
  for (std::thread& helper : helpers_) helper.join();
}

}  // namespace opbench

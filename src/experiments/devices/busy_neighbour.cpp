#include "experiments/devices/busy_neighbour.h"

#include <sched.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstring>
#include <string>
#include <utility>

namespace opbench {
namespace {

constexpr size_t kBytes = size_t{64} << 20;

/// In the child: only what a process with one thread of many may do.
[[noreturn]] void keep_busy(int cpu, pid_t parent, volatile uint64_t* words) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(0);
  cpu_set_t set;
  CPU_ZERO(&set);
  CPU_SET(static_cast<size_t>(cpu), &set);
  if (sched_setaffinity(0, sizeof set, &set) != 0) _exit(1);
  while (true) {
    for (size_t i = 0; i < kBytes / sizeof(uint64_t); ++i) words[i] = words[i] + 1;
  }
}

}  // namespace

Result<BusyNeighbour> BusyNeighbour::start(int cpu) {
  const auto failed = [&](const std::string& what) {
    return Error{ErrorCode::kSystem, what + ": " + std::strerror(errno)};
  };
  cpu_set_t set;
  CPU_ZERO(&set);
  const bool fits = cpu >= 0 && cpu < CPU_SETSIZE && sched_getaffinity(0, sizeof set, &set) == 0 &&
                    CPU_ISSET(static_cast<size_t>(cpu), &set);
  if (!fits) {
    return Error{ErrorCode::kSystem,
                 "no neighbour can run on CPU " + std::to_string(cpu) + " of this process"};
  }
  void* memory = mmap(nullptr, kBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) return failed("no memory for a neighbour");
  const pid_t parent = getpid();
  const pid_t child = fork();
  if (child == 0) keep_busy(cpu, parent, static_cast<volatile uint64_t*>(memory));
  munmap(memory, kBytes);
  if (child < 0) return failed("no process for a neighbour");
  return BusyNeighbour(child);
}

BusyNeighbour::BusyNeighbour(BusyNeighbour&& other) noexcept
    : process_(std::exchange(other.process_, -1)) {}

void BusyNeighbour::resume() const { kill(process_, SIGCONT); }

void BusyNeighbour::pause() const { kill(process_, SIGSTOP); }

BusyNeighbour::~BusyNeighbour() {
  if (process_ < 0) return;
  kill(process_, SIGKILL);
  waitpid(process_, nullptr, 0);
}

}  // namespace opbench

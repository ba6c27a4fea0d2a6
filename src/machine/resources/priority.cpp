#include "machine/resources/priority.h"

#include <sched.h>
#include <sys/resource.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <system_error>

namespace opbench {
namespace {

constexpr int kHighestPriority = -20;

}  // namespace

bool raise_priority() {
  return ::setpriority(PRIO_PROCESS, 0, kHighestPriority) == 0;  // on Linux of the thread alone
}

bool raise_session() {
  std::error_code ignored;
  const std::filesystem::path file = "/proc/self/autogroup";
  if (!std::filesystem::exists(file, ignored)) return true;
  if (::getsid(0) != ::getpid()) return false;
  std::ofstream priority(file);
  priority << kHighestPriority << std::flush;
  return priority.good();
}

void take_turns_first() {
  sched_param lowest{};
  lowest.sched_priority = ::sched_get_priority_min(SCHED_RR);
  if (::sched_setscheduler(0, SCHED_RR | SCHED_RESET_ON_FORK, &lowest) != 0)
    static_cast<void>(raise_priority());
}

FirstTurns::FirstTurns()
    : policy_(::sched_getscheduler(0)), priority_(0), nice_(::getpriority(PRIO_PROCESS, 0)) {
  sched_param known{};
  if (::sched_getparam(0, &known) == 0) priority_ = known.sched_priority;
  take_turns_first();
}

FirstTurns::~FirstTurns() {
  sched_param known{};
  known.sched_priority = priority_;
  static_cast<void>(::sched_setscheduler(0, policy_, &known));
  static_cast<void>(::setpriority(PRIO_PROCESS, 0, nice_));
}

}  // namespace opbench

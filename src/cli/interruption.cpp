#include "opbench/cli/interruption.h"

#include <unistd.h>

#include <array>
#include <csignal>

namespace opbench {
namespace {

constexpr std::array kSignals = {SIGINT, SIGTERM};

/// A signal handler reaches only what is static.
std::atomic<bool>& interrupted() {
  static std::atomic<bool> flag = false;
  return flag;
}
static_assert(std::atomic<bool>::is_always_lock_free);

void note_signal(int) {
  constexpr int kInterruptedExit = 130;
  if (interrupted().exchange(true)) _exit(kInterruptedExit);
}

void handle(void (*handler)(int)) {
  struct sigaction action {};
  action.sa_handler = handler;
  action.sa_flags = SA_RESTART;
  for (const int signal : kSignals) sigaction(signal, &action, nullptr);
}

}  // namespace

Interruption::Interruption() {
  interrupted() = false;
  handle(note_signal);
}

Interruption::~Interruption() { handle(SIG_DFL); }

const std::atomic<bool>& Interruption::flag() const { return interrupted(); }

}  // namespace opbench

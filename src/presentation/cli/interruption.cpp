#include "presentation/cli/interruption.h"

#include <unistd.h>

#include <array>
#include <csignal>

#include "base/files/outside_wait.h"

namespace opbench {
namespace {

constexpr int kInterruptedExit = 130;
constexpr std::array kSignals = {SIGINT, SIGTERM, SIGHUP};

/// A signal handler reaches only what is static.
std::atomic<bool>& interruption_interrupted() {
  static std::atomic<bool> flag = false;
  return flag;
}
static_assert(std::atomic<bool>::is_always_lock_free);

void note_signal(int) {
  if (OutsideWait::is_any() || interruption_interrupted().exchange(true)) _exit(kInterruptedExit);
}

void end_at_once(int) { _exit(kInterruptedExit); }

/// What `nohup` starts shall outlive its terminal.
bool outlives_terminal() {
  static const bool kIsIgnored = [] {
    struct sigaction before {};
    return ::sigaction(SIGHUP, nullptr, &before) == 0 && before.sa_handler == SIG_IGN;
  }();
  return kIsIgnored;
}

void handle(void (*handler)(int)) {
  struct sigaction action {};
  action.sa_handler = handler;
  action.sa_flags = SA_RESTART;
  for (const int signal : kSignals) {
    if (signal == SIGHUP && outlives_terminal()) continue;
    sigaction(signal, &action, nullptr);
  }
}

}  // namespace

void end_when_interrupted() { handle(end_at_once); }

Interruption::Interruption() {
  interruption_interrupted() = false;
  handle(note_signal);
}

Interruption::~Interruption() { end(); }

void Interruption::end() const { end_when_interrupted(); }

const std::atomic<bool>& Interruption::flag() const { return interruption_interrupted(); }

}  // namespace opbench

#include "engines/runtime/step_watch.h"

#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <csignal>
#include <cstring>

namespace opbench {
namespace {

constexpr size_t kMostWorkers = 256;

// A signal handler has nothing but what is global.
std::array<std::atomic<const char*>, kMostWorkers> steps_at_work = {};  // NOLINT

void say(const char* text) {
  // What cannot be written is lost: the process ends.
  if (::write(STDERR_FILENO, text, std::strlen(text)) < 0) return;
}

/// Calls only what signal handlers may.
void tell_and_end(int signal) {
  for (const auto& step : steps_at_work) {
    const char* const text = step.load(std::memory_order_relaxed);
    if (text == nullptr) continue;
    say("at work: ");
    say(text);
    say("\n");
  }
  ::signal(signal, SIG_DFL);
  ::raise(signal);
}

}  // namespace

std::string watch_text(const Step& step) {
  return fmt::format("unit {}: {}", step.unit, step.workload);
}

void watch_step(size_t worker, const char* text) {
  if (worker < kMostWorkers) steps_at_work[worker].store(text, std::memory_order_relaxed);
}

void tell_steps_at_end() {
  for (const int signal : {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT, SIGTERM}) {
    ::signal(signal, tell_and_end);
  }
}

}  // namespace opbench

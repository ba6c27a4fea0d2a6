#include "machine/ceilings/line_time.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <limits>
#include <system_error>
#include <thread>

#include "machine/resources/pinning.h"

namespace opbench {
namespace {

using Clock = std::chrono::steady_clock;

constexpr int kSeries = 10;
constexpr int kTurns = 200;
constexpr std::chrono::milliseconds kLimit{20};

/// What the two threads share, on lines of their own.
struct Exchange {
  alignas(64) std::atomic<uint32_t> turn = 0;  ///< odd: the answer's
  alignas(64) std::atomic<bool> is_over = false;
};

void answer(Exchange& exchange, int cpu) {
  if (!pin_this_thread({cpu})) return;
  for (uint32_t asked = 1; !exchange.is_over.load(std::memory_order_relaxed);) {
    if (exchange.turn.load(std::memory_order_acquire) != asked) continue;
    exchange.turn.store(asked + 1, std::memory_order_release);
    asked += 2;
  }
}

/// False when there is no answer until `end`.
bool ask(Exchange& exchange, Clock::time_point end) {
  constexpr int kBetweenReadings = 1024;
  const uint32_t answered = exchange.turn.load(std::memory_order_relaxed) + 2;
  exchange.turn.store(answered - 1, std::memory_order_release);
  for (int spin = 1; exchange.turn.load(std::memory_order_acquire) != answered; ++spin) {
    if (spin % kBetweenReadings == 0 && Clock::now() > end) return false;
  }
  return true;
}

std::optional<double> fastest(Exchange& exchange, int cpu) {
  if (!pin_this_thread({cpu})) return std::nullopt;
  const Clock::time_point end = Clock::now() + kLimit;
  double least = std::numeric_limits<double>::infinity();
  for (int series = 0; series < kSeries; ++series) {
    const Clock::time_point begin = Clock::now();
    for (int turn = 0; turn < kTurns; ++turn) {
      if (!ask(exchange, end)) return std::nullopt;
    }
    const std::chrono::duration<double, std::nano> spent = Clock::now() - begin;
    least = std::min(least, spent.count() / (2 * kTurns));
  }
  return least;
}

}  // namespace

std::optional<double> line_time_ns(int first, int second) {
  Exchange exchange;
  std::optional<double> found;
  try {
    std::thread answering([&] { answer(exchange, second); });
    try {
      std::thread([&] { found = fastest(exchange, first); }).join();
    } catch (const std::system_error&) {
      found.reset();
    }
    exchange.is_over = true;
    answering.join();
  } catch (const std::system_error&) {
    return std::nullopt;
  }
  return found;
}

}  // namespace opbench

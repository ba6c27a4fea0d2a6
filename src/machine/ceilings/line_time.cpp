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

using LineTimeClock = std::chrono::steady_clock;

constexpr int kLineTimeSeries = 10;
constexpr int kLineTimeTurns = 200;
constexpr std::chrono::milliseconds kLimit{20};

/// What the two threads share, on lines of their own.
struct LineTimeExchange {
  alignas(64) std::atomic<uint32_t> turn = 0;  ///< odd: the answer's
  alignas(64) std::atomic<bool> is_over = false;
};

void line_time_answer(LineTimeExchange& exchange, int cpu) {
  if (!pin_this_thread({cpu})) return;
  for (uint32_t asked = 1; !exchange.is_over.load(std::memory_order_relaxed);) {
    if (exchange.turn.load(std::memory_order_acquire) != asked) continue;
    exchange.turn.store(asked + 1, std::memory_order_release);
    asked += 2;
  }
}

/// False when there is no answer until `end`.
bool ask(LineTimeExchange& exchange, LineTimeClock::time_point end) {
  constexpr int kBetweenReadings = 1024;
  const uint32_t answered = exchange.turn.load(std::memory_order_relaxed) + 2;
  exchange.turn.store(answered - 1, std::memory_order_release);
  for (int spin = 1; exchange.turn.load(std::memory_order_acquire) != answered; ++spin) {
    if (spin % kBetweenReadings == 0 && LineTimeClock::now() > end) return false;
  }
  return true;
}

std::optional<double> fastest(LineTimeExchange& exchange, int cpu) {
  if (!pin_this_thread({cpu})) return std::nullopt;
  const LineTimeClock::time_point end = LineTimeClock::now() + kLimit;
  double least = std::numeric_limits<double>::infinity();
  for (int series = 0; series < kLineTimeSeries; ++series) {
    const LineTimeClock::time_point begin = LineTimeClock::now();
    for (int turn = 0; turn < kLineTimeTurns; ++turn) {
      if (!ask(exchange, end)) return std::nullopt;
    }
    const std::chrono::duration<double, std::nano> spent = LineTimeClock::now() - begin;
    least = std::min(least, spent.count() / (2 * kLineTimeTurns));
  }
  return least;
}

}  // namespace

std::optional<double> line_time_ns(int first, int second) {
  LineTimeExchange exchange;
  std::optional<double> found;
  try {
    std::thread answering([&] { line_time_answer(exchange, second); });
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

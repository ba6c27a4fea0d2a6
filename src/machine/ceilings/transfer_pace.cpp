#include "machine/ceilings/transfer_pace.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <limits>
#include <new>
#include <system_error>
#include <thread>

#include "machine/ceilings/ceiling_kernels.h"
#include "machine/ceilings/huge_pages.h"
#include "machine/resources/pinning.h"

namespace opbench {
namespace {

using TransferPaceClock = std::chrono::steady_clock;

constexpr int kTransferPaceSeries = 10;
constexpr int kTransferPaceTurns = 20;  // of each thread in a series
constexpr size_t kTransferPaceBytes = size_t{256} << 10;
constexpr size_t kTransferPaceFloats = kTransferPaceBytes / sizeof(float);
constexpr size_t kTransferPaceApart =
    kTransferPaceBytes + 1088;  // arrays at equal offsets in pages would wait for stores

/// Two arrays, and whose turn it is to read the one and write the other.
class TransferPaceExchange {
 public:
  TransferPaceExchange() : pages_(2 * kTransferPaceApart) {}

  /// Reads what the other thread wrote: the second array where `is_second`, which writes the first.
  void take_turn(bool is_second) {
    float* const own = array(is_second ? 1 : 0);
    const float* const others = array(is_second ? 0 : 1);
    run_triads(isa_, own, others, others, kTransferPaceFloats, 1);
  }

  /// Waits for the other thread's turn to end; false when it does not until `end`.
  bool wait_for(uint32_t turn, TransferPaceClock::time_point end) const {
    constexpr int kBetweenReadings = 1024;
    for (int spin = 1; turn_.load(std::memory_order_acquire) != turn; ++spin) {
      if (is_over_.load(std::memory_order_relaxed)) return false;
      if (spin % kBetweenReadings == 0 && TransferPaceClock::now() > end) return false;
    }
    return true;
  }

  void give(uint32_t turn) { turn_.store(turn, std::memory_order_release); }
  void finish() { is_over_ = true; }

 private:
  float* array(int number) {
    return reinterpret_cast<float*>(pages_.start() +
                                    static_cast<size_t>(number) * kTransferPaceApart);
  }

  HugePages pages_;
  KernelIsa isa_ = widest_isa();
  alignas(64) std::atomic<uint32_t> turn_ = 0;  ///< odd: the second thread's
  alignas(64) std::atomic<bool> is_over_ = false;
};

constexpr uint32_t kAllTurns = 2 * kTransferPaceSeries * kTransferPaceTurns;

void transfer_pace_answer(TransferPaceExchange& exchange, int cpu,
                          TransferPaceClock::time_point end) {
  if (!pin_this_thread({cpu})) return;
  for (uint32_t turn = 1; turn < kAllTurns; turn += 2) {
    if (!exchange.wait_for(turn, end)) return;
    exchange.take_turn(true);
    exchange.give(turn + 1);
  }
}

/// Nanoseconds of a turn, the fastest of the series, both threads taking turns.
std::optional<double> shared_turn_ns(TransferPaceExchange& exchange,
                                     TransferPaceClock::time_point end) {
  double least = std::numeric_limits<double>::infinity();
  uint32_t turn = 0;
  for (int series = 0; series < kTransferPaceSeries; ++series) {
    const TransferPaceClock::time_point begin = TransferPaceClock::now();
    for (int i = 0; i < kTransferPaceTurns; ++i, turn += 2) {
      exchange.take_turn(false);
      exchange.give(turn + 1);
      if (!exchange.wait_for(turn + 2, end)) return std::nullopt;
    }
    const std::chrono::duration<double, std::nano> spent = TransferPaceClock::now() - begin;
    least = std::min(least, spent.count() / (2 * kTransferPaceTurns));
  }
  return least;
}

/// The same, one thread taking both turns.
double own_turn_ns(TransferPaceExchange& exchange) {
  double least = std::numeric_limits<double>::infinity();
  for (int series = 0; series < kTransferPaceSeries; ++series) {
    const TransferPaceClock::time_point begin = TransferPaceClock::now();
    for (int i = 0; i < kTransferPaceTurns; ++i) {
      exchange.take_turn(false);
      exchange.take_turn(true);
    }
    const std::chrono::duration<double, std::nano> spent = TransferPaceClock::now() - begin;
    least = std::min(least, spent.count() / (2 * kTransferPaceTurns));
  }
  return least;
}

std::optional<double> pace(TransferPaceExchange& exchange, int cpu,
                           TransferPaceClock::time_point end) {
  if (!pin_this_thread({cpu})) return std::nullopt;
  const std::optional<double> shared = shared_turn_ns(exchange, end);
  if (!shared) return std::nullopt;
  return std::max(0.0, *shared - own_turn_ns(exchange)) / static_cast<double>(kTransferPaceBytes);
}

}  // namespace

std::optional<double> transfer_ns_per_byte(int first, int second, std::chrono::milliseconds limit) {
  std::optional<double> found;
  try {
    TransferPaceExchange exchange;
    const TransferPaceClock::time_point end = TransferPaceClock::now() + limit;
    std::thread answering([&] { transfer_pace_answer(exchange, second, end); });
    try {
      std::thread([&] { found = pace(exchange, first, end); }).join();
    } catch (const std::system_error&) {
      found.reset();
    }
    exchange.finish();
    answering.join();
  } catch (const std::system_error&) {
    return std::nullopt;
  } catch (const std::bad_alloc&) {
    return std::nullopt;
  }
  return found;
}

}  // namespace opbench

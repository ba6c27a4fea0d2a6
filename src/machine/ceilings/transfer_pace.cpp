#include "machine/ceilings/transfer_pace.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <new>
#include <system_error>
#include <thread>
#include <utility>

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

/// Nanoseconds of a turn in each series, both threads taking turns; none when they are not ready in
/// time.
std::vector<double> shared_turns_ns(TransferPaceExchange& exchange,
                                    TransferPaceClock::time_point end) {
  std::vector<double> found;
  uint32_t turn = 0;
  for (int series = 0; series < kTransferPaceSeries; ++series) {
    const TransferPaceClock::time_point begin = TransferPaceClock::now();
    for (int i = 0; i < kTransferPaceTurns; ++i, turn += 2) {
      exchange.take_turn(false);
      exchange.give(turn + 1);
      if (!exchange.wait_for(turn + 2, end)) return {};
    }
    const std::chrono::duration<double, std::nano> spent = TransferPaceClock::now() - begin;
    found.push_back(spent.count() / (2 * kTransferPaceTurns));
  }
  return found;
}

/// The same, one thread taking both turns.
std::vector<double> own_turns_ns(TransferPaceExchange& exchange) {
  std::vector<double> found;
  for (int series = 0; series < kTransferPaceSeries; ++series) {
    const TransferPaceClock::time_point begin = TransferPaceClock::now();
    for (int i = 0; i < kTransferPaceTurns; ++i) {
      exchange.take_turn(false);
      exchange.take_turn(true);
    }
    const std::chrono::duration<double, std::nano> spent = TransferPaceClock::now() - begin;
    found.push_back(spent.count() / (2 * kTransferPaceTurns));
  }
  return found;
}

TransferPace transfer_pace_try(TransferPaceExchange& exchange, int cpu,
                               TransferPaceClock::time_point end) {
  if (!pin_this_thread({cpu})) return {{}, "no thread can run on CPU " + std::to_string(cpu)};
  std::vector<double> shared = shared_turns_ns(exchange, end);
  if (shared.empty()) return {{}, "two threads did not get their turns: other work has the CPUs"};
  return transfer_pace_of(std::move(shared), own_turns_ns(exchange), kTransferPaceBytes);
}

/// The fastest, and how far the fastest quarter lies apart.
struct FastestTurn {
  double ns = 0;
  double spread_ns = 0;
};

FastestTurn fastest_turn(std::vector<double> turns_ns) {
  if (turns_ns.empty()) return {};
  std::ranges::sort(turns_ns);
  const size_t quarter = (turns_ns.size() + 3) / 4;
  return {turns_ns.front(), turns_ns[std::min(quarter, turns_ns.size() - 1)] - turns_ns.front()};
}

TransferPace measured_once(int first, int second, std::chrono::milliseconds limit) {
  TransferPace found{{}, "no thread could be started"};
  try {
    TransferPaceExchange exchange;
    const TransferPaceClock::time_point end = TransferPaceClock::now() + limit;
    std::thread answering([&] { transfer_pace_answer(exchange, second, end); });
    try {
      std::thread([&] { found = transfer_pace_try(exchange, first, end); }).join();
    } catch (const std::system_error&) {
      found.ns_per_byte.reset();
    }
    exchange.finish();
    answering.join();
  } catch (const std::system_error&) {
    return {{}, "no thread could be started"};
  } catch (const std::bad_alloc&) {
    return {{}, "no memory for 256 KiB twice"};
  }
  return found;
}

}  // namespace

TransferPace transfer_pace_of(std::vector<double> shared_ns, std::vector<double> own_ns,
                              size_t bytes) {
  const FastestTurn shared = fastest_turn(std::move(shared_ns));
  const FastestTurn own = fastest_turn(std::move(own_ns));
  const double more_ns = shared.ns - own.ns;
  const double spread_ns = shared.spread_ns + own.spread_ns;
  if (more_ns > spread_ns) return {more_ns / static_cast<double>(bytes), ""};
  constexpr double kUs = 1e-3;
  return {{},
          fmt::format("it cannot be told from 0: {} KiB took {:.2f} µs between two CPUs, {:.2f} µs "
                      "on one, ± {:.2f} µs",
                      bytes >> 10, shared.ns * kUs, own.ns * kUs, spread_ns * kUs)};
}

TransferPace measured_transfer_pace(int first, int second, std::chrono::milliseconds limit) {
  constexpr int kTries = 4;
  TransferPace found;
  for (int i = 0; i < kTries && !found.ns_per_byte; ++i) {
    found = measured_once(first, second, limit);
  }
  return found;
}

std::optional<BandwidthCeiling> last_cache_of(const Ceilings& ceilings) {
  std::optional<BandwidthCeiling> last;
  for (const BandwidthCeiling& level : ceilings.bandwidth) {
    const bool is_cache = level.level != "DRAM";
    if (level.one_thread > 0 && (is_cache || !last)) last = level;
  }
  return last;
}

}  // namespace opbench

#include "machine/ceilings/reread_pace.h"

#include <algorithm>
#include <chrono>
#include <limits>
#include <new>
#include <system_error>
#include <thread>

#include "machine/ceilings/ceiling_kernels.h"
#include "machine/ceilings/huge_pages.h"
#include "machine/resources/pinning.h"

namespace opbench {
namespace {

using RereadPaceClock = std::chrono::steady_clock;

constexpr int kRereadPaceSeries = 10;
constexpr size_t kRereadPaceBytes = kRereadBytes;
constexpr size_t kBlocks = 16;  // 4 MiB: more than the caches of one core hold

/// Nanoseconds to read a block, the fastest series of `blocks` in turns, each once a series.
double block_ns(const HugePages& pages, size_t blocks) {
  const KernelIsa isa = widest_isa();
  double least = std::numeric_limits<double>::infinity();
  for (int series = 0; series < kRereadPaceSeries; ++series) {
    const RereadPaceClock::time_point begin = RereadPaceClock::now();
    for (size_t i = 0; i < kBlocks; ++i) {
      run_reads(isa, pages.start() + (i % blocks) * kRereadPaceBytes, kRereadPaceBytes, 1);
    }
    const std::chrono::duration<double, std::nano> spent = RereadPaceClock::now() - begin;
    least = std::min(least, spent.count() / static_cast<double>(kBlocks));
  }
  return least;
}

}  // namespace

std::optional<double> reread_ns_per_byte(int cpu) {
  std::optional<double> found;
  try {
    const HugePages pages(kBlocks * kRereadPaceBytes);
    std::thread([&] {
      if (!pin_this_thread({cpu})) return;
      const double far_ns = block_ns(pages, kBlocks);
      found = std::max(0.0, far_ns - block_ns(pages, 1)) / static_cast<double>(kRereadPaceBytes);
    }).join();
  } catch (const std::system_error&) {
    return std::nullopt;
  } catch (const std::bad_alloc&) {
    return std::nullopt;
  }
  return found;
}

}  // namespace opbench

#include "machine/ceilings/triad.h"

#include <algorithm>
#include <cmath>
#include <memory>

#include "machine/ceilings/bursts.h"
#include "machine/ceilings/ceiling_kernels.h"
#include "machine/ceilings/huge_pages.h"

namespace opbench {
namespace {

constexpr size_t kHugePage = size_t{2} << 20;
constexpr int64_t kTriadFloats = 64;  // of a step
constexpr int64_t kArrays = 3;
constexpr int64_t kUnit = kArrays * kTriadFloats * static_cast<int64_t>(sizeof(float));

int64_t rounded(int64_t bytes) { return std::max<int64_t>(bytes / kUnit, 1) * kUnit; }

/// The first place in the pages where a huge page begins: one huge page is one piece of physical
/// memory, which fills a cache evenly.
std::byte* first_huge_page(HugePages& pages) {
  const auto start = reinterpret_cast<uintptr_t>(pages.start());
  return pages.start() + (kHugePage - start % kHugePage) % kHugePage;
}

BurstWork triads(int64_t bytes) {
  // Arrays at equal offsets in their pages would make each load wait for an earlier store.
  constexpr size_t kApart = 1088;
  const KernelIsa isa = widest_isa();
  const auto array = static_cast<size_t>(bytes / kArrays);
  const size_t room = static_cast<size_t>(bytes) + kArrays * kApart + 2 * kHugePage;
  const auto pages = std::make_shared<HugePages>(room);
  std::byte* const start = first_huge_page(*pages);
  const auto at = [&](size_t number) {
    return reinterpret_cast<float*>(start + number * (array + kApart));
  };
  // The work keeps the pages alive.
  return {.run = [=, held = pages, a = at(0), b = at(1), c = at(2)](
                     int64_t runs) { run_triads(isa, a, b, c, array / sizeof(float), runs); },
          .amount = static_cast<double>(bytes)};
}

}  // namespace

Result<TriadPoint> measure_triad(int cpu, int64_t bytes, double seconds) {
  const int64_t used = rounded(bytes);
  OPBENCH_TRY(const double rate, best_rate({cpu}, seconds, [used] { return triads(used); }));
  constexpr double kGiga = 1e9;
  return TriadPoint{used, rate / kGiga};
}

std::vector<int64_t> working_sets(int64_t first, int64_t last, int per_octave) {
  std::vector<int64_t> sets;
  const double step = std::exp2(1.0 / per_octave);
  for (double bytes = static_cast<double>(first); bytes <= static_cast<double>(last) * 1.001;
       bytes *= step) {
    const int64_t next = rounded(std::llround(bytes));
    if (sets.empty() || next != sets.back()) sets.push_back(next);
  }
  return sets;
}

}  // namespace opbench

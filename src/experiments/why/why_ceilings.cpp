#include "experiments/why/why_ceilings.h"

#include <algorithm>
#include <array>

#include "base/numbers/hash.h"
#include "machine/ceilings/ceiling_kernels.h"
#include "machine/ceilings/isa_ceilings.h"
#include "machine/target/cpu_features.h"

namespace opbench {
namespace {

bool hides_caches(const Topology& topology) {
  return std::ranges::none_of(topology.caches,
                              [](const Cache& cache) { return !cache.instruction; });
}

Topology with_assumed_caches(Topology topology) {
  constexpr std::array<int64_t, 3> kBytes = {32 << 10, 512 << 10, 16 << 20};
  for (const Core& core : topology.cores) {
    for (size_t level = 0; level < kBytes.size(); ++level) {
      topology.caches.push_back(
          {.level = static_cast<int>(level) + 1, .bytes = kBytes[level], .cpus = core.cpus});
    }
  }
  return topology;
}

int bits_of(KernelIsa isa) {
  if (isa == KernelIsa::kAvx512) return 512;
  return isa == KernelIsa::kAvx2 ? 256 : 128;
}

int machine_bits() {
  const std::set<std::string> flags = uncapped_cpu_flags();
  if (flags.contains("avx512f")) return 512;
  return flags.contains("avx2") ? 256 : 128;
}

KernelIsa isa_of(int bits) {
  if (bits >= 512) return KernelIsa::kAvx512;
  return bits >= 256 ? KernelIsa::kAvx2 : KernelIsa::kPortable;
}

}  // namespace

Result<WhyCeilings> why_ceilings(const std::vector<int>& cpus, const Topology& topology,
                                 const std::string& machine_hash,
                                 const std::filesystem::path& folder) {
  WhyCeilings known;
  known.vector_bits = machine_bits();
  known.measured_bits = bits_of(widest_isa());
  if (!hides_caches(topology)) {
    OPBENCH_TRY(known.ceilings, ceilings(cpus, topology, machine_hash, folder));
    return known;
  }
  // A hash of its own: the file's name has only the first digits of it.
  OPBENCH_TRY(known.ceilings, ceilings(cpus, with_assumed_caches(topology),
                                       sha256("assumed caches " + machine_hash), folder));
  known.remark =
      "this machine hides its caches: bandwidths were measured over working sets that fit caches "
      "of 32 KiB (L1), 512 KiB (L2) and 16 MiB (L3), which are assumed";
  return known;
}

double narrow_peak_ratio(int bits, const WhyCeilings& known, const std::vector<int>& cpus) {
  if (bits <= 0 || bits >= known.vector_bits) return 1;
  const auto by_bits = static_cast<double>(bits) / known.vector_bits;
  const auto wide = remeasure_peak_of(isa_of(known.vector_bits), cpus);
  const auto narrow = remeasure_peak_of(isa_of(bits), cpus);
  return wide && narrow ? std::min(*narrow / *wide, 1.0) : by_bits;
}

}  // namespace opbench

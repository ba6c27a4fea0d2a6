#include "experiments/predict/configured_ceilings.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "base/files/file.h"
#include "machine/ceilings/isa_ceilings.h"
#include "machine/ceilings/memory_neighbour.h"
#include "machine/facts/environment.h"
#include "machine/resources/cpu_choice.h"
#include "machine/resources/pinning.h"

namespace opbench {
namespace {

KernelIsa loops_of(VectorIsa isa) {
  if (isa == VectorIsa::kAvx512) return KernelIsa::kAvx512;
  return isa == VectorIsa::kAvx2 ? KernelIsa::kAvx2 : KernelIsa::kPortable;
}

std::filesystem::path file_of(const Configuration& configuration, const std::string& hash,
                              const std::filesystem::path& folder) {
  constexpr size_t kDigits = 16;
  return folder / fmt::format("ceilings-{}-{}-{}{}.json", hash.substr(0, kDigits),
                              configuration.threads, name_of(configuration.isa),
                              configuration.has_memory_neighbour ? "-memory" : "");
}

/// The better value of both; whether one of them grew by more than kGrowth.
bool raise(double& kept, double value) {
  constexpr double kGrowth = 1.02;
  const bool has_grown = value > kGrowth * kept;
  kept = std::max(kept, value);
  return has_grown;
}

/// Repeated until nothing grows any more: other work keeps two threads from running at the same
/// time for longer than one measurement takes.
Result<Ceilings> settled(KernelIsa isa, const std::vector<int>& cpus, const Topology& topology) {
  constexpr int kMost = 8;
  OPBENCH_TRY(Ceilings best, measure_ceilings_of(isa, cpus, topology));
  for (int i = 1; i < kMost; ++i) {
    OPBENCH_TRY(const Ceilings again, measure_ceilings_of(isa, cpus, topology));
    bool has_grown = raise(best.peak_one_thread, again.peak_one_thread);
    has_grown |= raise(best.peak_all_threads, again.peak_all_threads);
    for (size_t level = 0; level < best.bandwidth.size(); ++level) {
      BandwidthCeiling& kept = best.bandwidth[level];
      has_grown |= raise(kept.one_thread, again.bandwidth[level].one_thread);
      has_grown |= raise(kept.all_threads, again.bandwidth[level].all_threads);
      // One of the threads could do it alone.
      kept.all_threads = std::max(kept.all_threads, kept.one_thread);
    }
    if (!has_grown) break;
  }
  return best;
}

}  // namespace

Result<std::vector<int>> cpus_of(const Configuration& configuration) {
  OPBENCH_TRY(const Topology topology, this_topology());
  const int wanted = configuration.threads + (configuration.has_memory_neighbour ? 1 : 0);
  auto cpus = choose_cpus(topology, wanted, current_affinity());
  if (!cpus && configuration.has_memory_neighbour) {
    return Error(cpus.error()).with("reason", "a neighbour has a CPU of its own");
  }
  return cpus;
}

Result<Ceilings> configured_ceilings(const Configuration& configuration,
                                     const std::filesystem::path& folder) {
  OPBENCH_TRY(const Topology topology, this_topology());
  OPBENCH_TRY(std::vector<int> cpus, cpus_of(configuration));
  const int last = cpus.back();
  cpus.resize(static_cast<size_t>(configuration.threads));
  const std::string hash = capture_environment().machine_hash;
  const std::filesystem::path path = file_of(configuration, hash, folder);
  if (const auto text = read_file(path)) {
    auto kept = parse_ceilings(*text);
    if (kept && kept->cpus == cpus) return kept;
  }
  if (loops_of(configuration.isa) > widest_isa()) {
    return Error{ErrorCode::kInvalidInput,
                 fmt::format("this machine does not run {}", name_of(configuration.isa))};
  }
  std::unique_ptr<MemoryNeighbour> neighbour;
  if (configuration.has_memory_neighbour) {
    OPBENCH_TRY(neighbour, MemoryNeighbour::start(last));
  }
  OPBENCH_TRY(const Ceilings measured, settled(loops_of(configuration.isa), cpus, topology));
  std::error_code ignored;
  std::filesystem::create_directories(folder, ignored);
  static_cast<void>(write_file(path, to_text(measured) + "\n"));  // else measured again next time
  return measured;
}

}  // namespace opbench

#include "experiments/devices/transfer_cost.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/errors/suggestion.h"
#include "base/files/file.h"
#include "base/system/seconds.h"
#include "machine/ceilings/ceilings.h"
#include "machine/ceilings/line_time.h"
#include "machine/ceilings/transfer_pace.h"
#include "machine/facts/environment.h"

namespace opbench {
namespace {

/// Nanoseconds between the first CPUs of the two that lie farthest apart; 0: no two, or not known.
double longest_line_ns(const std::vector<int>& firsts) {
  double longest = 0;
  for (size_t i = 0; i < firsts.size(); ++i) {
    for (size_t j = i + 1; j < firsts.size(); ++j) {
      if (firsts[i] == firsts[j]) continue;
      longest = std::max(longest, line_time_ns(firsts[i], firsts[j]).value_or(0));
    }
  }
  return longest;
}

Result<Ceilings> ceilings_of(int cpu) {
  OPBENCH_TRY(const Topology topology, this_topology());
  const std::string machine = capture_environment().machine_hash;
  return ceilings({cpu}, topology, machine, cache_folder());
}

}  // namespace

Result<TransferCost> transfer_cost(const std::vector<DeviceChoice>& devices) {
  TransferCost cost;
  std::vector<std::string> sources;
  std::vector<int> firsts;
  for (const DeviceChoice& device : devices) {
    if (!device.is_table()) firsts.push_back(device.cpus.front());
  }
  if (!firsts.empty()) {
    const double line_ns = longest_line_ns(firsts);
    OPBENCH_TRY(const Ceilings found, ceilings_of(firsts.front()));
    const std::optional<BandwidthCeiling> cache = last_cache_of(found);
    cost.latency_ms = ns_to_ms(2 * line_ns);
    if (cache) cost.ms_per_byte = ns_to_ms(1) / cache->one_thread;  // GB/s: bytes a ns
    const bool has_two = std::ranges::count(firsts, firsts.front()) < std::ssize(firsts);
    if (has_two && line_ns == 0) sources.push_back("a line's way could not be timed");
    if (line_ns > 0) sources.push_back(fmt::format("a line there and back {:.0f} ns", 2 * line_ns));
    sources.push_back(cache ? fmt::format("{} at {:.1f} GB/s", cache->level, cache->one_thread)
                            : "bytes are free: no cache's pace is known");
  }
  for (const DeviceChoice& device : devices) {
    const auto& latency = device.table.transfer_latency_ms;
    const auto& pace = device.table.transfer_gbytes_per_s;
    if (latency) cost.latency_ms = std::max(cost.latency_ms, *latency);
    if (pace) cost.ms_per_byte = std::max(cost.ms_per_byte, ns_to_ms(1) / *pace);
    if (latency || pace) sources.push_back("declared by " + device.name);
  }
  cost.source = sources.empty() ? "free: no table declares it" : join(sources, "; ");
  return cost;
}

}  // namespace opbench

#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "base/numbers/random.h"
#include "prediction/serve/group_methods.h"

namespace opbench {

/// A made-up machine: memory moves `kPeak` bytes a ms, of which a part that needs all alone gets a
/// share; working sets that do not fit the last cache together cost more memory traffic.
struct SyntheticMachine {
  static constexpr double kPeak = 20e6;
  static constexpr double kCache = 32e6;

  static double slow_down(const GroupPart& own, std::span<const GroupPart> others) {
    double demand = own.bytes / own.solo_ms, resident = own.resident_bytes;
    for (const GroupPart& other : others) {
      demand += other.bytes / other.solo_ms;
      resident += other.resident_bytes;
    }
    const double bound = std::min(1.0, own.bytes / own.solo_ms / (0.6 * kPeak));
    const double memory = std::max(0.0, demand / kPeak - 0.8);
    const double cache = std::max(0.0, std::min(1.0, resident / kCache - 1));
    return 1 + bound * (0.7 * memory + 0.35 * cache);
  }

  /// Half of the parts are bound by memory.
  static GroupPart part(Random& random) {
    GroupPart part{.solo_ms = 0.2 + 2 * random.uniform()};
    const bool is_memory_bound = random.below(2) == 0;
    const double share = is_memory_bound ? 0.4 + 0.5 * random.uniform() : 0.1 * random.uniform();
    part.bytes = part.memory_bytes = share * kPeak * part.solo_ms;
    part.flops = (is_memory_bound ? 5e6 : 8e7) * (0.5 + random.uniform()) * part.solo_ms;
    part.resident_bytes = 1e6 + 30e6 * random.uniform() * (is_memory_bound ? 1 : 0.3);
    return part;
  }

  /// Groups of parts out of `pool`, measured with this relative noise.
  static std::vector<GroupSample> groups(const std::vector<GroupPart>& pool, size_t count,
                                         size_t size, double noise, uint64_t seed) {
    Random random(seed, "groups");
    std::vector<GroupSample> samples;
    while (samples.size() < count) {
      GroupSample sample{.parts = {}, .ends_ms = {}, .error = noise};
      for (size_t i = 0; i < size; ++i) {
        sample.segments.push_back(random.below(pool.size()));
        sample.parts.push_back(pool[sample.segments.back()]);
      }
      sample.ends_ms = ends_of_group(sample.parts, slow_down);
      for (double& ms : sample.ends_ms) ms *= std::exp(noise * double{random.normal()});
      samples.push_back(std::move(sample));
    }
    return samples;
  }

  static std::vector<GroupPart> pool(size_t count, uint64_t seed) {
    Random random(seed, "pool");
    std::vector<GroupPart> parts;
    while (parts.size() < count) parts.push_back(part(random));
    return parts;
  }
};

}  // namespace opbench

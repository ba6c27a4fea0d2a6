#pragma once

#include <vector>

#include "machine/facts/topology.h"
#include "prediction/interference/interference_result.h"

namespace opbench {

/// Working sets and duties that press on what two CPUs may share, from little to much: a quarter
/// and a half of the last cache that both see, then memory (four times that cache, at most 256
/// MiB). One of them is the reference probe's: half of the cache, always busy, which feels both a
/// full cache and busy memory.
std::vector<InterferenceLevel> neighbour_levels(const Topology& topology, int cpu);

/// `16 MiB`, `16 MiB at 50 %`
std::string level_name(int64_t bytes, double duty);

}  // namespace opbench

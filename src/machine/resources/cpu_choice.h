#pragma once

#include <vector>

#include "base/errors/error.h"
#include "machine/facts/topology.h"

namespace opbench {

/// The CPUs that `threads` threads are pinned to, one each, best first: one CPU of every physical
/// core before any SMT sibling, faster kinds of cores before slower ones, and within these one
/// NUMA node before the next, beginning with the first node (else package) that has a core for
/// every thread. Only CPUs in `allowed` are taken (a `--cpus` list or current_affinity()).
/// `kInvalidInput`: no threads, more threads than CPUs, `allowed` names a CPU that does not exist.
Result<std::vector<int>> choose_cpus(const Topology& topology, int threads,
                                     const std::vector<int>& allowed);

}  // namespace opbench

#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/errors/error.h"

namespace opbench {

/// One physical core. CPUs (hwloc: processing units) carry the operating system's numbers.
struct Core {
  int package = 0;
  int numa_node = 0;
  int efficiency = 0;     ///< rank of its kind: higher is faster; 0 where all are alike
  std::string kind;       ///< hwloc's word, `IntelCore`; empty where all are alike
  std::vector<int> cpus;  ///< SMT siblings, in hwloc's order
  bool operator==(const Core&) const = default;
};

struct Cache {
  int level = 1;
  bool instruction = false;
  int64_t bytes = 0;
  int line_bytes = 0;
  int ways = 0;           ///< 0: unknown; -1: fully associative
  std::vector<int> cpus;  ///< those that share it
  bool operator==(const Cache&) const = default;
};

struct NumaNode {
  int number = 0;
  int64_t bytes = 0;
  std::vector<int> cpus;
  std::vector<uint64_t> distances;  ///< to every node, as the firmware says; empty: unknown
  bool operator==(const NumaNode&) const = default;
};

/// The CPUs of a machine and what they share.
struct Topology {
  int packages = 1;
  std::vector<Core> cores;  ///< in hwloc's logical order: neighbours share most
  std::vector<Cache> caches;
  std::vector<NumaNode> numa_nodes;

  /// Every CPU's number, ascending.
  std::vector<int> cpus() const;
  /// Bytes of the data cache of this level seen by `cpu`; 0 if there is none.
  int64_t cache_bytes(int level, int cpu) const;
  /// Whether two CPUs share a data cache, as the operating system has it.
  bool share_cache(int first, int second) const;
};

/// This machine, as far as the process may see it. `kSystem` when hwloc cannot read it.
Result<Topology> this_topology();

/// From the text of an hwloc XML file. `kInvalidInput` if it is none; `what` names it in errors.
Result<Topology> read_topology(const std::string& xml, std::string_view what);

}  // namespace opbench

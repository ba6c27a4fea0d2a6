#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "machine/facts/topology.h"
#include "measuring/sampling/noise.h"

namespace opbench {

/// Watches, while something is measured with several threads, whether their CPUs lie as near to
/// each other as the topology says. A virtual machine's may not: its host moves them, for seconds
/// at a time, onto cores that share no cache, and then threads that read what others have written
/// take longer, up to twice as long in our kernels.
class LineWatch {
 public:
  /// As line_time_ns.
  using Look = std::function<std::optional<double>(int first, int second)>;

  /// Of `cpus`, those that share a cache with the first are watched.
  LineWatch(const Topology& topology, const std::vector<int>& cpus, Look look);

  /// Looks at one pair, the next every time; does nothing within 0.25 s of the last look.
  void look(Seconds now);

  /// One line, or empty: unless at least two looks, and one in twenty, took longer than 100 ns.
  std::string warning() const;

 private:
  std::vector<int> cpus_;  ///< the first, then those near to it
  Look look_;
  std::optional<Seconds> last_;
  size_t count_ = 0;
  std::vector<double> near_ns_, far_ns_;
};

}  // namespace opbench

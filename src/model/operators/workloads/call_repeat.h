#pragma once

#include <cstdint>
#include <vector>

namespace opbench {

/// How a kernel that is called several times computes a workload, as one time step of a recurrent
/// layer a call. Positions count the kernel's arguments: the workload's inputs, then its outputs.
struct CallRepeat {
  /// From the second call on, argument `to` lies where the call before wrote result `from`.
  struct Feed {
    int from = 0;
    int to = 0;
    bool operator==(const Feed&) const = default;
  };

  int64_t count = 1;
  bool is_backward = false;  ///< the first call sees the last part
  std::vector<int> moving;   ///< cut along the outermost dimension: call i sees part i of `count`
  std::vector<Feed> feeds;   ///< a result that does not move is thereby changed in place
  bool operator==(const CallRepeat&) const = default;
};

}  // namespace opbench

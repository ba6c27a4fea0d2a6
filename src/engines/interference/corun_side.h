#pragma once

#include <functional>

namespace opbench {

/// What one side of a co-run repeats.
struct CorunSide {
  std::function<int()> call;  ///< returns 0, or a kernel's error code, at which the co-run ends
};

}  // namespace opbench

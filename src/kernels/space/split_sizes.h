#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "base/errors/error.h"

namespace opbench {

/// Size lists of a split, outermost first; the first is -1 under every policy but `candidate`.
using SplitSizes = std::vector<int64_t>;

struct SplitOptions {
  std::string policy = "factors";  ///< factors, power2, verbose, candidate
  int num_outputs = 2;             ///< at least 2
  int64_t max_factor = std::numeric_limits<int32_t>::max();
  std::optional<bool> no_tail = {};  ///< else as the policy has it
  std::function<bool(const SplitSizes&)> filter = {};
  std::vector<SplitSizes> candidates = {};  ///< of policy `candidate`
};

/// The size lists of a split in AutoTVM's order (docs/reference/config-spaces.md, "Splits"):
/// size[1] varies fastest. `kInvalidInput` for fewer than two parts, an unknown policy, an axis
/// outside 1 to 2^31 - 1, a candidate of another length, and for more than 2^20 lists.
Result<std::vector<SplitSizes>> split_sizes(int64_t length, const SplitOptions& options);

}  // namespace opbench

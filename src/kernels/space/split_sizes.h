#pragma once

#include <cstdint>
#include <vector>

#include "base/errors/error.h"
#include "kernels/space/space_builder.h"

namespace opbench {

/// The size lists of a split in AutoTVM's order (docs/reference/config-spaces.md, "Splits"):
/// size[1] varies fastest. `kInvalidInput` for fewer than two parts, an unknown policy, an axis
/// outside 1 to 2^31 - 1, a candidate of another length, and for more than 2^20 lists.
Result<std::vector<SplitSizes>> split_sizes(int64_t length, const SplitOptions& options);

}  // namespace opbench

#pragma once

#include <cstdint>

namespace opbench {

/// bytes_to_read takes one of so many parts of a cache: a half; of L3 an eighth, as virtual
/// machines share it with strangers.
constexpr int64_t parts_of_cache(bool is_l3) { return is_l3 ? 8 : 2; }

}  // namespace opbench

#pragma once

#include <cstdint>

namespace opbench {

/// An extent as Halide takes it.
inline int narrow(int64_t value) { return static_cast<int>(value); }

}  // namespace opbench

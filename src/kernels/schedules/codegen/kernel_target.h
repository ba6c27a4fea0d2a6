#pragma once

#include "machine/target/target.h"

namespace Halide {
struct Target;
}

namespace opbench {

/// What Halide compiles for: no runtime, no asserts, a user context. `keeps_loops`: LLVM leaves
/// loops as they are. `has_dot_products`: products of 8-bit integers in one instruction.
Halide::Target halide_target(const Target& target, bool keeps_loops, bool has_dot_products);

}  // namespace opbench

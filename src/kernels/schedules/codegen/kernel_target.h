#pragma once

#include "machine/target/target.h"

namespace Halide {
struct Target;
}

namespace opbench {

struct TargetOptions {
  bool keeps_loops = false;       ///< LLVM leaves loops as they are
  bool has_dot_products = false;  ///< sums of products of 8-bit integers in one instruction
};

/// What Halide compiles for: no runtime, a user context, and on CPUs no asserts.
Halide::Target halide_target(const Target& target, TargetOptions options);

}  // namespace opbench

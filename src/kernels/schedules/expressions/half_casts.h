#pragma once

#include <cstdint>
#include <vector>

#include "machine/target/target.h"

namespace Halide {
struct Expr;
}

namespace opbench {

/// True if the target's instructions convert between float and binary16: x86 with AVX2 or more.
bool has_half_casts(const Target& target);

/// float32 as binary16, to nearest even, and back. By instructions where `has_casts`, which needs
/// `half_casts_bitcode` in the module, else by the bits.
Halide::Expr half_of(const Halide::Expr& value, bool has_casts);
Halide::Expr float_of_half(const Halide::Expr& value, bool has_casts);

/// LLVM's bitcode of the functions that the expressions call, which are inlined.
const std::vector<uint8_t>& half_casts_bitcode();

}  // namespace opbench

#pragma once

#include <cstdint>
#include <vector>

#include "machine/target/target.h"

namespace Halide {
struct Expr;
}  // namespace Halide

namespace opbench {

// Minimum and maximum that keep NaN, as ONNX does. Halide tells LLVM that there is no NaN. LLVM may
// then exchange the operands, and the instruction returns the last one where either is NaN.
// docs/decisions/0068 says why Halide's strict_float is no way out. A kernel that uses these needs
// `nan_keeping_bitcode` in its module. Operands other than float32, such as bytes, have no NaN.

/// The larger one of x and a bound that is no NaN; NaN where x is NaN. One instruction on AVX.
Halide::Expr at_least(const Halide::Expr& x, const Halide::Expr& bound);

/// The smaller one, likewise.
Halide::Expr at_most(const Halide::Expr& x, const Halide::Expr& bound);

/// x between two bounds, likewise.
Halide::Expr within(const Halide::Expr& x, const Halide::Expr& low, const Halide::Expr& high);

/// The larger one; NaN where either is NaN.
Halide::Expr larger(const Halide::Expr& a, const Halide::Expr& b);

/// The smaller one; NaN where either is NaN.
Halide::Expr smaller(const Halide::Expr& a, const Halide::Expr& b);

/// `value`, or x where that is NaN.
Halide::Expr unless_nan(const Halide::Expr& x, const Halide::Expr& value);

/// LLVM's bitcode of the functions that the expressions call, which are inlined.
const std::vector<uint8_t>& nan_keeping_bitcode(const Target& target);

/// Its parts: by instructions, and by the bits for all other targets.
const std::vector<uint8_t>& nan_keeping_avx512_bitcode();
const std::vector<uint8_t>& nan_keeping_avx2_bitcode();
const std::vector<uint8_t>& nan_keeping_bits_bitcode();

}  // namespace opbench

#pragma once

#include <cstdint>
#include <vector>

#include "kernels/schedules/matrix/gemm_tile.h"

namespace Halide {
struct Expr;
class Func;
class Var;
}  // namespace Halide

namespace opbench {

/// C[b,m,n] = A[b,m,k] B[b,k,n] as loops see it.
struct GemmExtents {
  int64_t n = 1;
  int64_t m = 1;
  int64_t k = 1;
  int64_t b = 1;
};

class KernelBuilder;

/// True if the third operand of a Gemm, a matrix or less that is added, is absent or readable.
bool is_addend_readable(const KernelSpec& spec);

/// Row `m`, column `n` of the result: alpha times `sum` plus beta times the addend. A MatMul has
/// neither.
Halide::Expr scaled_sum(const KernelSpec& spec, KernelBuilder& builder, const Halide::Expr& sum,
                        const Halide::Expr& n, const Halide::Expr& m);

/// The loop over tiles of rows in `schedule_gemm`: its rounds read the same panel of B.
constexpr const char* kRowTilesLoop = "mo";

struct GemmForm {
  /// `sum` may be computed past column n, else the last panel overlaps the one before.
  bool is_padded = false;
  /// Some steps of the sum at once, for an extent that the compiler knows.
  bool unrolls_k = true;
};

/// Schedules `out(n, m, b)`, which reads `sum(n, m, b)`, whose one update sums over k: a tile of
/// `sum` in registers, panels of columns outermost, tasks in parallel when there is work for them.
/// Returns the loop inside which all reads of B fall into one panel.
Halide::Var schedule_gemm(Halide::Func& out, Halide::Func& sum, const GemmExtents& extents,
                          const GemmTile& tile, int lanes, GemmForm form);

}  // namespace opbench

#pragma once

#include <cstdint>
#include <vector>

#include "kernels/schedules/schedule.h"

namespace opbench {

/// The part of a matrix product that stays in vector registers, and the part that is one task.
struct GemmTile {
  int64_t vectors = 1;    ///< columns, in vectors: a panel of the right matrix is that wide
  int64_t rows = 1;       ///< rows of the left matrix
  int64_t row_tasks = 1;  ///< parts of the rows that run in parallel
};

/// The default tile for C[m,n] = A[m,k] B[k,n]: least padding, enough independent sums to hide the
/// latency of a multiply-add, few loads a multiply-add, no more registers than `target` has.
/// `outer` is the number of such products.
GemmTile gemm_tile(const Target& target, int64_t m, int64_t n, int64_t k, int64_t outer);

/// The knobs `vectors`, `rows`, `row_tasks`.
Config config_of(const GemmTile& tile);
GemmTile tile_of(const Config& config);

/// All values of the knobs, for extents as of `gemm_tile`.
std::vector<KnobRange> gemm_knobs(const KernelSpec& spec, int64_t m, int64_t n, int64_t k,
                                  int64_t outer);

/// `kInvalidInput` when the tile has more rows than the left matrix, which has `m`, when its rows
/// make fewer parts than `row_tasks`, or its sums do not fit the registers.
Result<void> check_tile(const KernelSpec& spec, int64_t m);

}  // namespace opbench

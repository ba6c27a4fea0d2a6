#pragma once

#include <cstdint>
#include <vector>

#include "base/tensors/tensor.h"

namespace opbench {

/// The three matrices of F(m, r), m outputs of a filter of r taps by n = m + r - 1 multiplications
/// instead of m * r: y = A^T [(G g) * (B^T d)] (Winograd, "Arithmetic complexity of computations",
/// 1980; by the construction of Toom and Cook, with infinity as the last point).
struct MinimalFilter {
  int m = 0;
  int r = 0;
  int n = 0;
  int stride = 1;                           ///< inputs from one output to the next
  std::vector<std::vector<double>> input;   ///< B^T, rows x inputs of a tile
  std::vector<std::vector<double>> filter;  ///< G, rows x r
  std::vector<std::vector<double>> output;  ///< A^T, m x n

  /// Of B^T and G: n, or more with a stride. The products of rows i, i + n, ... are summed.
  int rows() const { return static_cast<int>(input.size()); }
  int inputs() const { return stride * (m - 1) + r; }
};

/// m + r of 4 to 13.
MinimalFilter minimal_filter(int m, int r);

/// Every second output only, for an odd r of 3 to 7: the filters of the taps with even numbers and
/// of those with odd ones, F(m, (r + 1) / 2) both, with sums at the same points. The odd ones are
/// fewer by one, so that their product at infinity is 0 and has no row.
MinimalFilter strided_filter(int m, int r);

/// G g of the taps of every filter w[o, i], which has one row or one column, computed in double,
/// laid out as (o in block, i in block, i block, k = n, o block), innermost first; zeros where
/// channels are missing.
Tensor pack_minimal(const MinimalFilter& filter, const Tensor& weight, int64_t block);

}  // namespace opbench

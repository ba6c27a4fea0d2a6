#pragma once

#include <cstdint>
#include <vector>

#include "opbench/base/tensor.h"

namespace opbench {

/// The three matrices of F(m, r), m outputs of a filter of r taps by n = m + r - 1 multiplications
/// instead of m * r: y = A^T [(G g) * (B^T d)] (Winograd, "Arithmetic complexity of computations",
/// 1980; by the construction of Toom and Cook, with infinity as the last point).
struct MinimalFilter {
  int m = 0;
  int r = 0;
  int n = 0;
  std::vector<std::vector<double>> input;   ///< B^T, n x n
  std::vector<std::vector<double>> filter;  ///< G, n x r
  std::vector<std::vector<double>> output;  ///< A^T, m x n
};

/// m + r of 4 to 11.
MinimalFilter minimal_filter(int m, int r);

/// G g of the taps of every filter w[o, i], which has one row or one column, computed in double,
/// laid out as (o in block, i in block, i block, k = n, o block), innermost first; zeros where
/// channels are missing.
Tensor pack_minimal(const MinimalFilter& filter, const Tensor& weight, int64_t block);

}  // namespace opbench

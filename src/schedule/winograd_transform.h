#pragma once

#include <cstdint>
#include <vector>

#include "opbench/schedule/convolution_shape.h"

namespace opbench {

/// The three matrices of F(m x m, 3 x 3): Y = A^T [(G g G^T) * (B^T d B)] A, with n = m + 2 (Lavin
/// and Gray, "Fast algorithms for convolutional neural networks", 2016).
struct WinogradTransform {
  int m = 0;
  int n = 0;
  std::vector<std::vector<double>> input;   ///< B^T, n x n
  std::vector<std::vector<double>> filter;  ///< G, n x 3
  std::vector<std::vector<double>> output;  ///< A^T, m x n
};

/// `m` is 2 or 4.
const WinogradTransform& winograd_transform(int64_t m);

/// G g G^T of every filter w[o, i], computed in double, laid out as (o in block, i in block, i
/// block, k = n * n, o block), innermost first; zeros where channels are missing.
Tensor pack_winograd(const WinogradTransform& transform, const Tensor& weight, int64_t block);

}  // namespace opbench

#pragma once

#include <span>
#include <vector>

#include "prediction/few_shot/dense_matrix.h"

namespace opbench {

/// The w[k] >= 0 that makes |A w - b| least, for A[n,k] and b[n]: the active set method of Lawson
/// and Hanson (Solving Least Squares Problems, 1974, chapter 23). Where several are best, as with
/// equal columns, one of them.
std::vector<double> non_negative_weights(const DenseMatrix& a, std::span<const double> b);

}  // namespace opbench

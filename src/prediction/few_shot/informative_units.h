#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "prediction/few_shot/dense_matrix.h"

namespace opbench {

/// The `count` units of `candidates` (rows of `times[units,devices]`) to measure on a new device:
/// those that tell most about the weights of the pool's devices, chosen one after the other so that
/// the determinant of their information grows most (D-optimal design, Fedorov 1972). Fewer where
/// there are fewer candidates.
std::vector<size_t> informative_units(const DenseMatrix& times, std::span<const size_t> candidates,
                                      size_t count);

}  // namespace opbench

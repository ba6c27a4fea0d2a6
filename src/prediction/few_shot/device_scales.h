#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "prediction/few_shot/dense_matrix.h"

namespace opbench {

/// The least part of its expected time by which the error of a unit is divided: else a unit that
/// one device skips would outweigh all others.
constexpr double kLeastPart = 0.5;

/// One a column of `times[units,devices]`: the geometric mean, so that times divided by it compare
/// between devices.
std::vector<double> scales_of(const DenseMatrix& times);

/// The mean over the devices of a unit's time divided by the device's scale.
double expected_time(const DenseMatrix& times, size_t unit, std::span<const double> scales);

}  // namespace opbench

#pragma once

#include <string>

#include "base/tensors/tensor.h"

namespace opbench {

/// How far a tensor is from the expected one.
struct Difference {
  /// max|a-b| / max(max|b|, least scale); infinity when there is a reason.
  double relative_error = 0;
  /// What says more than an error does: another type or shape, or one of two integers, or a NaN or
  /// an infinity on one side only, with its place and both values.
  std::string reason;
};

/// Compares tensors of floats (16, 32 or 64 bits). Equal infinities are equal, and so are two NaN;
/// the largest magnitude is taken over the finite elements. Other types: 0 when equal, infinity
/// when not. `least_scale`: what errors are divided by at least.
Difference difference_of(const Tensor& got, const Tensor& expected, double least_scale = 0);

/// Steps from one end of the range of an 8-bit integer to the other.
constexpr double kByteSteps = 255;

/// Compares quantized values: tensors of 8-bit integers. The error is max|a-b| / kByteSteps; from
/// two steps on there is a reason. Tensors of other types as `difference_of`.
Difference step_difference(const Tensor& got, const Tensor& expected);

/// Compares integers by their largest difference: max|a-b| over max|b|, or of 8-bit integers over
/// kByteSteps, with the place of that difference as the reason; nothing where all are equal.
/// Tensors of other types as `difference_of`.
Difference integer_difference(const Tensor& got, const Tensor& expected);

/// The relative error of `difference_of`: max|a-b| / max|b|, infinity where only one side is finite
/// or the shapes differ. Other types than floats: 0 or infinity.
double max_relative_error(const Tensor& got, const Tensor& expected);

/// The largest magnitude of the finite elements; 0 for other types than floats.
double largest_magnitude(const Tensor& tensor);

}  // namespace opbench

#pragma once

#include <span>
#include <vector>

#include "model/operators/windows/convolution.h"

namespace opbench {

/// Where a convolution of 8-bit integers has its operands. Positions beyond the call's operands
/// stand for operands that it cannot have.
struct QuantizedConvolution {
  size_t x = 0;
  size_t x_zero = 0;
  size_t w = 0;
  size_t w_zero = 0;
  size_t bias = 0;
};

/// `kInvalidInput` unless image and filters are 8-bit integers, and their zero points, where they
/// are there, of the same type: one for the image, one for all filters or for each of them.
Result<void> check_quantized_convolution(const OperatorCall& call, const QuantizedConvolution& at);

/// `kInvalidInput` unless the operand, if it is there, has one element or one for each filter.
Result<void> require_per_filter(const OperatorCall& call, size_t index, int64_t filters);

/// The call as a convolution's: image, filters and bias as operands 0, 1 and 2.
OperatorCall as_convolution(const OperatorCall& call, const QuantizedConvolution& at);

/// The sums of products of every element of the result, less the zero points and without the bias,
/// exact. Padding has the value of the image's zero point.
Result<std::vector<int64_t>> integer_convolution(const OperatorCall& call,
                                                 std::span<const TensorView> inputs,
                                                 const QuantizedConvolution& at);

}  // namespace opbench

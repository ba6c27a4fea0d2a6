#pragma once

#include "model/operators/windows/window.h"

namespace opbench {

/// The window of a convolution: operand 0 is x[batch, channels, extents…], operand 1 the filters.
Result<Window> convolution_window(const OperatorCall& call);

/// The shape of the result, over 1 to 3 spatial axes. `kInvalidInput` when filters, groups or bias,
/// operand 2, do not fit.
Result<Shape> convolution_shape(const OperatorCall& call);

/// Multiply-adds of a convolution; its attributes in normal form.
double flops_of_convolution(const OperatorCall& convolution);
Attributes attributes_of_convolution(const OperatorCall& convolution);

}  // namespace opbench

#pragma once

#include <cstdint>

#include "base/tensors/tensor.h"
#include "kernels/schedules/convolution/minimal_filter.h"

namespace opbench {

/// F(m, taps), which F(m x m, taps x taps) applies to rows and columns: Y = A^T [(G g G^T) *
/// (B^T d B)] A (Lavin and Gray, "Fast algorithms for convolutional neural networks", 2016, whose
/// matrices these are for 3 taps and a stride of 1).
MinimalFilter winograd_transform(int64_t m, int64_t taps, int64_t stride);

/// G g G^T of every filter w[o, i], computed in double, laid out as (o in block, i in block, i
/// block, k = rows * rows, o block), innermost first; zeros where channels are missing. At most
/// 9 x 9 rows and 5 x 5 taps.
Tensor pack_winograd(const MinimalFilter& transform, const Tensor& weight, int64_t block);

}  // namespace opbench

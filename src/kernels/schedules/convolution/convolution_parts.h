#pragma once

#include "kernels/schedules/convolution/convolution_shape.h"
#include "kernels/schedules/kernel_builder.h"

namespace opbench {

/// True for a pointwise convolution from blocks of the target's lanes to such blocks, with steps
/// after it that a kernel can compute.
bool is_blocked_pointwise(const KernelSpec& spec, const ConvolutionShape& shape);

/// The bias of a blocked convolution at lane `ci` of channel block `co`; zero when it has none.
Halide::Expr bias_value(const KernelSpec& spec, KernelBuilder& builder, const Halide::Expr& ci,
                        const Halide::Expr& co);

/// Operand `index` of a convolution with blocked output as its kernel reads it: the filters by
/// `pack_weights`, the bias by `pack_bias`, an elementwise step's by `pack_epilogue_weight`.
Result<Tensor> pack_convolution(const KernelSpec& spec, size_t index, const Tensor& weight,
                                Tensor (*pack_weights)(const KernelSpec&, const Tensor&));

}  // namespace opbench

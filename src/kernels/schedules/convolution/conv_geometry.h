#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "kernels/schedules/kernel_builder.h"
#include "kernels/schedules/schedule.h"

namespace opbench {

/// A convolution over 1, 2 or 3 dimensions of space; per dimension, innermost (x) first.
struct ConvGeometry {
  Shape input, weight, output;  ///< as ONNX has them
  int64_t groups = 1;
  std::vector<int64_t> kernel, stride, dilation, pad, extent;

  int rank() const { return static_cast<int>(kernel.size()); }
  int64_t group_in() const { return weight[1]; }
  int64_t group_out() const { return weight[0] / groups; }
};

/// The convolution that a workload begins with; nothing for another operator, another type than
/// float32, `auto_pad`, or an empty result.
std::optional<ConvGeometry> conv_geometry(const Workload& workload);

/// Operand `operand` of the anchor at ONNX coordinates given innermost first.
Halide::Expr conv_operand(const KernelSpec& spec, KernelBuilder& builder, size_t operand,
                          std::vector<Halide::Expr> at);

/// A ScheduleDef::pack: the convolution's own operands as they stand.
Result<Tensor> pack_conv_operand(const KernelSpec& spec, size_t index, const Tensor& weight);

}  // namespace opbench

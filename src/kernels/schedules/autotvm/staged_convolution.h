#pragma once

#include <cstdint>
#include <vector>

#include "kernels/schedules/convolution/convolution_shape.h"
#include "kernels/schedules/gpu/staged_tile.h"
#include "kernels/schedules/kernel_builder.h"

// A convolution on NCHW whose blocks stage slices of the input and of the filters in local memory:
// AutoTVM's conv2d_nchw.cuda, and our own schedule of that form.

namespace opbench {

/// Steps of the sum that are staged at a time: channels, rows and columns of the filters.
struct ConvolutionSlice {
  int64_t c = 1;
  int64_t ry = 1;
  int64_t rx = 1;
};

/// Bytes of local memory of a block with the axes x, y, f.
int64_t staged_bytes(const ConvolutionShape& shape, const std::vector<GpuAxis>& axes,
                     const ConvolutionSlice& slice);

/// Defines and schedules the kernel; the axes hold their sums (limit_sums). Loops over a slice are
/// unrolled while a step has at most `most_unrolled` products.
Halide::Func build_staged_convolution(const KernelSpec& spec, KernelBuilder& builder,
                                      const ConvolutionShape& shape,
                                      const std::vector<GpuAxis>& axes,
                                      const ConvolutionSlice& slice, int64_t most_unrolled);

}  // namespace opbench

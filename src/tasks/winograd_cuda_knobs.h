#pragma once

#include "opbench/base/error.h"
#include "opbench/hardware/target.h"
#include "opbench/space/space_builder.h"
#include "opbench/tasks/convolution_arguments.h"

namespace opbench {

/// Side of an output tile of Winograd's convolution on a gpu: 4 where 8 divides the input's height,
/// else 2.
int64_t winograd_cuda_tile(const ConvolutionArguments& conv);

/// Tiles of the output plane, over all images: P of the matrix products [CO, CI] * [CI, P].
int64_t winograd_tiles(const ConvolutionArguments& conv, int64_t tile);

/// A split in four of the products' number that leaves it whole: the only one the filter lets by.
void define_whole_split(SpaceBuilder& builder, const std::string& name, int64_t length);

/// Knobs of the batched matrix products. `kInvalidInput` for a kernel that is not square with 3 to
/// 7 taps, and for strides and dilation other than 1.
Result<void> define_winograd_cuda(SpaceBuilder& builder, const ConvolutionArguments& conv,
                                  const Target& target);

}  // namespace opbench

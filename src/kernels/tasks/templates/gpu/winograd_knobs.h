#pragma once

#include "base/errors/error.h"
#include "kernels/space/space_builder.h"
#include "kernels/tasks/convolution_arguments.h"
#include "machine/target/target.h"

namespace opbench {

/// `kInvalidInput` for a kernel that is not square with `least` to `most` taps along its last two
/// axes, and for strides and dilation other than 1.
Result<void> check_winograd(const ConvolutionArguments& conv, int64_t least, int64_t most);

/// Side of an output tile on a gpu: 4 where 8 divides the input's height, else 2.
int64_t winograd_cuda_tile(const ConvolutionArguments& conv);

/// Tiles of the output over all images, of whatever axes it has: P of the matrix products
/// [CO, CI] * [CI, P].
int64_t winograd_tiles(const ConvolutionArguments& conv, int64_t tile);

/// A split in four of the products' number that leaves it whole: the only one the filter lets by.
void define_whole_split(SpaceBuilder& builder, const std::string& name, int64_t length);

/// Knobs of the batched matrix products on a gpu, for kernels of `taps` x `taps`.
void define_winograd_cuda(SpaceBuilder& builder, const ConvolutionArguments& conv, int64_t taps,
                          const Target& target);

}  // namespace opbench

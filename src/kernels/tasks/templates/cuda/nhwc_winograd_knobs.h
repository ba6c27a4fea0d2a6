#pragma once

#include <cstdint>

#include "kernels/space/space_builder.h"
#include "kernels/tasks/convolution_arguments.h"

/// Winograd's convolution on NHWC, on a gpu: knobs of the transforms, which come first, and those
/// of the batched products [P, CI] * [CI, CO].
namespace opbench {

void define_winograd_transforms(SpaceBuilder& builder);

/// On ordinary cores, for output tiles of `tile` x `tile`.
void define_direct_products(SpaceBuilder& builder, const ConvolutionArguments& conv, int64_t tile);

/// On tensor cores.
void define_tensor_core_products(SpaceBuilder& builder, int64_t tiles, int64_t channels);

}  // namespace opbench

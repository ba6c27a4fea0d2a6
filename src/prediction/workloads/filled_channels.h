#pragma once

#include "base/numbers/divisors.h"
#include "kernels/schedules/convolution/convolution_shape.h"

namespace opbench {

/// The channels that a convolution computes with.
struct FilledChannels {
  double in = 0;
  double out = 0;  ///< with those that fill up the last block

  FilledChannels(const KernelSpec& spec, const ConvolutionShape& shape) {
    const int64_t block = spec.output_layout().block > 0 ? spec.output_layout().block : 1;
    in = static_cast<double>(shape.channels);
    out = static_cast<double>(ceil_div(shape.out_channels, block) * block);
  }
};

}  // namespace opbench

#pragma once

#include "base/numbers/divisors.h"
#include "kernels/schedules/convolution/convolution_shape.h"

namespace opbench {

/// The channels of a convolution with those that fill up the last blocks.
struct FilledChannels {
  double in = 0;
  double out = 0;

  FilledChannels(const KernelSpec& spec, const ConvolutionShape& shape) {
    const int64_t block = spec.output_layout().block > 0 ? spec.output_layout().block : 1;
    const auto filled = [&](int64_t channels) {
      return static_cast<double>(ceil_div(channels, block) * block);
    };
    in = filled(shape.channels);
    out = filled(shape.out_channels);
  }
};

}  // namespace opbench

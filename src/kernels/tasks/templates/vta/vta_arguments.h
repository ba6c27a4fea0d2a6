#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "base/errors/error.h"
#include "kernels/space/argument.h"
#include "kernels/space/space_builder.h"

namespace opbench {

/// A convolution on VTA, whose tensors are packed in blocks: data [N/bt, C/16, H, W, bt, 16],
/// kernel [O/16, C/16, KH, KW, 16, 16].
struct VtaConvolution {
  std::vector<int64_t> data;
  std::vector<int64_t> kernel;
  std::vector<int64_t> strides;
  std::vector<int64_t> padding;
  int64_t groups = 1;
  std::array<int64_t, 2> output = {};             ///< height and width
  std::array<int64_t, 2> transposed_output = {};  ///< of the transposed convolution
};

/// Reads data, kernel, strides, padding and then `rest`, of which only `groups` is kept. The
/// padding in front counts for both sides, as in the template. `kInvalidInput` as usual.
Result<VtaConvolution> read_vta_convolution(const std::vector<Argument>& arguments,
                                            const std::vector<std::string>& rest);

/// The seven knobs of the convolutions.
void define_vta_convolution(SpaceBuilder& builder, const VtaConvolution& conv,
                            const std::array<int64_t, 2>& output);

/// Twice the multiplications of that output.
double vta_flops(const VtaConvolution& conv, const std::array<int64_t, 2>& output);

}  // namespace opbench

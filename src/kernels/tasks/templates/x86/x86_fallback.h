#pragma once

#include <cstdint>
#include <vector>

#include "kernels/space/knob_config.h"
#include "kernels/tasks/convolution_arguments.h"
#include "kernels/tasks/matrix_arguments.h"
#include "machine/target/target.h"

/// What TVM's x86 templates run without a record (docs/reference/config-spaces.md, "Default
/// configs"), in the order of their knobs, splits with their real outer extent.
namespace opbench {

/// 32-bit lanes that TVM takes a target to have: by its -mcpu alone, 4 for those it does not know.
int64_t tvm_simd_lanes(const Target& target);

std::vector<KnobValue> nchwc_fallback(const ConvolutionArguments& conv, const Target& target);
std::vector<KnobValue> depthwise_nchwc_fallback(const ConvolutionArguments& conv,
                                                const Target& target);
std::vector<KnobValue> dense_nopack_fallback(const MatrixArguments& matrix, const Target& target);
std::vector<KnobValue> dense_pack_fallback(const MatrixArguments& matrix, const Target& target);
std::vector<KnobValue> batch_matmul_fallback(const MatrixArguments& matrix);

}  // namespace opbench

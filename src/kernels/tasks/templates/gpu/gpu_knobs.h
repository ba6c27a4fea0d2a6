#pragma once

#include <cstdint>
#include <vector>

#include "kernels/space/space_builder.h"
#include "kernels/tasks/convolution_arguments.h"
#include "machine/target/target.h"

namespace opbench {

/// `auto_unroll_max_step` of these steps.
void define_unroll_steps(SpaceBuilder& builder, const std::vector<int64_t>& steps);

/// Both knobs of unrolling; `unroll_explicit` cannot be 0 where the compiler reads no hints
/// (kinds nvptx and rocm).
void define_unrolling(SpaceBuilder& builder, const std::vector<int64_t>& steps,
                      const Target& target);

/// One of 0 and 1.
void define_switch(SpaceBuilder& builder, const std::string& name);

/// The space of conv3d_ncdhw.cuda and conv3d_ndhwc.cuda.
Result<ConfigSpace> conv3d_cuda_space(const ConvolutionArguments& conv, const Target& target);

}  // namespace opbench

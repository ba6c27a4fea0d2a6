#include "kernels/tasks/convolution_arguments.h"
#include "kernels/tasks/template.h"
#include "kernels/tasks/templates/gpu/gpu_knobs.h"

namespace opbench {
namespace {

Result<ConfigSpace> conv3d_ndhwc_cuda_space(const std::vector<Argument>& arguments,
                                            const Target& target) {
  OPBENCH_TRY(const ConvolutionArguments conv, read_conv3d(arguments, DataLayout::kNhwc));
  return conv3d_cuda_space(conv, target);
}

Result<double> conv3d_ndhwc_cuda_flops(const std::vector<Argument>& arguments, const Target&) {
  OPBENCH_TRY(const ConvolutionArguments conv, read_conv3d(arguments, DataLayout::kNhwc));
  return direct_flops(conv);
}

}  // namespace

TemplateDef conv3d_ndhwc_cuda_template() {
  return {.name = "conv3d_ndhwc.cuda",
          .space = conv3d_ndhwc_cuda_space,
          .flops = conv3d_ndhwc_cuda_flops};
}

}  // namespace opbench

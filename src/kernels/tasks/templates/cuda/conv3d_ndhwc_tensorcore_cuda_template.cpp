#include "kernels/tasks/convolution_arguments.h"
#include "kernels/tasks/template.h"
#include "kernels/tasks/templates/cuda/tensor_core_knobs.h"

namespace opbench {
namespace {

ConvolutionForm conv3d_ndhwc_tensorcore_cuda_form() {
  return {.axes = 3, .data = DataLayout::kNhwc, .kernel = KernelLayout::kHwio};
}

Result<ConfigSpace> conv3d_ndhwc_tensorcore_cuda_space(const std::vector<Argument>& arguments,
                                                       const Target&) {
  OPBENCH_TRY(const ConvolutionArguments conv,
              read_convolution(arguments, conv3d_ndhwc_tensorcore_cuda_form()));
  return nhwc_tensor_core_space(conv);
}

Result<double> conv3d_ndhwc_tensorcore_cuda_flops(const std::vector<Argument>& arguments,
                                                  const Target&) {
  OPBENCH_TRY(const ConvolutionArguments conv,
              read_convolution(arguments, conv3d_ndhwc_tensorcore_cuda_form()));
  return direct_flops(conv);
}

}  // namespace

TemplateDef conv3d_ndhwc_tensorcore_cuda_template() {
  return {.name = "conv3d_ndhwc_tensorcore.cuda",
          .space = conv3d_ndhwc_tensorcore_cuda_space,
          .flops = conv3d_ndhwc_tensorcore_cuda_flops};
}

}  // namespace opbench

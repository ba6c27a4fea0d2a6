#include "kernels/tasks/convolution_arguments.h"
#include "kernels/tasks/template.h"
#include "kernels/tasks/templates/cuda/tensor_core_knobs.h"

namespace opbench {
namespace {

ConvolutionForm conv2d_nhwc_tensorcore_cuda_form() {
  return {.data = DataLayout::kNhwc, .kernel = KernelLayout::kHwio};
}

Result<ConfigSpace> conv2d_nhwc_tensorcore_cuda_space(const std::vector<Argument>& arguments,
                                                      const Target&) {
  OPBENCH_TRY(const ConvolutionArguments conv,
              read_convolution(arguments, conv2d_nhwc_tensorcore_cuda_form()));
  return nhwc_tensor_core_space(conv);
}

Result<double> conv2d_nhwc_tensorcore_cuda_flops(const std::vector<Argument>& arguments,
                                                 const Target&) {
  OPBENCH_TRY(const ConvolutionArguments conv,
              read_convolution(arguments, conv2d_nhwc_tensorcore_cuda_form()));
  return direct_flops(conv);
}

}  // namespace

TemplateDef conv2d_nhwc_tensorcore_cuda_template() {
  return {.name = "conv2d_nhwc_tensorcore.cuda",
          .space = conv2d_nhwc_tensorcore_cuda_space,
          .flops = conv2d_nhwc_tensorcore_cuda_flops};
}

}  // namespace opbench

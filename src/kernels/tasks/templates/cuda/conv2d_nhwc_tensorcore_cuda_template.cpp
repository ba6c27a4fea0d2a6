#include "kernels/tasks/convolution_arguments.h"
#include "kernels/tasks/template.h"
#include "kernels/tasks/templates/cuda/tensor_core_knobs.h"

namespace opbench {
namespace {

ConvolutionForm form() { return {.data = DataLayout::kNhwc, .kernel = KernelLayout::kHwio}; }

Result<ConfigSpace> space(const std::vector<Argument>& arguments, const Target&) {
  OPBENCH_TRY(const ConvolutionArguments conv, read_convolution(arguments, form()));
  return nhwc_tensor_core_space(conv);
}

Result<double> flops(const std::vector<Argument>& arguments, const Target&) {
  OPBENCH_TRY(const ConvolutionArguments conv, read_convolution(arguments, form()));
  return direct_flops(conv);
}

}  // namespace

TemplateDef conv2d_nhwc_tensorcore_cuda_template() {
  return {.name = "conv2d_nhwc_tensorcore.cuda", .space = space, .flops = flops};
}

}  // namespace opbench

#include "kernels/tasks/convolution_arguments.h"
#include "kernels/tasks/template.h"
#include "kernels/tasks/templates/gpu/gpu_knobs.h"

namespace opbench {
namespace {

Result<ConfigSpace> space(const std::vector<Argument>& arguments, const Target& target) {
  OPBENCH_TRY(const ConvolutionArguments conv, read_conv3d(arguments));
  return conv3d_cuda_space(conv, target);
}

Result<double> flops(const std::vector<Argument>& arguments, const Target&) {
  OPBENCH_TRY(const ConvolutionArguments conv, read_conv3d(arguments));
  return direct_flops(conv);
}

}  // namespace

TemplateDef conv3d_ncdhw_cuda_template() {
  return {.name = "conv3d_ncdhw.cuda", .space = space, .flops = flops};
}

}  // namespace opbench

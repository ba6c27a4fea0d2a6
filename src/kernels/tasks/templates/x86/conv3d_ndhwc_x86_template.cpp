#include "kernels/tasks/convolution_arguments.h"
#include "kernels/tasks/template.h"
#include "kernels/tasks/templates/x86/nchwc_knobs.h"

namespace opbench {
namespace {

Result<ConfigSpace> space(const std::vector<Argument>& arguments, const Target&) {
  OPBENCH_TRY(const ConvolutionArguments conv, read_conv3d(arguments, DataLayout::kNhwc));
  return conv3d_x86_space(conv);
}

Result<double> flops(const std::vector<Argument>& arguments, const Target&) {
  OPBENCH_TRY(const ConvolutionArguments conv, read_conv3d(arguments, DataLayout::kNhwc));
  return direct_flops(conv) + padding_flops(conv);
}

}  // namespace

TemplateDef conv3d_ndhwc_x86_template() {
  return {.name = "conv3d_ndhwc.x86", .space = space, .flops = flops};
}

}  // namespace opbench

#include "kernels/tasks/convolution_arguments.h"
#include "kernels/tasks/template.h"
#include "kernels/tasks/templates/x86/nchwc_knobs.h"

namespace opbench {
namespace {

Result<ConfigSpace> conv3d_ndhwc_x86_space(const std::vector<Argument>& arguments, const Target&) {
  OPBENCH_TRY(const ConvolutionArguments conv, read_conv3d(arguments, DataLayout::kNhwc));
  return conv3d_x86_space(conv);
}

Result<double> conv3d_ndhwc_x86_flops(const std::vector<Argument>& arguments, const Target&) {
  OPBENCH_TRY(const ConvolutionArguments conv, read_conv3d(arguments, DataLayout::kNhwc));
  return direct_flops(conv) + padding_flops(conv);
}

}  // namespace

TemplateDef conv3d_ndhwc_x86_template() {
  return {
      .name = "conv3d_ndhwc.x86", .space = conv3d_ndhwc_x86_space, .flops = conv3d_ndhwc_x86_flops};
}

}  // namespace opbench

#include "kernels/space/space_builder.h"
#include "kernels/tasks/convolution_arguments.h"
#include "kernels/tasks/template.h"
#include "kernels/tasks/templates/gpu/winograd_knobs.h"

namespace opbench {
namespace {

Result<ConfigSpace> conv2d_nchw_winograd_cuda_space(const std::vector<Argument>& arguments,
                                                    const Target& target) {
  OPBENCH_TRY(const ConvolutionArguments conv, read_convolution(arguments));
  OPBENCH_CHECK(check_winograd(conv, 3, 7));
  SpaceBuilder builder;
  define_winograd_cuda(builder, conv, conv.kernel[1], target);
  return std::move(builder).finish();
}

Result<double> conv2d_nchw_winograd_cuda_flops(const std::vector<Argument>& arguments,
                                               const Target&) {
  OPBENCH_TRY(const ConvolutionArguments conv, read_convolution(arguments));
  return direct_flops(conv);
}

}  // namespace

TemplateDef conv2d_nchw_winograd_cuda_template() {
  return {.name = "conv2d_nchw_winograd.cuda",
          .space = conv2d_nchw_winograd_cuda_space,
          .flops = conv2d_nchw_winograd_cuda_flops};
}

}  // namespace opbench

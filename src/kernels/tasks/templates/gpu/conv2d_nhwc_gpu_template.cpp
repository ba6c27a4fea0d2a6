#include "kernels/space/space_builder.h"
#include "kernels/tasks/convolution_arguments.h"
#include "kernels/tasks/template.h"

namespace opbench {
namespace {

ConvolutionForm conv2d_nhwc_gpu_form() {
  return {.data = DataLayout::kNhwc, .kernel = KernelLayout::kHwio};
}

Result<ConfigSpace> conv2d_nhwc_gpu_space(const std::vector<Argument>& arguments, const Target&) {
  OPBENCH_TRY(const ConvolutionArguments conv, read_convolution(arguments, conv2d_nhwc_gpu_form()));
  SpaceBuilder builder;
  for (const char* name : {"tile_n", "tile_c"}) builder.define_option(name, {2, 4, 8});
  for (const char* name : {"num_thread_n", "num_thread_c"}) builder.define_option(name, {4, 8, 16});
  for (const char* name : {"vthread_n", "vthread_c"}) builder.define_option(name, {1, 2});
  builder.define_option("step", {16, 3, 32, 64});
  builder.define_option("vectorize", {1, 2, 4, 8});
  return std::move(builder).finish();
}

Result<double> conv2d_nhwc_gpu_flops(const std::vector<Argument>& arguments, const Target&) {
  OPBENCH_TRY(const ConvolutionArguments conv, read_convolution(arguments, conv2d_nhwc_gpu_form()));
  return direct_flops(conv);
}

}  // namespace

TemplateDef conv2d_nhwc_gpu_template() {
  return {
      .name = "conv2d_nhwc.gpu", .space = conv2d_nhwc_gpu_space, .flops = conv2d_nhwc_gpu_flops};
}

}  // namespace opbench

#include <bit>

#include "kernels/space/space_builder.h"
#include "kernels/tasks/convolution_arguments.h"
#include "kernels/tasks/template.h"

namespace opbench {
namespace {

ConvolutionForm conv2d_hwcn_cuda_form() {
  return {.data = DataLayout::kHwcn, .kernel = KernelLayout::kHwio};
}

Result<ConfigSpace> conv2d_hwcn_cuda_space(const std::vector<Argument>& arguments, const Target&) {
  OPBENCH_TRY(const ConvolutionArguments conv,
              read_convolution(arguments, conv2d_hwcn_cuda_form()));
  SpaceBuilder builder;
  const auto filter = [](const SplitSizes& sizes) {
    return sizes[1] <= 8 && sizes[2] <= 32 &&
           std::has_single_bit(static_cast<uint64_t>(sizes[1])) &&
           std::has_single_bit(static_cast<uint64_t>(sizes[2]));
  };
  builder.define_split("tile_fi", conv.kernel_out,
                       SplitOptions{.num_outputs = 4, .filter = filter});
  builder.define_split("tile_ni", conv.batch, SplitOptions{.num_outputs = 4, .filter = filter});
  return std::move(builder).finish();
}

Result<double> conv2d_hwcn_cuda_flops(const std::vector<Argument>& arguments, const Target&) {
  OPBENCH_TRY(const ConvolutionArguments conv,
              read_convolution(arguments, conv2d_hwcn_cuda_form()));
  return direct_flops(conv) + padding_flops(conv);
}

}  // namespace

TemplateDef conv2d_hwcn_cuda_template() {
  return {
      .name = "conv2d_hwcn.cuda", .space = conv2d_hwcn_cuda_space, .flops = conv2d_hwcn_cuda_flops};
}

}  // namespace opbench

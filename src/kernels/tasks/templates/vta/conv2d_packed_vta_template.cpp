#include "kernels/space/space_builder.h"
#include "kernels/tasks/template.h"
#include "kernels/tasks/templates/vta/vta_arguments.h"

namespace opbench {
namespace {

/// Logs of 2019 have a layout of the output too.
std::vector<std::string> conv2d_packed_vta_rest() {
  return {"dilation", "layout", "out_dtype", "out_dtype"};
}

Result<ConfigSpace> conv2d_packed_vta_space(const std::vector<Argument>& arguments, const Target&) {
  OPBENCH_TRY(const VtaConvolution conv, read_vta_convolution(arguments, conv2d_packed_vta_rest()));
  SpaceBuilder builder;
  define_vta_convolution(builder, conv, conv.output);
  return std::move(builder).finish();
}

Result<double> conv2d_packed_vta_flops(const std::vector<Argument>& arguments, const Target&) {
  OPBENCH_TRY(const VtaConvolution conv, read_vta_convolution(arguments, conv2d_packed_vta_rest()));
  return vta_flops(conv, conv.output);
}

}  // namespace

TemplateDef conv2d_packed_vta_template() {
  return {.name = "conv2d_packed.vta",
          .space = conv2d_packed_vta_space,
          .flops = conv2d_packed_vta_flops};
}

}  // namespace opbench

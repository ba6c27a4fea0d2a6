#include "kernels/space/space_builder.h"
#include "kernels/tasks/template.h"
#include "kernels/tasks/templates/vta/vta_arguments.h"

namespace opbench {
namespace {

std::vector<std::string> group_conv2d_packed_vta_rest() {
  return {"dilation", "groups", "out_dtype"};
}

Result<ConfigSpace> group_conv2d_packed_vta_space(const std::vector<Argument>& arguments,
                                                  const Target&) {
  OPBENCH_TRY(const VtaConvolution conv,
              read_vta_convolution(arguments, group_conv2d_packed_vta_rest()));
  SpaceBuilder builder;
  define_vta_convolution(builder, conv, conv.output);
  return std::move(builder).finish();
}

Result<double> group_conv2d_packed_vta_flops(const std::vector<Argument>& arguments,
                                             const Target&) {
  OPBENCH_TRY(const VtaConvolution conv,
              read_vta_convolution(arguments, group_conv2d_packed_vta_rest()));
  return vta_flops(conv, conv.output);
}

}  // namespace

TemplateDef group_conv2d_packed_vta_template() {
  return {.name = "group_conv2d_packed.vta",
          .space = group_conv2d_packed_vta_space,
          .flops = group_conv2d_packed_vta_flops};
}

}  // namespace opbench

#include "kernels/tasks/templates/vta/vta_arguments.h"

#include <algorithm>

#include "kernels/tasks/argument_reader.h"

namespace opbench {

Result<VtaConvolution> read_vta_convolution(const std::vector<Argument>& arguments,
                                            const std::vector<std::string>& rest) {
  VtaConvolution conv;
  ArgumentReader reader(arguments);
  conv.data = reader.tensor("data", {6});
  conv.kernel = reader.tensor("kernel", {6});
  conv.strides = reader.integers("strides", {2});
  if (std::ranges::min(conv.strides) < 1) {
    reader.refuse("strides", "at least 1");
    conv.strides = {1, 1};
  }
  conv.padding = reader.integers("padding", {4, 2});
  for (const std::string& name : rest) {
    if (name == "groups") {
      conv.groups = reader.integer(name);
    } else {
      reader.skip();
    }
  }
  OPBENCH_CHECK(reader.finish());
  for (size_t axis = 0; axis < 2; ++axis) {
    const int64_t input = conv.data[2 + axis];
    const int64_t taps = conv.kernel[2 + axis];
    const int64_t padded = input + 2 * conv.padding[axis];
    conv.output[axis] = padded < taps ? 0 : (padded - taps) / conv.strides[axis] + 1;
    const int64_t after = conv.padding[conv.padding.size() == 4 ? 2 + axis : axis];
    conv.transposed_output[axis] =
        (input - 1) * conv.strides[axis] - conv.padding[axis] - after + taps;
  }
  return conv;
}

void define_vta_convolution(SpaceBuilder& builder, const VtaConvolution& conv,
                            const std::array<int64_t, 2>& output) {
  builder.define_split("tile_b", conv.data[0], 2);
  builder.define_split("tile_h", output[0], 2);
  builder.define_split("tile_w", output[1], 2);
  builder.define_split("tile_ci", conv.kernel[1], 2);
  builder.define_split("tile_co", conv.kernel[0], 2);
  builder.define_option("oc_nthread", std::vector<int64_t>{1, 2});
  builder.define_option("h_nthread", std::vector<int64_t>{1, 2});
}

double vta_flops(const VtaConvolution& conv, const std::array<int64_t, 2>& output) {
  double result = 2;
  for (const int64_t extent : {conv.data[0], conv.data[4], output[0], output[1]}) {
    result *= static_cast<double>(extent);
  }
  for (const int64_t extent : conv.kernel) result *= static_cast<double>(extent);
  return result;
}

}  // namespace opbench

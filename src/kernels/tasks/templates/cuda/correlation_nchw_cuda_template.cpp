#include <algorithm>

#include "kernels/space/space_builder.h"
#include "kernels/tasks/argument_reader.h"
#include "kernels/tasks/template.h"
#include "kernels/tasks/templates/gpu/gpu_knobs.h"

namespace opbench {
namespace {

/// Of the output along an axis, from the padded input less the border that no window leaves.
int64_t output(int64_t padded, int64_t border, int64_t stride) {
  return padded <= 2 * border ? 0 : (padded - 2 * border + stride - 1) / stride;
}

/// data1, data2, kernel_size, max_displacement, stride1, stride2, padding, is_multiply.
Result<ConfigSpace> correlation_nchw_cuda_space(const std::vector<Argument>& arguments,
                                                const Target& target) {
  ArgumentReader reader(arguments);
  const auto data = reader.tensor("data1", {4});
  reader.tensor("data2", {4});
  const int64_t taps = reader.integer("kernel_size");
  const int64_t displacement = reader.integer("max_displacement");
  const int64_t stride = reader.integer("stride1");
  const int64_t inner_stride = reader.integer("stride2");
  auto padding = reader.integers("padding", {4, 2, 1});
  reader.skip();
  if (stride < 1 || inner_stride < 1) reader.refuse("stride", "at least 1");
  if (displacement < 0) reader.refuse("max_displacement", "at least 0");
  OPBENCH_CHECK(reader.finish());
  while (padding.size() < 4)
    padding.push_back(padding[padding.size() == 1 ? 0 : padding.size() - 2]);
  constexpr int64_t kTooWide = 1 << 20;  // its square is more than a knob can split
  const int64_t window = std::min(2 * (displacement / inner_stride) + 1, kTooWide);
  const int64_t border = displacement + (taps - 1) / 2;
  SpaceBuilder builder;
  builder.define_split("tile_f", window * window, 4);
  builder.define_split("tile_y", output(data[2] + padding[0] + padding[2], border, stride), 4);
  builder.define_split("tile_x", output(data[3] + padding[1] + padding[3], border, stride), 4);
  builder.define_split("tile_rc", data[1], 2);
  builder.define_split("tile_ry", taps, 2);
  builder.define_split("tile_rx", taps, 2);
  define_unrolling(builder, {0, 512, 1500}, target);
  return std::move(builder).finish();
}

}  // namespace

TemplateDef correlation_nchw_cuda_template() {
  return {.name = "correlation_nchw.cuda", .space = correlation_nchw_cuda_space};
}

}  // namespace opbench

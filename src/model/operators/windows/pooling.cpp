#include "model/operators/windows/pooling.h"

#include <algorithm>

namespace opbench {

Result<Window> pool_window(const OperatorCall& call) {
  const Integers kernel = ints_attribute(*call.node, "kernel_shape", {});
  if (kernel.empty()) return misfit(call, "kernel_shape is missing");
  return window_of(call, spatial_extents(shape_of(call, 0)), kernel);
}

Result<std::vector<TensorType>> infer_pool(const OperatorCall& call) {
  OPBENCH_CHECK(require_inputs(call, 1, 1));
  const bool has_indices = call.node->type == "MaxPool" && call.node->outputs.size() == 2;
  OPBENCH_CHECK(require_outputs(call, has_indices ? 2 : 1));
  OPBENCH_CHECK(require_rank(call, 0, 3, 5));
  OPBENCH_TRY(const Window window, pool_window(call));
  Shape shape{shape_of(call, 0)[0], shape_of(call, 0)[1]};
  for (const WindowAxis& axis : window) shape.push_back(axis.output);
  std::vector<TensorType> types{{call.inputs[0]->data_type, shape}};
  if (has_indices) types.push_back({DataType::kInt64, shape});
  return types;
}

double pool_flops(const OperatorCall& call, const std::vector<TensorType>&) {
  const auto window = pool_window(call);
  const Shape& x = shape_of(call, 0);
  return window ? static_cast<double>(x[0] * x[1]) * tap_count(*window) : 0;
}

Attributes normal_pool(const OperatorCall& call) {
  const auto window = pool_window(call);
  if (!window) return {};
  Attributes result = normal_window(*window);
  result["kernel_shape"] = ints_attribute(*call.node, "kernel_shape", {});
  const bool rounds_up = std::ranges::any_of(*window, [](const WindowAxis& axis) {
    const int64_t span = axis.input + axis.pad_begin + axis.pad_end - axis.reach();
    return axis.output > span / axis.stride + 1;
  });
  if (rounds_up) result["ceil_mode"] = int64_t{1};
  return result;
}

}  // namespace opbench

#include "kernels/schedules/rows/softmax_extents.h"

#include "kernels/schedules/operands/anchor_check.h"

namespace opbench {

std::pair<size_t, size_t> softmax_axes_of(const KernelSpec& spec) {
  const Node& node = anchor_of(spec);
  const size_t rank = anchor_type(spec, 0).shape.size();
  const bool is_old = spec.workload.opset < 13;
  const bool is_coerced = is_old || int_attribute(node, "coerced", 0) != 0;
  const auto axis =
      static_cast<size_t>(normal_axis(int_attribute(node, "axis", is_old ? 1 : -1), rank));
  return {axis, is_coerced ? rank : axis + 1};
}

std::optional<SoftmaxExtents> softmax_extents_of(const KernelSpec& spec) {
  if (!takes_anchor(spec, "Softmax") && !takes_anchor(spec, "LogSoftmax")) return std::nullopt;
  const Shape& shape = anchor_type(spec, 0).shape;
  const auto [axis, end] = softmax_axes_of(spec);
  if (axis >= shape.size()) return std::nullopt;
  return SoftmaxExtents{.rows = product(shape, 0, axis),
                        .length = product(shape, axis, end),
                        .inner = product(shape, end, shape.size())};
}

}  // namespace opbench

#include "model/operators/windows/convolution.h"

#include <fmt/format.h>

namespace opbench {
namespace {

Result<void> check_convolution_operands(const OperatorCall& call) {
  OPBENCH_CHECK(require_rank(call, 0, 3, 5));
  OPBENCH_CHECK(require_rank(call, 1, rank_of(call, 0), rank_of(call, 0)));
  const Shape& x = shape_of(call, 0);
  const Shape& w = shape_of(call, 1);
  const int64_t groups = int_attribute(*call.node, "group", 1);
  if (groups < 1 || x[1] % groups != 0 || x[1] / groups != w[1] || w[0] % groups != 0) {
    return misfit(call, fmt::format("filters {} in {} groups do not fit input {}", shape_text(w),
                                    groups, shape_text(x)));
  }
  const Integers kernel = ints_attribute(*call.node, "kernel_shape", {});
  if (!kernel.empty() && kernel != spatial_extents(w)) {
    return misfit(call, fmt::format("kernel_shape {} differs from filters {}", shape_text(kernel),
                                    shape_text(w)));
  }
  if (has_input(call, 2) && shape_of(call, 2) != Shape{w[0]}) {
    return misfit(
        call, fmt::format("bias {} does not fit {} filters", shape_text(shape_of(call, 2)), w[0]));
  }
  return {};
}

}  // namespace

Result<Window> convolution_window(const OperatorCall& call) {
  return window_of(call, spatial_extents(shape_of(call, 0)), spatial_extents(shape_of(call, 1)));
}

Result<Shape> convolution_shape(const OperatorCall& call) {
  OPBENCH_CHECK(check_convolution_operands(call));
  OPBENCH_TRY(const Window axes, convolution_window(call));
  Shape shape{shape_of(call, 0)[0], shape_of(call, 1)[0]};
  for (const WindowAxis& axis : axes) shape.push_back(axis.output);
  return shape;
}

double flops_of_convolution(const OperatorCall& convolution) {
  const auto axes = convolution_window(convolution);
  return axes ? convolution_flops(convolution, *axes) : 0;
}

Attributes attributes_of_convolution(const OperatorCall& convolution) {
  const auto axes = convolution_window(convolution);
  return axes ? normal_convolution(convolution, *axes) : Attributes{};
}

}  // namespace opbench

#include "model/operators/axes/last_axes.h"

#include "model/operators/axes/strided.h"

namespace opbench {

Result<Shape> last_axes(const OperatorCall& call) {
  OPBENCH_TRY(const int64_t first,
              axis_of(call, int_attribute(*call.node, "axis", -1), rank_of(call, 0)));
  const Shape& shape = shape_of(call, 0);
  return Shape(shape.begin() + first, shape.end());
}

Result<void> require_fit(const OperatorCall& call, size_t index, const Shape& normed) {
  if (!has_input(call, index)) return {};
  OPBENCH_TRY(const Shape together, broadcast(call, normed, shape_of(call, index)));
  if (together == normed) return {};
  return misfit(call, "scale or bias does not fit " + shape_text(shape_of(call, 0)));
}

}  // namespace opbench

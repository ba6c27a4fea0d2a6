#include "model/operators/axes/axis_split.h"

#include <cstring>

namespace opbench {

AxisSplit split_at(const Shape& shape, std::optional<int64_t> axis) {
  if (!axis) return {.length = element_count(shape)};
  return {element_count({shape.begin(), shape.begin() + *axis}), shape[static_cast<size_t>(*axis)],
          element_count({shape.begin() + *axis + 1, shape.end()})};
}

Result<std::optional<int64_t>> axis_if_given(const OperatorCall& call) {
  if (!call.node->attributes.contains("axis")) return std::optional<int64_t>();
  OPBENCH_TRY(const int64_t axis,
              axis_of(call, int_attribute(*call.node, "axis", 0), rank_of(call, 0)));
  return std::optional(axis);
}

void copy_parts(const TensorView& x, const AxisSplit& split, const Integers& positions,
                const TensorView& y) {
  const size_t bytes = static_cast<size_t>(split.inner) * size_of(x.type.data_type);
  const auto* in = static_cast<const std::byte*>(x.data);
  auto* out = static_cast<std::byte*>(y.data);
  if (bytes == 0) return;
  for (int64_t o = 0; o < split.outer; ++o) {
    for (const int64_t position : positions) {
      std::memcpy(out, in + static_cast<size_t>(o * split.length + position) * bytes, bytes);
      out += bytes;
    }
  }
}

}  // namespace opbench

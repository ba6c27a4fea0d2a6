#include "model/operators/strided.h"

#include <fmt/format.h>

#include <algorithm>

#include "model/operators/element_type.h"

namespace opbench {

Integers dense_strides(const Shape& shape) {
  Integers strides(shape.size(), 1);
  for (size_t i = shape.size(); i-- > 1;) strides[i - 1] = strides[i] * shape[i];
  return strides;
}

Result<Shape> broadcast(const OperatorCall& call, const Shape& a, const Shape& b) {
  const Shape& longer = a.size() >= b.size() ? a : b;
  const Shape& shorter = a.size() >= b.size() ? b : a;
  Shape shape = longer;
  const size_t lead = longer.size() - shorter.size();
  for (size_t i = 0; i < shorter.size(); ++i) {
    int64_t& extent = shape[lead + i];
    if (extent == 1) {
      extent = shorter[i];
    } else if (shorter[i] != 1 && shorter[i] != extent) {
      return misfit(
          call, fmt::format("operands {} and {} do not go together", shape_text(a), shape_text(b)));
    }
  }
  return shape;
}

Result<Shape> broadcast_inputs(const OperatorCall& call, size_t first) {
  Shape shape = shape_of(call, first);
  for (size_t i = first + 1; i < call.inputs.size(); ++i) {
    if (!has_input(call, i)) return misfit(call, fmt::format("operand {} is missing", i));
    OPBENCH_TRY(shape, broadcast(call, shape, shape_of(call, i)));
  }
  return shape;
}

Integers broadcast_strides(const Shape& from, const Shape& to) {
  Integers result(to.size(), 0);
  const Integers strides = dense_strides(from);
  const size_t lead = to.size() - from.size();
  for (size_t i = 0; i < from.size(); ++i) {
    if (from[i] != 1) result[lead + i] = strides[i];
  }
  return result;
}

Result<void> copy_strided(const OperatorCall& call, const TensorView& in, int64_t begin,
                          const Integers& strides, const TensorView& out) {
  return with_width(call, in.type.data_type, [&](auto zero) {
    using T = decltype(zero);
    const T* from = static_cast<const T*>(in.data) + begin;
    T* to = static_cast<T*>(out.data);
    const int64_t step = last_stride(strides);
    for_each_row<1>(out.type.shape, {strides}, [&](int64_t first, auto offsets, int64_t count) {
      const T* row = from + offsets[0];
      for (int64_t i = 0; i < count; ++i) to[first + i] = row[i * step];
    });
  });
}

}  // namespace opbench

#include "model/operators/axes/strided.h"

#include <fmt/format.h>

#include <algorithm>

#include "model/operators/elements/element_type.h"

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

namespace {

/// Dimensions of a copy, outermost first: at least two, neighbours merged that are read as one.
struct Axes {
  Shape shape;
  Integers strides;
};

Axes merged(const Shape& shape, const Integers& strides) {
  Axes axes;
  for (size_t i = 0; i < shape.size(); ++i) {
    if (shape[i] == 1) continue;
    const bool continues = !axes.shape.empty() && axes.strides.back() == strides[i] * shape[i];
    if (continues) {
      axes.shape.back() *= shape[i];
      axes.strides.back() = strides[i];
    } else {
      axes.shape.push_back(shape[i]);
      axes.strides.push_back(strides[i]);
    }
  }
  while (axes.shape.size() < 2) {
    axes.shape.insert(axes.shape.begin(), 1);
    axes.strides.insert(axes.strides.begin(), 0);
  }
  return axes;
}

template <class T>
void copy_line(const T* from, int64_t step, T* to, int64_t count) {
  if (step == 1) {
    std::copy_n(from, count, to);
  } else if (step == 0) {
    std::fill_n(to, count, *from);
  } else {
    for (int64_t i = 0; i < count; ++i) to[i] = from[i * step];
  }
}

/// A dense matrix from one with strides, its longer dimension in the inner loop.
template <class T>
void copy_plane(const T* from, const int64_t* strides, T* to, int64_t rows, int64_t columns) {
  constexpr int64_t kShort = 8;
  if (columns >= kShort || columns >= rows) {
    for (int64_t i = 0; i < rows; ++i)
      copy_line(from + i * strides[0], strides[1], to + i * columns, columns);
    return;
  }
  for (int64_t j = 0; j < columns; ++j)
    for (int64_t i = 0; i < rows; ++i) to[i * columns + j] = from[i * strides[0] + j * strides[1]];
}

}  // namespace

Result<void> copy_strided(const OperatorCall& call, const TensorView& in, int64_t begin,
                          const Integers& strides, const TensorView& out) {
  Axes outer = merged(out.type.shape, strides);
  const size_t planes = outer.shape.size() - 2;
  const Axes plane{{outer.shape.begin() + planes, outer.shape.end()},
                   {outer.strides.begin() + planes, outer.strides.end()}};
  outer.shape.resize(planes);
  outer.strides.resize(planes);
  if (out.type.size() == 0) return {};
  return with_width(call, in.type.data_type, [&](auto zero) {
    using T = decltype(zero);
    const T* from = static_cast<const T*>(in.data) + begin;
    T* to = static_cast<T*>(out.data);
    for_each_row<1>(outer.shape, {outer.strides}, [&](int64_t, auto offsets, int64_t count) {
      for (int64_t i = 0; i < count; ++i) {
        const int64_t offset = offsets[0] + i * last_stride(outer.strides);
        copy_plane(from + offset, plane.strides.data(), to, plane.shape[0], plane.shape[1]);
        to += plane.shape[0] * plane.shape[1];
      }
    });
  });
}

}  // namespace opbench

#pragma once

#include <optional>

#include "model/operators/axes/indices.h"
#include "model/operators/axes/strided.h"

namespace opbench {

/// Calls `f(i, place)` for the indices up to the first that is outside `extent`, which is returned.
template <class T, class F>
std::optional<int64_t> visit_row(const T* indices, int64_t count, int64_t extent, F f) {
  for (int64_t i = 0; i < count; ++i) {
    const auto index = static_cast<int64_t>(indices[i]);
    const int64_t place = index + (index >> 63 & extent);  // no branch: signs may alternate
    if (static_cast<uint64_t>(place) >= static_cast<uint64_t>(extent)) [[unlikely]]
      return index;
    f(i, place);
  }
  return std::nullopt;
}

/// Calls `f(position of the index, offset that it means)` for the indices of type T up to the first
/// that is outside `extent`, which is returned. `strides` are those of the data, 0 along the axis.
template <class T, class F>
std::optional<int64_t> visit_offsets(const TensorView& view, const Integers& strides,
                                     int64_t axis_stride, int64_t extent, F f) {
  const T* indices = static_cast<const T*>(view.data);
  std::optional<int64_t> outside;
  for_each_row<1>(view.type.shape, {strides}, [&](int64_t first, auto at, int64_t count) {
    if (outside) return;
    const T* row = indices + first;
    const int64_t start = at[0];
    if (last_stride(strides) == 0) {  // along the last axis, whose elements are neighbours
      outside = visit_row(row, count, extent,
                          [=](int64_t i, int64_t place) { f(first + i, start + place); });
    } else {
      outside = visit_row(row, count, extent, [=](int64_t i, int64_t place) {
        f(first + i, start + i + place * axis_stride);
      });
    }
  });
  return outside;
}

/// GatherElements and ScatterElements: calls `f(position, offset)` with the flat offset into data
/// of `shape` that every index of `view` means, in order. `kInvalidInput` for an index outside the
/// extent of the axis, with which it ends.
template <class F>
Result<void> for_each_offset(const OperatorCall& call, const TensorView& view, const Shape& shape,
                             int64_t axis, F f) {
  Integers strides = dense_strides(shape);
  const int64_t axis_stride = strides[axis];
  const int64_t extent = shape[axis];
  strides[axis] = 0;
  std::optional<int64_t> outside;
  if (view.type.data_type == DataType::kInt64) {
    outside = visit_offsets<int64_t>(view, strides, axis_stride, extent, f);
  } else if (view.type.data_type == DataType::kInt32) {
    outside = visit_offsets<int32_t>(view, strides, axis_stride, extent, f);
  } else {
    return misfit(call, "indices are " + std::string(name_of(view.type.data_type)));
  }
  if (outside) OPBENCH_CHECK(index_within(call, *outside, extent));
  return {};
}

}  // namespace opbench

#pragma once

#include <array>
#include <cstdint>

#include "model/operators/operand.h"

namespace opbench {

/// Elements to the next along each dimension of a dense row-major tensor.
Integers dense_strides(const Shape& shape);

/// The shape of the results of an elementwise operator by numpy's rule (align at the end, extents
/// equal or 1). `kInvalidInput` quoting both shapes when they do not go together.
Result<Shape> broadcast(const OperatorCall& call, const Shape& a, const Shape& b);

/// The same over all inputs of the call from `first` on.
Result<Shape> broadcast_inputs(const OperatorCall& call, size_t first = 0);

/// Strides with which a tensor of shape `from` is read as one of shape `to`: 0 where it repeats.
Integers broadcast_strides(const Shape& from, const Shape& to);

/// Visits a tensor of `shape` row by row along its last dimension:
/// `row(first, offsets, count)` with the flat index of the row's first element, and where `strides`
/// lead to for that element; the caller steps on by the last stride of each.
template <size_t N, class F>
void for_each_row(const Shape& shape, const std::array<Integers, N>& strides, F&& row) {
  const int64_t total = element_count(shape);
  if (total == 0) return;
  const size_t rank = shape.size();
  const int64_t count = rank == 0 ? 1 : shape.back();
  Integers index(rank, 0);
  std::array<int64_t, N> offsets{};
  for (int64_t first = 0; first < total; first += count) {
    row(first, offsets, count);
    for (size_t d = rank < 2 ? 0 : rank - 1; d-- > 0;) {
      const bool carries = ++index[d] == shape[d];
      for (size_t n = 0; n < N; ++n) {
        offsets[n] += strides[n][d] - (carries ? shape[d] * strides[n][d] : 0);
      }
      if (!carries) break;
      index[d] = 0;
    }
  }
}

/// The stride along the last dimension; 0 for scalars.
inline int64_t last_stride(const Integers& strides) { return strides.empty() ? 0 : strides.back(); }

/// out[i] = in[begin + i * strides]: every operator that only moves elements along axes.
Result<void> copy_strided(const OperatorCall& call, const TensorView& in, int64_t begin,
                          const Integers& strides, const TensorView& out);

}  // namespace opbench

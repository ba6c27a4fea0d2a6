#include <algorithm>
#include <span>
#include <type_traits>
#include <vector>

#include "model/operators/axes/axis_split.h"
#include "model/operators/axes/indices.h"
#include "model/operators/elements/element_type.h"

namespace opbench {
namespace {

/// The axis is checked here where it is known before the run.
Result<std::vector<TensorType>> infer_cum_sum(const OperatorCall& call) {
  OPBENCH_CHECK(require_inputs(call, 2, 2));
  if (call.constants[1] != nullptr) {
    OPBENCH_TRY(const int64_t axis, known_integer(call, 1, "axis"));
    OPBENCH_CHECK(axis_of(call, axis, rank_of(call, 0)));
  }
  return same_as_first(call);
}

/// Integers wrap around.
template <class T>
using CumSumSum = std::conditional_t<is_real_v<T>, double, uint64_t>;

/// Sums down `length` elements, `step` from one to the next.
template <class T>
void sum_line(const T* x, T* y, int64_t length, int64_t step, bool is_exclusive) {
  CumSumSum<T> sum{0};
  for (int64_t i = 0; i < length; ++i, x += step, y += step) {
    const CumSumSum<T> before = sum;
    sum += static_cast<CumSumSum<T>>(*x);
    *y = static_cast<T>(is_exclusive ? before : sum);
  }
}

/// Sums down `length` rows of as many neighbours as `sums` has, `step` from row to row.
template <class T>
void sum_rows(const T* x, T* y, int64_t length, int64_t step, bool is_exclusive,
              std::span<CumSumSum<T>> sums) {
  std::ranges::fill(sums, CumSumSum<T>{0});
  for (int64_t row = 0; row < length; ++row, x += step, y += step)
    for (size_t i = 0; i < sums.size(); ++i) {
      const CumSumSum<T> before = sums[i];
      sums[i] += static_cast<CumSumSum<T>>(x[i]);
      y[i] = static_cast<T>(is_exclusive ? before : sums[i]);
    }
}

Result<void> run_cum_sum(const OperatorCall& call, std::span<const TensorView> inputs,
                         std::span<const TensorView> outputs) {
  OPBENCH_TRY(const int64_t wanted, index_value(call, inputs[1], "axis"));
  OPBENCH_TRY(const int64_t axis, axis_of(call, wanted, rank_of(call, 0)));
  const AxisSplit split = split_at(inputs[0].type.shape, axis);
  const bool is_exclusive = int_attribute(*call.node, "exclusive", 0) != 0;
  const bool is_reverse = int_attribute(*call.node, "reverse", 0) != 0;
  if (split.length == 0) return {};
  return with_element(call, inputs[0].type.data_type, [&](auto zero) {
    using T = decltype(zero);
    const T* x = static_cast<const T*>(inputs[0].data);
    T* y = static_cast<T*>(outputs[0].data);
    const int64_t step = is_reverse ? -split.inner : split.inner;
    std::vector<CumSumSum<T>> sums(static_cast<size_t>(split.inner));
    for (int64_t o = 0; o < split.outer; ++o) {
      const int64_t row = is_reverse ? split.length - 1 : 0;
      const int64_t first = (o * split.length + row) * split.inner;
      if (split.inner == 1)
        sum_line(x + first, y + first, split.length, step, is_exclusive);
      else
        sum_rows<T>(x + first, y + first, split.length, step, is_exclusive, sums);
    }
  });
}

}  // namespace

OperatorDef cum_sum_operator() {
  return {
      .name = "cum_sum",
      .summary = "Running sums along an axis",
      .onnx_types = {"CumSum"},
      .infer = infer_cum_sum,
      .flops = one_per_result,
      .run = run_cum_sum,
      .attributes = {{"exclusive", int64_t{0}}, {"reverse", int64_t{0}}},
      .parameters = {1},
  };
}

}  // namespace opbench

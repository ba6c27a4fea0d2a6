#include <algorithm>
#include <cmath>

#include "model/operators/axes/indices.h"
#include "model/operators/elements/element_type.h"

namespace opbench {
namespace {

bool is_real_range(const OperatorCall& call) {
  const DataType type = call.inputs[0]->data_type;
  return type == DataType::kFloat32 || type == DataType::kFloat64 || type == DataType::kFloat16 ||
         type == DataType::kBFloat16;
}

/// Elements from `start` on before `limit`, as a real number: it may be beyond any extent.
double count_of_integers(int64_t start, int64_t limit, int64_t delta) {
  if (delta > 0 ? limit <= start : limit >= start) return 0;
  const auto low = static_cast<uint64_t>(delta > 0 ? start : limit);
  const auto high = static_cast<uint64_t>(delta > 0 ? limit : start);
  const uint64_t step = delta > 0 ? static_cast<uint64_t>(delta) : 0 - static_cast<uint64_t>(delta);
  return static_cast<double>((high - low - 1) / step) + 1;
}

/// Integers are counted as such: those beyond 2^53 are no doubles.
Result<double> range_count(const OperatorCall& call) {
  OPBENCH_TRY(const double delta, known_number(call, 2, "delta"));
  if (delta == 0) return misfit(call, "its step is 0");
  if (is_real_range(call)) {
    OPBENCH_TRY(const double start, known_number(call, 0, "start"));
    OPBENCH_TRY(const double limit, known_number(call, 1, "limit"));
    return std::max(0.0, std::ceil((limit - start) / delta));
  }
  OPBENCH_TRY(const int64_t start, known_integer(call, 0, "start"));
  OPBENCH_TRY(const int64_t limit, known_integer(call, 1, "limit"));
  OPBENCH_TRY(const int64_t step, known_integer(call, 2, "delta"));
  return count_of_integers(start, limit, step);
}

Result<std::vector<TensorType>> infer_range(const OperatorCall& call) {
  OPBENCH_CHECK(require_inputs(call, 3, 3));
  OPBENCH_TRY(const double count, range_count(call));
  if (!(count < 0x1p47)) return misfit(call, "it has more elements than can be addressed");
  return std::vector<TensorType>{{call.inputs[0]->data_type, {static_cast<int64_t>(count)}}};
}

/// The element `index` of a range. Integers wrap around.
template <class T>
T range_element(T start, T delta, size_t index) {
  if constexpr (is_real_v<T>) {
    return static_cast<T>(start + static_cast<T>(index) * delta);
  } else {
    return static_cast<T>(static_cast<uint64_t>(start) + index * static_cast<uint64_t>(delta));
  }
}

Result<void> run_range(const OperatorCall& call, std::span<const TensorView> inputs,
                       std::span<const TensorView> outputs) {
  return with_element(call, outputs[0].type.data_type, [&](auto zero) {
    using T = decltype(zero);
    const T start = inputs[0].as<T>()[0];
    const T delta = inputs[2].as<T>()[0];
    const auto y = outputs[0].as<T>();
    for (size_t i = 0; i < y.size(); ++i) y[i] = range_element(start, delta, i);
  });
}

}  // namespace

OperatorDef range_operator() {
  return {
      .name = "range",
      .summary = "Numbers from a start to a limit in equal steps",
      .onnx_types = {"Range"},
      .infer = infer_range,
      .flops = no_flops,
      .run = run_range,
      .parameters = {0, 1, 2},
  };
}

}  // namespace opbench

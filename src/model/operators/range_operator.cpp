#include <algorithm>
#include <cmath>

#include "model/operators/element_type.h"
#include "model/operators/indices.h"

namespace opbench {
namespace {

Result<std::vector<TensorType>> infer_range(const OperatorCall& call) {
  OPBENCH_CHECK(require_inputs(call, 3, 3));
  OPBENCH_TRY(const double start, known_number(call, 0, "start"));
  OPBENCH_TRY(const double limit, known_number(call, 1, "limit"));
  OPBENCH_TRY(const double delta, known_number(call, 2, "delta"));
  if (delta == 0) return misfit(call, "its step is 0");
  const double count = std::max(0.0, std::ceil((limit - start) / delta));
  if (!(count < 0x1p47)) return misfit(call, "it has more elements than can be addressed");
  return std::vector<TensorType>{{call.inputs[0]->data_type, {static_cast<int64_t>(count)}}};
}

Result<void> run_range(const OperatorCall& call, std::span<const TensorView> inputs,
                       std::span<const TensorView> outputs) {
  return with_element(call, outputs[0].type.data_type, [&](auto zero) {
    using T = decltype(zero);
    const T start = inputs[0].as<T>()[0];
    const T delta = inputs[2].as<T>()[0];
    const auto y = outputs[0].as<T>();
    for (size_t i = 0; i < y.size(); ++i) y[i] = static_cast<T>(start + static_cast<T>(i) * delta);
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

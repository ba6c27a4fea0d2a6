#include <cmath>

#include "model/operators/elements/real_values.h"

namespace opbench {
namespace {

Result<void> run_is_nan(const OperatorCall& call, std::span<const TensorView> inputs,
                        std::span<const TensorView> outputs) {
  OPBENCH_TRY(const std::vector<double> x, real_values(call, inputs[0]));
  const auto y = outputs[0].as<uint8_t>();
  for (size_t i = 0; i < y.size(); ++i) y[i] = std::isnan(x[i]) ? 1 : 0;
  return {};
}

}  // namespace

OperatorDef is_nan_operator() {
  return {
      .name = "is_nan",
      .summary = "Whether elements are no numbers",
      .onnx_types = {"IsNaN"},
      .infer = truths_of_reals,
      .flops = one_per_result,
      .run = run_is_nan,
  };
}

}  // namespace opbench

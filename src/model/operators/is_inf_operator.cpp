#include <cmath>

#include "model/operators/elements/real_values.h"

namespace opbench {
namespace {

Result<void> run_is_inf(const OperatorCall& call, std::span<const TensorView> inputs,
                        std::span<const TensorView> outputs) {
  const bool finds_negative = int_attribute(*call.node, "detect_negative", 1) != 0;
  const bool finds_positive = int_attribute(*call.node, "detect_positive", 1) != 0;
  OPBENCH_TRY(const std::vector<double> x, real_values(call, inputs[0]));
  const auto y = outputs[0].as<uint8_t>();
  for (size_t i = 0; i < y.size(); ++i) {
    const bool is_found = x[i] < 0 ? finds_negative : finds_positive;
    y[i] = std::isinf(x[i]) && is_found ? 1 : 0;
  }
  return {};
}

}  // namespace

OperatorDef is_inf_operator() {
  return {
      .name = "is_inf",
      .summary = "Whether elements are infinite, of both signs or of one",
      .onnx_types = {"IsInf"},
      .infer = truths_of_reals,
      .flops = one_per_result,
      .run = run_is_inf,
      .attributes = {{"detect_negative", int64_t{1}}, {"detect_positive", int64_t{1}}},
  };
}

}  // namespace opbench

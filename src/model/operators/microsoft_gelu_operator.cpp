#include <fmt/format.h>

#include <cmath>
#include <numbers>

#include "model/operators/elements/element_type.h"

namespace opbench {
namespace {

double microsoft_gelu_erf_gelu(double x) {
  return 0.5 * x * (1 + std::erf(x / std::numbers::sqrt2));
}

/// The approximation by Hendrycks and Gimpel (2016).
double microsoft_gelu_tanh_gelu(double x) {
  return 0.5 * x * (1 + std::tanh(std::sqrt(2 / std::numbers::pi) * (x + 0.044715 * x * x * x)));
}

/// BiasGelu and FastGelu add a bias along the last dimension first; only BiasGelu must have it.
Result<std::vector<TensorType>> infer_microsoft_gelu(const OperatorCall& call) {
  const bool has_bias = call.node->type == "BiasGelu";
  const bool may_have_bias = has_bias || call.node->type == "FastGelu";
  OPBENCH_CHECK(require_inputs(call, has_bias ? 2 : 1, may_have_bias ? 2 : 1));
  if (has_input(call, 1)) {
    OPBENCH_CHECK(require_rank(call, 0, 1, 16));
    if (shape_of(call, 1) != Shape{shape_of(call, 0).back()}) {
      return misfit(call,
                    fmt::format("bias {} does not fit input {}", shape_text(shape_of(call, 1)),
                                shape_text(shape_of(call, 0))));
    }
  }
  return same_as_first(call);
}

Result<void> run_microsoft_gelu(const OperatorCall& call, std::span<const TensorView> inputs,
                                std::span<const TensorView> outputs) {
  const double alpha = float_attribute(*call.node, "alpha", 1.702F);
  const std::string& type = call.node->type;
  const auto function = [&](double x) {
    if (type == "QuickGelu") return x / (1 + std::exp(-alpha * x));
    return type == "FastGelu" ? microsoft_gelu_tanh_gelu(x) : microsoft_gelu_erf_gelu(x);
  };
  return with_element(call, inputs[0].type.data_type, [&](auto zero) {
    using T = decltype(zero);
    const auto x = inputs[0].as<T>();
    const auto y = outputs[0].as<T>();
    const auto bias = has_input(call, 1) ? inputs[1].as<T>() : std::span<T>();
    for (size_t i = 0; i < y.size(); ++i) {
      const double addend = bias.empty() ? 0 : static_cast<double>(bias[i % bias.size()]);
      y[i] = static_cast<T>(function(static_cast<double>(x[i]) + addend));
    }
  });
}

}  // namespace

OperatorDef microsoft_gelu_operator() {
  return {
      .name = "microsoft_gelu",
      .summary = "Gaussian error linear units: exact, by tanh or by a sigmoid, with a bias",
      .onnx_types = {"BiasGelu", "FastGelu", "Gelu", "QuickGelu"},
      .onnx_domain = "com.microsoft",
      .fusion = FusionRole::kElementwise,
      .layout = LayoutRole::kFollows,
      .infer = infer_microsoft_gelu,
      .flops = one_per_result,
      .run = run_microsoft_gelu,
      .attributes = {{"alpha", 1.702F}},
  };
}

}  // namespace opbench

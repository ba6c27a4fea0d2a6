#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "model/operators/elements/element_type.h"
#include "model/operators/elements/float32_run.h"
#include "model/operators/modern_form/node_parts.h"

namespace opbench {
namespace {

using SkipLayerNormViews = std::span<const TensorView>;

/// Operand positions of the two types: the simplified one has no beta.
struct Positions {
  size_t beta = 0;  ///< 0: none
  size_t bias = 0;
};

bool is_simplified(const OperatorCall& call) {
  return call.node->type == "SkipSimplifiedLayerNormalization";
}

Positions skip_layer_norm_positions_of(const OperatorCall& call) {
  return is_simplified(call) ? Positions{0, 3} : Positions{3, 4};
}

constexpr size_t kSkipLayerNormSum = 3;  ///< output: what is normalised

/// Y and the sum, in positions 0 and 3; 1 and 2 are statistics for training, which nobody computes.
/// Skip repeats over images where it has one or lacks the dimension.
Result<std::vector<TensorType>> infer_skip_layer_norm(const OperatorCall& call) {
  OPBENCH_CHECK(require_inputs(call, 3, skip_layer_norm_positions_of(call).bias + 1));
  OPBENCH_CHECK(require_outputs(call, 4));
  OPBENCH_CHECK(require_rank(call, 0, 2, 3));
  for (size_t i = 1; i < std::min(kSkipLayerNormSum, call.node->outputs.size()); ++i) {
    if (!call.node->outputs[i].empty())
      return misfit(call, "mean and inv_std_var are not computed");
  }
  const Shape& x = shape_of(call, 0);
  Shape skip = shape_of(call, 1);
  if (skip.size() == 3 && x.size() == 3 && skip[0] == 1) skip[0] = x[0];
  if (skip.size() + 1 == x.size()) skip.insert(skip.begin(), x[0]);
  if (skip != x) {
    return misfit(call, fmt::format("skip {} does not fit input {}", shape_text(shape_of(call, 1)),
                                    shape_text(x)));
  }
  for (size_t i = 2; i <= skip_layer_norm_positions_of(call).bias; ++i) {
    if (!has_input(call, i) || shape_of(call, i) == Shape{x.back()}) continue;
    return misfit(call, fmt::format("operand {} of shape {} does not fit input {}", i,
                                    shape_text(shape_of(call, i)), shape_text(x)));
  }
  std::vector<TensorType> types(std::max<size_t>(call.node->outputs.size(), 1), *call.inputs[0]);
  return types;
}

/// The sum, and as a layer or a root mean square is normalised.
double skip_layer_norm_flops(const OperatorCall& call, const std::vector<TensorType>& outputs) {
  return (is_simplified(call) ? 5.0 : 8.0) * static_cast<double>(outputs[0].size());
}

/// One row: y = (x - mean) / sqrt(variance + epsilon) gamma + beta, or without mean and beta.
void normalise_skip_layer_norm(const std::vector<double>& x, bool has_mean, double epsilon,
                               const float* gamma, const float* beta, float* y) {
  const auto length = static_cast<double>(x.size());
  double mean = 0;
  for (const double value : x) mean += has_mean ? value / length : 0;
  double squares = 0;
  for (const double value : x) squares += (value - mean) * (value - mean);
  const double factor = 1 / std::sqrt(squares / length + epsilon);
  for (size_t i = 0; i < x.size(); ++i) {
    const double value = (x[i] - mean) * factor * gamma[i];
    y[i] = static_cast<float>(value + (beta == nullptr ? 0 : double{beta[i]}));
  }
}

Result<void> run_skip_layer_norm(const OperatorCall& call, SkipLayerNormViews inputs,
                                 SkipLayerNormViews outputs) {
  OPBENCH_CHECK(require_float32(call, inputs));
  const Positions at = skip_layer_norm_positions_of(call);
  const auto x = inputs[0].as<float>();
  const auto skip = inputs[1].as<float>();
  const auto vector = [&](size_t index) {
    return index > 0 && has_input(call, index) ? inputs[index].as<float>().data() : nullptr;
  };
  const float* bias = vector(at.bias);
  const auto length = static_cast<size_t>(inputs[0].type.shape.back());
  const double epsilon = float_attribute(*call.node, "epsilon", 1e-12F);
  const bool has_sum =
      outputs.size() > kSkipLayerNormSum && outputs[kSkipLayerNormSum].data != nullptr;
  std::vector<double> row(length);
  for (size_t begin = 0; begin < x.size(); begin += length) {
    for (size_t i = 0; i < length; ++i) {
      const float sum = x[begin + i] + skip[(begin + i) % skip.size()];
      row[i] = sum + (bias == nullptr ? 0.0F : bias[i]);
      if (has_sum) outputs[kSkipLayerNormSum].as<float>()[begin + i] = static_cast<float>(row[i]);
    }
    if (outputs[0].data == nullptr) continue;
    normalise_skip_layer_norm(row, !is_simplified(call), epsilon, vector(2), vector(at.beta),
                              outputs[0].as<float>().data() + begin);
  }
  return {};
}

/// The sum in one node, or two with a bias, and the norm.
bool skip_layer_norm_take_apart(const OperatorCall& call, NodeParts& parts) {
  const bool has_floats = std::ranges::all_of(call.inputs, [](const TensorType* type) {
    return type == nullptr || type->data_type == DataType::kFloat32;
  });
  if (!has_floats || call.inputs[0]->size() == 0) return false;
  const Positions at = skip_layer_norm_positions_of(call);
  const bool has_bias = has_input(call, at.bias);
  std::string sum = parts.add("sum", "Add", {parts.operand(0), parts.operand(1)}, {},
                              has_bias ? "" : parts.result(kSkipLayerNormSum));
  if (has_bias)
    sum = parts.add("biased", "Add", {sum, parts.operand(at.bias)}, {},
                    parts.result(kSkipLayerNormSum));
  std::vector<std::string> operands = {sum, parts.operand(2)};
  if (at.beta > 0 && has_input(call, at.beta)) operands.push_back(parts.operand(at.beta));
  const Attributes attributes{{"axis", int64_t{-1}},
                              {"epsilon", float_attribute(*call.node, "epsilon", 1e-12F)}};
  const char* type = is_simplified(call) ? "SimplifiedLayerNormalization" : "LayerNormalization";
  parts.add("norm", type, std::move(operands), attributes, parts.result(0));
  return true;
}

}  // namespace

OperatorDef skip_layer_norm_operator() {
  return {
      .name = "skip_layer_norm",
      .summary = "Sum of an input, a residual and a bias, normalised over the last dimension",
      .onnx_types = {"SkipLayerNormalization", "SkipSimplifiedLayerNormalization"},
      .onnx_domain = "com.microsoft",
      .infer = infer_skip_layer_norm,
      .flops = skip_layer_norm_flops,
      .run = run_in_float32<run_skip_layer_norm>,
      .attributes = {{"epsilon", 1e-12F}},
      .take_apart = skip_layer_norm_take_apart,
  };
}

}  // namespace opbench

#include <algorithm>
#include <limits>

#include "model/operators/elements/element_type.h"
#include "model/operators/elements/float32_run.h"

namespace opbench {
namespace {

Result<std::vector<TensorType>> infer_global_pool(const OperatorCall& call) {
  OPBENCH_CHECK(require_inputs(call, 1, 1));
  OPBENCH_CHECK(require_rank(call, 0, 3, 16));
  Shape shape = shape_of(call, 0);
  std::fill(shape.begin() + 2, shape.end(), 1);
  return std::vector<TensorType>{{call.inputs[0]->data_type, shape}};
}

double global_pool_flops(const OperatorCall& call, const std::vector<TensorType>&) {
  return static_cast<double>(call.inputs[0]->size());
}

Result<void> run_global_pool(const OperatorCall& call, std::span<const TensorView> inputs,
                             std::span<const TensorView> outputs) {
  OPBENCH_CHECK(require_float32(call, inputs));
  const auto x = inputs[0].as<float>();
  const auto y = outputs[0].as<float>();
  const size_t plane = x.size() / std::max<size_t>(y.size(), 1);
  const bool is_max = call.node->type == "GlobalMaxPool";
  constexpr float kLeast = -std::numeric_limits<float>::infinity();  // of no elements
  for (size_t i = 0; i < y.size(); ++i) {
    const auto part = x.subspan(i * plane, plane);
    if (is_max) {
      y[i] = part.empty() ? kLeast : *std::ranges::max_element(part);
      continue;
    }
    double sum = 0;
    for (const float value : part) sum += value;
    y[i] = static_cast<float>(sum / static_cast<double>(plane));
  }
  return {};
}

}  // namespace

OperatorDef global_pool_operator() {
  return {
      .name = "global_pool",
      .summary = "Mean or largest element of every channel",
      .onnx_types = {"GlobalAveragePool", "GlobalMaxPool"},
      .layout = LayoutRole::kFollows,
      .infer = infer_global_pool,
      .flops = global_pool_flops,
      .run = run_in_float32<run_global_pool>,
  };
}

}  // namespace opbench

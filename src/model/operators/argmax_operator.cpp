#include <algorithm>

#include "model/operators/element_type.h"

namespace opbench {
namespace {

Result<int64_t> axis(const OperatorCall& call) {
  return axis_of(call, int_attribute(*call.node, "axis", 0), rank_of(call, 0));
}

Result<std::vector<TensorType>> infer(const OperatorCall& call) {
  OPBENCH_CHECK(require_inputs(call, 1, 1));
  OPBENCH_TRY(const int64_t along, axis(call));
  Shape shape = shape_of(call, 0);
  shape[along] = 1;
  if (int_attribute(*call.node, "keepdims", 1) == 0) shape.erase(shape.begin() + along);
  return std::vector<TensorType>{{DataType::kInt64, shape}};
}

double flops(const OperatorCall& call, const std::vector<TensorType>&) {
  return static_cast<double>(call.inputs[0]->size());
}

template <class T>
int64_t best_index(const T* x, int64_t length, int64_t stride, bool is_max, bool takes_last) {
  int64_t best = 0;
  for (int64_t i = 1; i < length; ++i) {
    const T value = x[i * stride];
    const T top = x[best * stride];
    const bool is_better = is_max ? value > top : value < top;
    if (is_better || (takes_last && value == top)) best = i;
  }
  return best;
}

Result<void> run(const OperatorCall& call, std::span<const TensorView> inputs,
                 std::span<const TensorView> outputs) {
  OPBENCH_TRY(const int64_t along, axis(call));
  const Shape& shape = inputs[0].type.shape;
  const int64_t outer = element_count({shape.begin(), shape.begin() + along});
  const int64_t inner = element_count({shape.begin() + along + 1, shape.end()});
  const bool is_max = call.node->type == "ArgMax";
  const bool takes_last = int_attribute(*call.node, "select_last_index", 0) != 0;
  auto* y = static_cast<int64_t*>(outputs[0].data);
  return with_element(call, inputs[0].type.data_type, [&](auto zero) {
    using T = decltype(zero);
    const T* x = static_cast<const T*>(inputs[0].data);
    for (int64_t i = 0; i < outer * inner; ++i) {
      const T* first = x + i / inner * shape[along] * inner + i % inner;
      y[i] = best_index(first, shape[along], inner, is_max, takes_last);
    }
  });
}

}  // namespace

OperatorDef argmax_operator() {
  return {
      .name = "argmax",
      .summary = "Where the largest or smallest element along an axis is",
      .onnx_types = {"ArgMax", "ArgMin"},
      .infer = infer,
      .flops = flops,
      .run = run,
      .attributes = {{"axis", int64_t{0}},
                     {"keepdims", int64_t{1}},
                     {"select_last_index", int64_t{0}}},
  };
}

}  // namespace opbench

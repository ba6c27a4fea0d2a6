#include "model/operators/axes/strided.h"
#include "model/operators/elements/element_type.h"

namespace opbench {
namespace {

Result<std::vector<TensorType>> infer_where(const OperatorCall& call) {
  OPBENCH_CHECK(require_inputs(call, 3, 3));
  if (call.inputs[0]->data_type != DataType::kBool)
    return misfit(call, "its condition is not bool");
  if (call.inputs[1]->data_type != call.inputs[2]->data_type) {
    return misfit(call, "its two values differ in type");
  }
  OPBENCH_TRY(Shape shape, broadcast_inputs(call));
  return std::vector<TensorType>{{call.inputs[1]->data_type, shape}};
}

Result<void> run_where(const OperatorCall& call, std::span<const TensorView> inputs,
                       std::span<const TensorView> outputs) {
  const Shape& shape = outputs[0].type.shape;
  std::array<Integers, 3> strides;
  for (size_t i = 0; i < 3; ++i) strides[i] = broadcast_strides(inputs[i].type.shape, shape);
  const auto* condition = static_cast<const uint8_t*>(inputs[0].data);
  return with_width(call, outputs[0].type.data_type, [&](auto zero) {
    using T = decltype(zero);
    const T* a = static_cast<const T*>(inputs[1].data);
    const T* b = static_cast<const T*>(inputs[2].data);
    T* y = static_cast<T*>(outputs[0].data);
    for_each_row<3>(shape, strides, [&](int64_t first, auto at, int64_t count) {
      for (int64_t i = 0; i < count; ++i) {
        const bool holds = condition[at[0] + i * last_stride(strides[0])] != 0;
        y[first + i] =
            holds ? a[at[1] + i * last_stride(strides[1])] : b[at[2] + i * last_stride(strides[2])];
      }
    });
  });
}

}  // namespace

OperatorDef where_operator() {
  return {
      .name = "where",
      .summary = "One of two elements, chosen by a third",
      .onnx_types = {"Where"},
      .fusion = FusionRole::kElementwise,
      .layout = LayoutRole::kPlain,
      .infer = infer_where,
      .flops = one_per_result,
      .run = run_where,
  };
}

}  // namespace opbench

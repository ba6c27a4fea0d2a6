#include "model/operators/axes/strided.h"
#include "model/operators/elements/element_type.h"
#include "model/operators/elements/float32_run.h"
#include "model/operators/modern_form/old_alignment.h"

namespace opbench {
namespace {

Result<std::vector<TensorType>> infer_prelu(const OperatorCall& call) {
  OPBENCH_CHECK(require_inputs(call, 2, 2));
  OPBENCH_CHECK(require_alignment(call));
  OPBENCH_TRY(const Shape shape, broadcast_inputs(call));
  if (shape != shape_of(call, 0)) {
    return misfit(call, "slope " + shape_text(shape_of(call, 1)) + " does not fit " +
                            shape_text(shape_of(call, 0)));
  }
  return same_as_first(call);
}

/// y = x < 0 ? slope * x : x
Result<void> run_prelu(const OperatorCall& call, std::span<const TensorView> inputs,
                       std::span<const TensorView> outputs) {
  OPBENCH_CHECK(require_float32(call, inputs));
  const Shape& shape = outputs[0].type.shape;
  const Integers strides = broadcast_strides(inputs[1].type.shape, shape);
  const int64_t step = last_stride(strides);
  const float* x = inputs[0].as<float>().data();
  const float* slope = inputs[1].as<float>().data();
  float* y = outputs[0].as<float>().data();
  for_each_row<1>(shape, {strides}, [&](int64_t first, auto at, int64_t count) {
    for (int64_t i = 0; i < count; ++i) {
      const float value = x[first + i];
      y[first + i] = value < 0 ? slope[at[0] + i * step] * value : value;
    }
  });
  return {};
}

}  // namespace

OperatorDef prelu_operator() {
  return {
      .name = "prelu",
      .summary = "Negative elements multiplied by a learned slope",
      .onnx_types = {"PRelu"},
      .fusion = FusionRole::kElementwise,
      .layout = LayoutRole::kFollows,
      .infer = infer_prelu,
      .flops = one_per_result,
      .run = run_in_float32<run_prelu>,
  };
}

}  // namespace opbench

#include "model/operators/axes/strided.h"
#include "model/operators/elements/float32_run.h"
#include "model/operators/quantised/quantization.h"

namespace opbench {
namespace {

enum QlinearAddInput : size_t {
  kQlinearAddA,
  kQlinearAddAScale,
  kQlinearAddAZero,
  kQlinearAddB,
  kQlinearAddBScale,
  kQlinearAddBZero,
  kQlinearAddYScale,
  kQlinearAddYZero
};

Result<void> check_scalings(const OperatorCall& call) {
  for (const QlinearAddInput scale : {kQlinearAddAScale, kQlinearAddBScale, kQlinearAddYScale}) {
    OPBENCH_CHECK(require_single(call, scale, "scale"));
  }
  for (const QlinearAddInput zero : {kQlinearAddAZero, kQlinearAddBZero, kQlinearAddYZero}) {
    OPBENCH_CHECK(require_single(call, zero, "zero point"));
    OPBENCH_CHECK(require_zero_point(call, zero, kQlinearAddA));
  }
  return {};
}

Result<std::vector<TensorType>> infer_qlinear_add(const OperatorCall& call) {
  OPBENCH_CHECK(require_inputs(call, 7, 8));
  OPBENCH_CHECK(require_outputs(call, 1));
  for (const QlinearAddInput needed :
       {kQlinearAddA, kQlinearAddAScale, kQlinearAddB, kQlinearAddBScale, kQlinearAddYScale}) {
    if (!has_input(call, needed)) return misfit(call, "has no operand " + std::to_string(needed));
  }
  OPBENCH_CHECK(require_byte_integers(call, kQlinearAddA));
  if (call.inputs[kQlinearAddA]->data_type != call.inputs[kQlinearAddB]->data_type) {
    return misfit(call, "operands are " +
                            std::string(name_of(call.inputs[kQlinearAddA]->data_type)) + " and " +
                            std::string(name_of(call.inputs[kQlinearAddB]->data_type)));
  }
  OPBENCH_CHECK(check_scalings(call));
  OPBENCH_TRY(Shape shape,
              broadcast(call, shape_of(call, kQlinearAddA), shape_of(call, kQlinearAddB)));
  return std::vector<TensorType>{{call.inputs[kQlinearAddA]->data_type, std::move(shape)}};
}

/// Two products, their sum and the zero point for each result.
double qlinear_add_flops(const OperatorCall&, const std::vector<TensorType>& outputs) {
  return 4.0 * static_cast<double>(outputs[0].size());
}

template <class T>
void add_qlinear_add(const OperatorCall& call, std::span<const TensorView> inputs,
                     const TensorView& out) {
  const auto number = [&](QlinearAddInput index) {
    const bool is_there = has_input(call, index);
    return is_there ? static_cast<float>(inputs[index].as<T>()[0]) : 0.0F;
  };
  const float a_zero = number(kQlinearAddAZero);
  const float b_zero = number(kQlinearAddBZero);
  const float y_zero = number(kQlinearAddYZero);
  const float y_scale = inputs[kQlinearAddYScale].as<float>()[0];
  const float a_factor = inputs[kQlinearAddAScale].as<float>()[0] / y_scale;
  const float b_factor = inputs[kQlinearAddBScale].as<float>()[0] / y_scale;
  const Shape& shape = out.type.shape;
  const Integers a_strides = broadcast_strides(inputs[kQlinearAddA].type.shape, shape);
  const Integers b_strides = broadcast_strides(inputs[kQlinearAddB].type.shape, shape);
  const T* a = inputs[kQlinearAddA].as<T>().data();
  const T* b = inputs[kQlinearAddB].as<T>().data();
  T* y = out.as<T>().data();
  for_each_row<2>(shape, {a_strides, b_strides}, [&](int64_t first, auto at, int64_t count) {
    for (int64_t i = 0; i < count; ++i) {
      const auto x = static_cast<float>(a[at[0] + i * last_stride(a_strides)]);
      const auto z = static_cast<float>(b[at[1] + i * last_stride(b_strides)]);
      const float left = (x - a_zero) * a_factor;
      const float right = (z - b_zero) * b_factor;
      const float sum = left + right;
      y[first + i] = saturated<T>(std::nearbyint(static_cast<double>(sum)) + double{y_zero});
    }
  });
}

/// y = saturate(round((a - zero point) * (scale of a / scale of y) + (b - zero point) * (scale of b
/// / scale of y)) + zero point of y). The factors, the products and their sum are floats, as
/// engines have them.
Result<void> run_qlinear_add(const OperatorCall& call, std::span<const TensorView> inputs,
                             std::span<const TensorView> outputs) {
  if (outputs[0].type.data_type == DataType::kInt8) {
    add_qlinear_add<int8_t>(call, inputs, outputs[0]);
  } else {
    add_qlinear_add<uint8_t>(call, inputs, outputs[0]);
  }
  return {};
}

}  // namespace

/// https://github.com/microsoft/onnxruntime/blob/main/docs/ContribOperators.md#com.microsoft.QLinearAdd
OperatorDef qlinear_add_operator() {
  constexpr ValueRange kScales{0.01F, 0.1F};
  return {
      .name = "qlinear_add",
      .summary = "Sum of two quantised tensors, quantised again",
      .onnx_types = {"QLinearAdd"},
      .onnx_domain = "com.microsoft",
      .fusion = FusionRole::kElementwise,
      .layout = LayoutRole::kFollows,
      .infer = infer_qlinear_add,
      .flops = qlinear_add_flops,
      .run = run_in_float32<run_qlinear_add>,
      .domains = {{"QLinearAdd", kQlinearAddAScale, kScales},
                  {"QLinearAdd", kQlinearAddBScale, kScales},
                  {"QLinearAdd", kQlinearAddYScale, kScales}},
  };
}

}  // namespace opbench

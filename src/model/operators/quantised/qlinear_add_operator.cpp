#include "model/operators/float32_run.h"
#include "model/operators/quantised/quantization.h"
#include "model/operators/strided.h"

namespace opbench {
namespace {

enum Input : size_t { kA, kAScale, kAZero, kB, kBScale, kBZero, kYScale, kYZero };

Result<void> check_scalings(const OperatorCall& call) {
  for (const Input scale : {kAScale, kBScale, kYScale}) {
    OPBENCH_CHECK(require_single(call, scale, "scale"));
  }
  for (const Input zero : {kAZero, kBZero, kYZero}) {
    OPBENCH_CHECK(require_single(call, zero, "zero point"));
    OPBENCH_CHECK(require_zero_point(call, zero, kA));
  }
  return {};
}

Result<std::vector<TensorType>> infer(const OperatorCall& call) {
  OPBENCH_CHECK(require_inputs(call, 7, 8));
  OPBENCH_CHECK(require_outputs(call, 1));
  for (const Input needed : {kA, kAScale, kB, kBScale, kYScale}) {
    if (!has_input(call, needed)) return misfit(call, "has no operand " + std::to_string(needed));
  }
  OPBENCH_CHECK(require_byte_integers(call, kA));
  if (call.inputs[kA]->data_type != call.inputs[kB]->data_type) {
    return misfit(call, "operands are " + std::string(name_of(call.inputs[kA]->data_type)) +
                            " and " + std::string(name_of(call.inputs[kB]->data_type)));
  }
  OPBENCH_CHECK(check_scalings(call));
  OPBENCH_TRY(Shape shape, broadcast(call, shape_of(call, kA), shape_of(call, kB)));
  return std::vector<TensorType>{{call.inputs[kA]->data_type, std::move(shape)}};
}

/// Two products, their sum and the zero point for each result.
double flops(const OperatorCall&, const std::vector<TensorType>& outputs) {
  return 4.0 * static_cast<double>(outputs[0].size());
}

template <class T>
void add(const OperatorCall& call, std::span<const TensorView> inputs, const TensorView& out) {
  const auto number = [&](Input index) {
    const bool is_there = has_input(call, index);
    return is_there ? static_cast<float>(inputs[index].as<T>()[0]) : 0.0F;
  };
  const float a_zero = number(kAZero);
  const float b_zero = number(kBZero);
  const float y_zero = number(kYZero);
  const float y_scale = inputs[kYScale].as<float>()[0];
  const float a_factor = inputs[kAScale].as<float>()[0] / y_scale;
  const float b_factor = inputs[kBScale].as<float>()[0] / y_scale;
  const Shape& shape = out.type.shape;
  const Integers a_strides = broadcast_strides(inputs[kA].type.shape, shape);
  const Integers b_strides = broadcast_strides(inputs[kB].type.shape, shape);
  const T* a = inputs[kA].as<T>().data();
  const T* b = inputs[kB].as<T>().data();
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
Result<void> run(const OperatorCall& call, std::span<const TensorView> inputs,
                 std::span<const TensorView> outputs) {
  if (outputs[0].type.data_type == DataType::kInt8) {
    add<int8_t>(call, inputs, outputs[0]);
  } else {
    add<uint8_t>(call, inputs, outputs[0]);
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
      .infer = infer,
      .flops = flops,
      .run = run_in_float32<run>,
      .domains = {{"QLinearAdd", kAScale, kScales},
                  {"QLinearAdd", kBScale, kScales},
                  {"QLinearAdd", kYScale, kScales}},
  };
}

}  // namespace opbench

#include "model/operators/elements/element_type.h"
#include "model/operators/elements/float32_run.h"
#include "model/operators/integers/integer_product.h"
#include "model/operators/quantised/quantization.h"

namespace opbench {
namespace {

enum QlinearMatmulInput : size_t {
  kQlinearMatmulA,
  kQlinearMatmulAScale,
  kQlinearMatmulAZero,
  kQlinearMatmulB,
  kQlinearMatmulBScale,
  kQlinearMatmulBZero,
  kQlinearMatmulYScale,
  kQlinearMatmulYZero
};

constexpr QuantizedOperand kLeft{kQlinearMatmulA, kQlinearMatmulAZero, QuantizedLines::kRows};
constexpr QuantizedOperand kRight{kQlinearMatmulB, kQlinearMatmulBZero, QuantizedLines::kColumns};

/// `shape` with an extent of 1 in place of the one over which lines share a scale.
Shape line_shape(Shape shape, QuantizedLines lines) {
  if (lines == QuantizedLines::kRows) shape.back() = 1;
  if (lines == QuantizedLines::kColumns) shape[shape.size() - (shape.size() > 1 ? 2 : 1)] = 1;
  return shape;
}

Result<std::vector<TensorType>> infer_qlinear_matmul(const OperatorCall& call) {
  OPBENCH_CHECK(require_inputs(call, 8, 8));
  OPBENCH_CHECK(require_outputs(call, 1));
  OPBENCH_TRY(const BatchedProduct product,
              batched_product(call, kQlinearMatmulA, kQlinearMatmulB));
  OPBENCH_CHECK(check_quantized(call, kLeft));
  OPBENCH_CHECK(check_quantized(call, kRight));
  OPBENCH_CHECK(
      parameter_strides(call, kQlinearMatmulAScale, shape_of(call, kQlinearMatmulA), kLeft.lines));
  OPBENCH_CHECK(
      parameter_strides(call, kQlinearMatmulBScale, shape_of(call, kQlinearMatmulB), kRight.lines));
  OPBENCH_CHECK(
      parameter_strides(call, kQlinearMatmulYScale, product.shape, QuantizedLines::kRows));
  OPBENCH_CHECK(parameter_strides(call, kQlinearMatmulYZero, product.shape, QuantizedLines::kRows));
  OPBENCH_CHECK(require_byte_integers(call, kQlinearMatmulYZero));
  return std::vector<TensorType>{{call.inputs[kQlinearMatmulYZero]->data_type, product.shape}};
}

/// The product, then a multiply and an add for each result.
double qlinear_matmul_flops(const OperatorCall& call, const std::vector<TensorType>& outputs) {
  const auto product = batched_product(call, kQlinearMatmulA, kQlinearMatmulB);
  return product ? product_flops(*product) + 2.0 * static_cast<double>(outputs[0].size()) : 0;
}

/// The scales of every row of A or column of B.
Result<std::vector<float>> line_scales(const OperatorCall& call, std::span<const TensorView> inputs,
                                       const QuantizedOperand& operand, QlinearMatmulInput scale) {
  const Shape& matrix = shape_of(call, operand.index);
  OPBENCH_TRY(const Integers strides, parameter_strides(call, scale, matrix, operand.lines));
  return repeated<float>(inputs[scale].as<float>(), strides, line_shape(matrix, operand.lines));
}

/// The factor and the zero point that make a sum of products a result.
template <class T>
struct Requantization {
  std::vector<float> a_scales;  ///< of every row
  std::vector<float> b_scales;  ///< of every column
  std::vector<float> y_scales;  ///< of every result
  std::vector<T> zero_points;   ///< of every result

  T operator()(int64_t sum, int64_t row, int64_t column, int64_t result) const {
    const auto at = static_cast<size_t>(result);
    const float factor =
        a_scales[static_cast<size_t>(row)] * b_scales[static_cast<size_t>(column)] / y_scales[at];
    return requantized<T>(sum, factor, zero_points[at]);
  }
};

template <class T>
Result<Requantization<T>> requantization(const OperatorCall& call,
                                         std::span<const TensorView> inputs, const Shape& shape) {
  Requantization<T> result;
  OPBENCH_TRY(result.a_scales, line_scales(call, inputs, kLeft, kQlinearMatmulAScale));
  OPBENCH_TRY(result.b_scales, line_scales(call, inputs, kRight, kQlinearMatmulBScale));
  OPBENCH_TRY(const Integers scale_strides,
              parameter_strides(call, kQlinearMatmulYScale, shape, QuantizedLines::kRows));
  OPBENCH_TRY(const Integers zero_strides,
              parameter_strides(call, kQlinearMatmulYZero, shape, QuantizedLines::kRows));
  result.y_scales = repeated<float>(inputs[kQlinearMatmulYScale].as<float>(), scale_strides, shape);
  result.zero_points = repeated<T>(inputs[kQlinearMatmulYZero].as<T>(), zero_strides, shape);
  return result;
}

template <class T>
Result<void> multiply(const OperatorCall& call, std::span<const TensorView> inputs,
                      const TensorView& out) {
  OPBENCH_TRY(const BatchedProduct p, batched_product(call, kQlinearMatmulA, kQlinearMatmulB));
  OPBENCH_TRY(const auto a, centred_matrix(call, inputs, kLeft));
  OPBENCH_TRY(const auto b, centred_matrix(call, inputs, kRight));
  OPBENCH_TRY(const auto requantize, requantization<T>(call, inputs, p.shape));
  const auto y = out.as<T>();
  for_each_matrix(p, [&](int64_t in_a, int64_t in_b, int64_t in_y) {
    const auto sums = integer_product(a.data() + in_a * p.m * p.k, b.data() + in_b * p.k * p.n, p);
    for (int64_t i = 0; i < p.m * p.n; ++i) {
      const int64_t at = in_y * p.m * p.n + i;
      y[static_cast<size_t>(at)] =
          requantize(sums[static_cast<size_t>(i)], in_a * p.m + i / p.n, in_b * p.n + i % p.n, at);
    }
  });
  return {};
}

/// y = saturate(round(sum of products * scale of a * scale of b / scale of y) + zero point of y).
Result<void> run_qlinear_matmul(const OperatorCall& call, std::span<const TensorView> inputs,
                                std::span<const TensorView> outputs) {
  for (const QlinearMatmulInput scale :
       {kQlinearMatmulAScale, kQlinearMatmulBScale, kQlinearMatmulYScale}) {
    OPBENCH_CHECK(require_float32(call, inputs.subspan(scale, 1)));
  }
  const bool is_signed = outputs[0].type.data_type == DataType::kInt8;
  return is_signed ? multiply<int8_t>(call, inputs, outputs[0])
                   : multiply<uint8_t>(call, inputs, outputs[0]);
}

}  // namespace

/// https://onnx.ai/onnx/operators/onnx__QLinearMatMul.html
OperatorDef qlinear_matmul_operator() {
  constexpr ValueRange kScales{0.01F, 0.1F};
  return {
      .name = "qlinear_matmul",
      .summary = "Matrix product of quantised tensors, quantised again",
      .onnx_types = {"QLinearMatMul"},
      .fusion = FusionRole::kAnchor,
      .infer = infer_qlinear_matmul,
      .flops = qlinear_matmul_flops,
      .run = run_in_float32<run_qlinear_matmul>,
      .domains = {{"QLinearMatMul", kQlinearMatmulAScale, kScales},
                  {"QLinearMatMul", kQlinearMatmulBScale, kScales},
                  {"QLinearMatMul", kQlinearMatmulYScale, kScales}},
  };
}

}  // namespace opbench

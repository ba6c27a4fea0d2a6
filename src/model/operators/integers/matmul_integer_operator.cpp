#include "model/operators/integers/integer_product.h"

namespace opbench {
namespace {

constexpr QuantizedOperand kMatmulIntegerA{0, 2, QuantizedLines::kRows};
constexpr QuantizedOperand kMatmulIntegerB{1, 3, QuantizedLines::kColumns};

Result<std::vector<TensorType>> infer_matmul_integer(const OperatorCall& call) {
  OPBENCH_CHECK(require_inputs(call, 2, 4));
  OPBENCH_CHECK(require_outputs(call, 1));
  OPBENCH_TRY(const BatchedProduct product, batched_product(call, 0, 1));
  OPBENCH_CHECK(check_quantized(call, kMatmulIntegerA));
  OPBENCH_CHECK(check_quantized(call, kMatmulIntegerB));
  return std::vector<TensorType>{{DataType::kInt32, product.shape}};
}

double matmul_integer_flops(const OperatorCall& call, const std::vector<TensorType>&) {
  const auto product = batched_product(call, 0, 1);
  return product ? product_flops(*product) : 0;
}

/// y = (a - its zero points) * (b - its zero points).
Result<void> run_matmul_integer(const OperatorCall& call, std::span<const TensorView> inputs,
                                std::span<const TensorView> outputs) {
  OPBENCH_TRY(const BatchedProduct p, batched_product(call, 0, 1));
  OPBENCH_TRY(const auto a, centred_matrix(call, inputs, kMatmulIntegerA));
  OPBENCH_TRY(const auto b, centred_matrix(call, inputs, kMatmulIntegerB));
  int32_t* y = outputs[0].as<int32_t>().data();
  for_each_matrix(p, [&](int64_t in_a, int64_t in_b, int64_t in_y) {
    const auto sums = integer_product(a.data() + in_a * p.m * p.k, b.data() + in_b * p.k * p.n, p);
    int32_t* matrix = y + in_y * p.m * p.n;
    for (size_t i = 0; i < sums.size(); ++i) matrix[i] = static_cast<int32_t>(sums[i]);
  });
  return {};
}

}  // namespace

/// https://onnx.ai/onnx/operators/onnx__MatMulInteger.html
OperatorDef matmul_integer_operator() {
  return {
      .name = "matmul_integer",
      .summary = "Matrix product of 8-bit integers less their zero points, in int32",
      .onnx_types = {"MatMulInteger"},
      .fusion = FusionRole::kAnchor,
      .infer = infer_matmul_integer,
      .flops = matmul_integer_flops,
      .run = run_matmul_integer,
  };
}

}  // namespace opbench

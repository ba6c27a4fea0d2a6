#include "model/operators/elements/element_type.h"
#include "model/operators/elements/float32_run.h"
#include "model/operators/products/batched_product.h"
#include "model/operators/products/matrix_product.h"

namespace opbench {
namespace {

Result<std::vector<TensorType>> infer_matmul(const OperatorCall& call) {
  OPBENCH_CHECK(require_inputs(call, 2, 2));
  OPBENCH_TRY(const BatchedProduct product, batched_product(call, 0, 1));
  return std::vector<TensorType>{{call.inputs[0]->data_type, product.shape}};
}

double matmul_flops(const OperatorCall& call, const std::vector<TensorType>&) {
  const auto product = batched_product(call, 0, 1);
  return product ? product_flops(*product) : 0;
}

Result<void> run_matmul(const OperatorCall& call, std::span<const TensorView> inputs,
                        std::span<const TensorView> outputs) {
  OPBENCH_CHECK(require_float32(call, inputs));
  OPBENCH_TRY(const BatchedProduct p, batched_product(call, 0, 1));
  const float* a = inputs[0].as<float>().data();
  const float* b = inputs[1].as<float>().data();
  float* y = outputs[0].as<float>().data();
  for_each_matrix(p, [&](int64_t in_a, int64_t in_b, int64_t in_y) {
    matrix_product({a + in_a * p.m * p.k, p.k, 1}, {b + in_b * p.k * p.n, p.n, 1},
                   y + in_y * p.m * p.n, p.n, p.m, p.n, p.k);
  });
  return {};
}

}  // namespace

OperatorDef matmul_operator() {
  return {
      .name = "matmul",
      .summary = "Matrix product over any number of batch dimensions",
      .onnx_types = {"MatMul"},
      .fusion = FusionRole::kAnchor,
      .infer = infer_matmul,
      .flops = matmul_flops,
      .run = run_in_float32<run_matmul>,
  };
}

}  // namespace opbench

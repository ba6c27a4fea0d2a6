#include <fmt/format.h>

#include "model/operators/element_type.h"
#include "model/operators/float32_run.h"
#include "model/operators/matrix_product.h"
#include "model/operators/strided.h"

namespace opbench {
namespace {

/// numpy's matmul: A[batch…, m, k] * B[batch…, k, n]; vectors gain an extent of 1 that the result
/// loses again.
struct Batched {
  Shape a_batch;
  Shape b_batch;
  int64_t m = 1;
  int64_t n = 1;
  int64_t k = 1;
  int64_t k_of_b = 1;
};

Batched batched_of(const OperatorCall& call) {
  const Shape& a = shape_of(call, 0);
  const Shape& b = shape_of(call, 1);
  Batched p;
  p.k = a.back();
  if (a.size() > 1) {
    p.m = a[a.size() - 2];
    p.a_batch.assign(a.begin(), a.end() - 2);
  }
  p.k_of_b = b[b.size() > 1 ? b.size() - 2 : 0];
  if (b.size() > 1) {
    p.n = b.back();
    p.b_batch.assign(b.begin(), b.end() - 2);
  }
  return p;
}

Result<std::vector<TensorType>> infer(const OperatorCall& call) {
  OPBENCH_CHECK(require_inputs(call, 2, 2));
  OPBENCH_CHECK(require_rank(call, 0, 1, 16));
  OPBENCH_CHECK(require_rank(call, 1, 1, 16));
  const Batched p = batched_of(call);
  if (p.k != p.k_of_b) {
    return misfit(call, fmt::format("operands {} and {} differ in the summed extent ({} and {})",
                                    shape_text(shape_of(call, 0)), shape_text(shape_of(call, 1)),
                                    p.k, p.k_of_b));
  }
  OPBENCH_TRY(Shape shape, broadcast(call, p.a_batch, p.b_batch));
  if (rank_of(call, 0) > 1) shape.push_back(p.m);
  if (rank_of(call, 1) > 1) shape.push_back(p.n);
  return std::vector<TensorType>{{call.inputs[0]->data_type, shape}};
}

double flops(const OperatorCall& call, const std::vector<TensorType>& outputs) {
  return 2.0 * static_cast<double>(outputs[0].size()) * static_cast<double>(batched_of(call).k);
}

Result<void> run(const OperatorCall& call, std::span<const TensorView> inputs,
                 std::span<const TensorView> outputs) {
  OPBENCH_CHECK(require_float32(call, inputs));
  const Batched p = batched_of(call);
  OPBENCH_TRY(Shape batch, broadcast(call, p.a_batch, p.b_batch));
  const Integers a_strides = broadcast_strides(p.a_batch, batch);
  const Integers b_strides = broadcast_strides(p.b_batch, batch);
  const float* a = inputs[0].as<float>().data();
  const float* b = inputs[1].as<float>().data();
  float* y = outputs[0].as<float>().data();
  for_each_row<2>(batch, {a_strides, b_strides}, [&](int64_t first, auto at, int64_t count) {
    for (int64_t i = 0; i < count; ++i) {
      const int64_t in_a = at[0] + i * last_stride(a_strides);
      const int64_t in_b = at[1] + i * last_stride(b_strides);
      matrix_product({a + in_a * p.m * p.k, p.k, 1}, {b + in_b * p.k * p.n, p.n, 1},
                     y + (first + i) * p.m * p.n, p.n, p.m, p.n, p.k);
    }
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
      .infer = infer,
      .flops = flops,
      .run = run_in_float32<run>,
  };
}

}  // namespace opbench

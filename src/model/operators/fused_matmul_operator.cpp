#include <algorithm>

#include "model/operators/elements/element_type.h"
#include "model/operators/elements/float32_run.h"
#include "model/operators/products/batched_product.h"
#include "model/operators/products/matrix_product.h"

namespace opbench {
namespace {

bool has_flag(const OperatorCall& call, const char* name) {
  return int_attribute(*call.node, name, 0) != 0;
}

/// How an operand lies in memory.
struct Turns {
  bool is_transposed = false;
  bool has_inner_batch = false;
};

Turns turns_of_a(const OperatorCall& call) {
  return {.is_transposed = has_flag(call, "transA"),
          .has_inner_batch = has_flag(call, "transBatchA")};
}

Turns turns_of_b(const OperatorCall& call) {
  return {.is_transposed = has_flag(call, "transB"),
          .has_inner_batch = has_flag(call, "transBatchB")};
}

/// The operand's shape once its batch is moved inside (the first dimension before the last but one)
/// and its last two dimensions are exchanged, as the flags say.
TensorType turned(const TensorType& type, Turns turns) {
  TensorType result = type;
  Shape& shape = result.shape;
  if (turns.has_inner_batch && shape.size() > 2) {
    std::rotate(shape.begin(), shape.begin() + 1, shape.end() - 1);
  }
  if (turns.is_transposed && shape.size() > 1) std::swap(shape.back(), shape[shape.size() - 2]);
  return result;
}

/// Strides of one operand's matrices in memory.
struct MatrixStrides {
  int64_t matrix = 0;
  int64_t row = 0;
  int64_t column = 1;
};

/// Where the batch is inside, row i of matrix b of [rows, batch…, columns] is at
/// (i * batch + b) * columns.
MatrixStrides fused_matmul_strides_of(const Shape& stored, Turns turns) {
  const int64_t columns = stored.back();
  const int64_t rows = stored.size() > 1 ? stored[stored.size() - 2] : 1;
  MatrixStrides s{rows * columns, columns, 1};
  if (turns.has_inner_batch && stored.size() > 2) {
    const int64_t batch = element_count({stored.begin() + 1, stored.end() - 1});
    s = {columns, batch * columns, 1};
  }
  if (turns.is_transposed && stored.size() > 1) std::swap(s.row, s.column);
  return s;
}

struct FusedMatmulProduct {
  BatchedProduct product;
  MatrixStrides a, b;
};

Result<FusedMatmulProduct> fused_matmul_product_of(const OperatorCall& call) {
  const Turns turns_a = turns_of_a(call), turns_b = turns_of_b(call);
  const TensorType a = turned(*call.inputs[0], turns_a), b = turned(*call.inputs[1], turns_b);
  OperatorCall turned_call = call;
  turned_call.inputs = {&a, &b};
  FusedMatmulProduct result;
  OPBENCH_TRY(result.product, batched_product(turned_call, 0, 1));
  result.a = fused_matmul_strides_of(call.inputs[0]->shape, turns_a);
  result.b = fused_matmul_strides_of(call.inputs[1]->shape, turns_b);
  return result;
}

Result<std::vector<TensorType>> infer_fused_matmul(const OperatorCall& call) {
  OPBENCH_CHECK(require_inputs(call, 2, 2));
  OPBENCH_TRY(const FusedMatmulProduct p, fused_matmul_product_of(call));
  return std::vector<TensorType>{{call.inputs[0]->data_type, p.product.shape}};
}

double fused_matmul_flops(const OperatorCall& call, const std::vector<TensorType>&) {
  const auto p = fused_matmul_product_of(call);
  return p ? product_flops(p->product) : 0;
}

/// Y = alpha A B, where A and B may lie transposed, their batch inside or outside.
Result<void> run_fused_matmul(const OperatorCall& call, std::span<const TensorView> inputs,
                              std::span<const TensorView> outputs) {
  OPBENCH_CHECK(require_float32(call, inputs));
  OPBENCH_TRY(const FusedMatmulProduct p, fused_matmul_product_of(call));
  const float alpha = float_attribute(*call.node, "alpha", 1.0F);
  const float* a = inputs[0].as<float>().data();
  const float* b = inputs[1].as<float>().data();
  float* y = outputs[0].as<float>().data();
  for_each_matrix(p.product, [&](int64_t in_a, int64_t in_b, int64_t in_y) {
    float* to = y + in_y * p.product.m * p.product.n;
    matrix_product({a + in_a * p.a.matrix, p.a.row, p.a.column},
                   {b + in_b * p.b.matrix, p.b.row, p.b.column}, to, p.product.n, p.product.m,
                   p.product.n, p.product.k);
  });
  for (float& value : outputs[0].as<float>()) value *= alpha;
  return {};
}

}  // namespace

OperatorDef fused_matmul_operator() {
  return {
      .name = "fused_matmul",
      .summary = "Matrix product times a number, of operands that may lie transposed",
      .onnx_types = {"FusedMatMul"},
      .onnx_domain = "com.microsoft",
      .fusion = FusionRole::kAnchor,
      .infer = infer_fused_matmul,
      .flops = fused_matmul_flops,
      .run = run_in_float32<run_fused_matmul>,
      .attributes = {{"alpha", 1.0F},
                     {"transA", int64_t{0}},
                     {"transB", int64_t{0}},
                     {"transBatchA", int64_t{0}},
                     {"transBatchB", int64_t{0}}},
  };
}

}  // namespace opbench

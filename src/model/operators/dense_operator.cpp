#include <fmt/format.h>

#include "model/operators/axes/strided.h"
#include "model/operators/elements/element_type.h"
#include "model/operators/elements/float32_run.h"
#include "model/operators/products/matrix_product.h"

namespace opbench {
namespace {

/// Extents of A'[m, k] and B'[k, n] after transposition, and how to read them.
struct DenseProduct {
  int64_t m = 0;
  int64_t n = 0;
  int64_t k = 0;
  int64_t k_of_b = 0;
  bool a_transposed = false;
  bool b_transposed = false;
};

DenseProduct dense_product_of(const OperatorCall& call) {
  DenseProduct p;
  p.a_transposed = int_attribute(*call.node, "transA", 0) != 0;
  p.b_transposed = int_attribute(*call.node, "transB", 0) != 0;
  const Shape& a = shape_of(call, 0);
  const Shape& b = shape_of(call, 1);
  p.m = a[p.a_transposed ? 1 : 0];
  p.k = a[p.a_transposed ? 0 : 1];
  p.k_of_b = b[p.b_transposed ? 1 : 0];
  p.n = b[p.b_transposed ? 0 : 1];
  return p;
}

Result<std::vector<TensorType>> infer_dense(const OperatorCall& call) {
  OPBENCH_CHECK(require_inputs(call, 2, 3));
  OPBENCH_CHECK(require_rank(call, 0, 2, 2));
  OPBENCH_CHECK(require_rank(call, 1, 2, 2));
  const DenseProduct p = dense_product_of(call);
  if (p.k != p.k_of_b) {
    return misfit(call, fmt::format("operands {} and {} differ in the summed extent ({} and {})",
                                    shape_text(shape_of(call, 0)), shape_text(shape_of(call, 1)),
                                    p.k, p.k_of_b));
  }
  const Shape shape{p.m, p.n};
  if (has_input(call, 2)) {
    OPBENCH_TRY(const Shape with_c, broadcast(call, shape, shape_of(call, 2)));
    if (with_c != shape) {
      return misfit(call, fmt::format("addend {} does not fit the product {}",
                                      shape_text(shape_of(call, 2)), shape_text(shape)));
    }
  }
  return std::vector<TensorType>{{call.inputs[0]->data_type, shape}};
}

/// 2 for every multiply-add of the product; the addend is not counted.
double flops_of_dense(const OperatorCall& call, const std::vector<TensorType>&) {
  const DenseProduct p = dense_product_of(call);
  return 2.0 * static_cast<double>(p.m) * static_cast<double>(p.n) * static_cast<double>(p.k);
}

Result<void> run_dense(const OperatorCall& call, std::span<const TensorView> inputs,
                       std::span<const TensorView> outputs) {
  OPBENCH_CHECK(require_float32(call, inputs));
  const DenseProduct p = dense_product_of(call);
  float* y = outputs[0].as<float>().data();
  const float* a = inputs[0].as<float>().data();
  const float* b = inputs[1].as<float>().data();
  matrix_product(p.a_transposed ? MatrixView{a, 1, p.m} : MatrixView{a, p.k, 1},
                 p.b_transposed ? MatrixView{b, 1, p.k} : MatrixView{b, p.n, 1}, y, p.n, p.m, p.n,
                 p.k);
  const float alpha = float_attribute(*call.node, "alpha", 1.0F);
  const float beta = float_attribute(*call.node, "beta", 1.0F);
  if (alpha != 1.0F) {
    for (float& value : outputs[0].as<float>()) value *= alpha;
  }
  if (!has_input(call, 2)) return {};
  const float* c = inputs[2].as<float>().data();
  const Integers strides = broadcast_strides(inputs[2].type.shape, {p.m, p.n});
  for (int64_t i = 0; i < p.m; ++i) {
    for (int64_t j = 0; j < p.n; ++j) {
      y[i * p.n + j] += beta * c[i * strides[0] + j * strides[1]];
    }
  }
  return {};
}

}  // namespace

OperatorDef dense_operator() {
  return {
      .name = "dense",
      .summary = "Product of two matrices, either transposed, scaled, with an addend",
      .onnx_types = {"Gemm"},
      .fusion = FusionRole::kAnchor,
      .infer = infer_dense,
      .flops = flops_of_dense,
      .run = run_in_float32<run_dense>,
      .attributes = {{"alpha", 1.0F},
                     {"beta", 1.0F},
                     {"transA", int64_t{0}},
                     {"transB", int64_t{0}}},
  };
}

}  // namespace opbench

#pragma once

#include <cstdint>
#include <optional>

#include "kernels/schedules/schedule.h"

namespace Halide {
struct Expr;
class Func;
class RDom;
}  // namespace Halide

namespace opbench {

class KernelBuilder;

/// A Gemm or MatMul as TVM's templates of dense and batch_matmul have it: C[b,m,n] = sum over k of
/// A[b,m,k] B[b,n,k]. Our right operand is B[b,k,n] (or as `transB` says). A weight is transposed
/// by `pack` before the run, which TVM does not time either. A computed operand is transposed by an
/// extra pass of the kernel, where TVM has a layout transformation before it.
struct TemplateProduct {
  int64_t b = 1;
  int64_t m = 1;
  int64_t n = 1;
  int64_t k = 1;
  bool is_left_transposed = false;
  bool is_right_transposed = false;
  bool has_known_right = false;  ///< a weight
  Shape batch;                   ///< leading extents of the result, of which b is the product
};

/// The product of a unit whose right operand is one matrix; all leading extents of the left one
/// count as rows. Nothing if no template computes the unit: operands not plain or not float32.
std::optional<TemplateProduct> dense_product(const KernelSpec& spec);

/// The product of a unit whose right operand has leading extents.
std::optional<TemplateProduct> batch_product(const KernelSpec& spec);

/// A[b,m,k].
Halide::Expr left_value(const KernelSpec& spec, KernelBuilder& builder,
                        const TemplateProduct& product, const Halide::Expr& k,
                        const Halide::Expr& m, const Halide::Expr& b);

/// B[b,n,k] where our operand stands, for computed ones; of weights where `pack_right` puts it.
Halide::Expr right_value(const KernelSpec& spec, KernelBuilder& builder,
                         const TemplateProduct& product, const Halide::Expr& k,
                         const Halide::Expr& n, const Halide::Expr& b);

/// B as a stage (k, n, b) whose k lie side by side, scheduled: transposed by squares where the
/// operand has them otherwise.
Halide::Func right_rows(const KernelSpec& spec, KernelBuilder& builder,
                        const TemplateProduct& product);

/// Row m, column n of product b after all steps; `sum` is the product's element.
Halide::Expr finished_value(const KernelSpec& spec, KernelBuilder& builder,
                            const TemplateProduct& product, const Halide::Expr& sum,
                            const Halide::Expr& n, const Halide::Expr& m, const Halide::Expr& b);

/// The right weight as [b, n / block, k, block]: `block` 1 is B[b,n,k].
Tensor pack_right(const TemplateProduct& product, const Tensor& weight, int64_t block);

/// `pack` of a schedule whose right weight is packed in blocks of `block` columns.
Result<Tensor> pack_operand(const KernelSpec& spec, const TemplateProduct& product, size_t index,
                            const Tensor& weight, int64_t block);

/// Schedules the update of `sum`, which adds what `all` ranges over, a multiple of `width`: as
/// vectors, then across the lanes.
void add_lanes(Halide::Func& sum, const Halide::RDom& all, int width);

}  // namespace opbench

#pragma once

#include <vector>

#include "base/tensors/tensor.h"
#include "kernels/schedules/matrix/gemm_loops.h"
#include "kernels/schedules/schedule.h"

namespace opbench {

/// A MatMul, Gemm or FusedMatMul as a batch of products of two matrices.
struct Product {
  GemmExtents extents;
  bool is_left_transposed = false;
  bool is_right_transposed = false;
  bool has_merged_rows = false;  ///< one right matrix for all: the batch counts as rows
  Shape batch;                   ///< leading extents of the result, outermost first
};

/// True for such a node of two matrices or batches of them, all plain, that kernels can read. The
/// batch of a FusedMatMul must lie outside.
bool takes_product(const KernelSpec& spec);

/// Of a workload that `takes_product` takes.
Product product_of(const KernelSpec& spec);

/// Where operand `operand` (its leading extents broadcast) is read: column, row, product b.
std::vector<Halide::Expr> position_of(const KernelSpec& spec, KernelBuilder& builder,
                                      const Product& found, size_t operand,
                                      const Halide::Expr& column, const Halide::Expr& row,
                                      const Halide::Expr& b);

/// Where the result of row m, column n of product b lies in the output, in Halide's order.
std::vector<Halide::Expr> result_position(KernelBuilder& builder, const Product& found,
                                          const Halide::Expr& n, const Halide::Expr& m,
                                          const Halide::Expr& b);

/// Operands of the product as they stand, others as the epilogue reads them.
Result<Tensor> pack_product_operand(const KernelSpec& spec, size_t index, const Tensor& weight);

}  // namespace opbench

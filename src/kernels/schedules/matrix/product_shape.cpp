#include "kernels/schedules/matrix/product_shape.h"

#include <halide14/Halide.h>

#include "kernels/schedules/kernel_builder.h"
#include "kernels/schedules/operands/anchor_check.h"
#include "kernels/schedules/operands/anchor_operand.h"
#include "kernels/schedules/rows/flat_loops.h"

namespace opbench {

using Halide::Expr;

namespace {

/// A FusedMatMul whose batch lies outside is a product with transposed operands.
bool is_product(const KernelSpec& spec) {
  if (takes_anchor(spec, "Gemm") || takes_anchor(spec, "MatMul")) return true;
  const Node& node = anchor_of(spec);
  return takes_anchor(spec, "com.microsoft.FusedMatMul") &&
         int_attribute(node, "transBatchA", 0) == 0 && int_attribute(node, "transBatchB", 0) == 0;
}

}  // namespace

bool takes_product(const KernelSpec& spec) {
  if (!is_product(spec)) return false;
  if (!is_plain(spec) || !is_readable(spec, 1) || !is_addend_readable(spec)) return false;
  return anchor_type(spec, 0).shape.size() >= 2 && anchor_type(spec, 1).shape.size() >= 2;
}

Product product_of(const KernelSpec& spec) {
  const Node& node = anchor_of(spec);
  const Shape& left = anchor_type(spec, 0).shape;
  const Shape& right = anchor_type(spec, 1).shape;
  const Shape& result = anchor_result(spec).shape;
  Product found;
  found.is_left_transposed = int_attribute(node, "transA", 0) != 0;
  found.is_right_transposed = int_attribute(node, "transB", 0) != 0;
  found.batch = Shape(result.begin(), result.end() - 2);
  found.extents = {.n = result[result.size() - 1],
                   .m = result[result.size() - 2],
                   .k = left[left.size() - (found.is_left_transposed ? 2 : 1)],
                   .b = element_count(found.batch)};
  const bool is_right_single = product(right, 0, right.size() - 2) == 1;
  found.has_merged_rows = is_right_single && found.extents.b > 1;
  if (found.has_merged_rows) {
    found.extents.m *= found.extents.b;
    found.extents.b = 1;
  }
  return found;
}

std::vector<Expr> position_of(const KernelSpec& spec, KernelBuilder& builder, const Product& found,
                              size_t operand, const Expr& column, const Expr& row, const Expr& b) {
  const Shape& shape = anchor_type(spec, operand).shape;
  std::vector<Expr> position = {column, row};
  const std::vector<Expr> result = builder.output_sizes();
  const std::vector<Expr> batch = unflatten(b, result, 0, result.size() - 2);
  for (size_t i = 0; i + 2 < shape.size(); ++i) {
    const bool is_one = shape[shape.size() - 3 - i] == 1 || found.has_merged_rows;
    position.push_back(is_one ? Expr(0) : batch[i]);
  }
  return position;
}

std::vector<Expr> result_position(KernelBuilder& builder, const Product& found, const Expr& n,
                                  const Expr& m, const Expr& b) {
  const std::vector<Expr> shape = builder.output_sizes();
  const Expr row = found.has_merged_rows ? Expr(m) : m + b * shape[shape.size() - 2];
  std::vector<Expr> position = {n};
  for (const Expr& expr : unflatten(row, shape, 0, shape.size() - 1)) position.push_back(expr);
  return position;
}

Result<Tensor> pack_product_operand(const KernelSpec& spec, size_t index, const Tensor& weight) {
  for (size_t operand = 0; operand < anchor_of(spec).inputs.size(); ++operand)
    if (index == input_index(spec.workload, 0, operand)) return weight;
  return pack_epilogue_weight(spec, index, weight);
}

}  // namespace opbench

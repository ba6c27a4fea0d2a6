#include "kernels/schedules/autotvm/template_product.h"

#include <halide14/Halide.h>

#include "kernels/schedules/kernel_builder.h"
#include "kernels/schedules/matrix/gemm_loops.h"
#include "kernels/schedules/operands/anchor_check.h"
#include "kernels/schedules/operands/anchor_operand.h"
#include "kernels/schedules/rows/flat_loops.h"

namespace opbench {
namespace {

using Halide::Expr;
using Halide::Func;
using Halide::TailStrategy;
using Halide::Var;

/// What dense and batched products have in common; extents of one matrix.
std::optional<TemplateProduct> template_product_product_of(const KernelSpec& spec) {
  if (!takes_anchor(spec, "Gemm") && !takes_anchor(spec, "MatMul")) return std::nullopt;
  const Node& node = anchor_of(spec);
  if (!is_plain(spec) || !is_readable(spec, 1) || !is_addend_readable(spec)) return std::nullopt;
  const Shape& left = anchor_type(spec, 0).shape;
  const Shape& right = anchor_type(spec, 1).shape;
  if (left.size() < 2 || right.size() < 2) return std::nullopt;
  const bool is_gemm = node.type == "Gemm";
  TemplateProduct product;
  product.is_left_transposed = is_gemm && int_attribute(node, "transA", 0) != 0;
  product.is_right_transposed = is_gemm && int_attribute(node, "transB", 0) != 0;
  product.has_known_right = spec.workload.is_weight(node.inputs[1]);
  product.n = right[right.size() - (product.is_right_transposed ? 2 : 1)];
  product.k = right[right.size() - (product.is_right_transposed ? 1 : 2)];
  return product;
}

/// An operand's leading coordinates of product b: 0 where it is broadcast.
void add_batch(const KernelSpec& spec, const TemplateProduct& product, size_t operand,
               const Expr& b, std::vector<Expr>& position) {
  const Shape& shape = anchor_type(spec, operand).shape;
  const std::vector<Expr> batch = unflatten(b, product.batch, 0, product.batch.size());
  for (size_t i = 0; i + 2 < shape.size(); ++i)
    position.push_back(shape[shape.size() - 3 - i] == 1 || i >= batch.size() ? Expr(0) : batch[i]);
}

}  // namespace

std::optional<TemplateProduct> dense_product(const KernelSpec& spec) {
  std::optional<TemplateProduct> product = template_product_product_of(spec);
  if (!product || anchor_type(spec, 1).shape.size() != 2) return std::nullopt;
  product->m = element_count(anchor_type(spec, 0).shape) / product->k;
  return product;
}

std::optional<TemplateProduct> batch_product(const KernelSpec& spec) {
  std::optional<TemplateProduct> product = template_product_product_of(spec);
  if (!product || anchor_type(spec, 1).shape.size() < 3) return std::nullopt;
  const Shape& result = anchor_result(spec).shape;
  product->m = result[result.size() - 2];
  product->batch = Shape(result.begin(), result.end() - 2);
  product->b = element_count(product->batch);
  return product;
}

Expr left_value(const KernelSpec& spec, KernelBuilder& builder, const TemplateProduct& product,
                const Expr& k, const Expr& m, const Expr& b) {
  std::vector<Expr> position = {k, m};
  if (product.is_left_transposed) position = {m, k};
  if (!product.batch.empty()) add_batch(spec, product, 0, b, position);
  // Rows of all leading dimensions of a dense product: dimension 1 runs on into them.
  position.resize(anchor_type(spec, 0).shape.size(), Expr(0));
  return operand_value(spec, builder, 0, position);
}

Expr right_value(const KernelSpec& spec, KernelBuilder& builder, const TemplateProduct& product,
                 const Expr& k, const Expr& n, const Expr& b) {
  std::vector<Expr> position = {n, k};
  if (product.has_known_right || product.is_right_transposed) position = {k, n};
  if (!product.batch.empty()) add_batch(spec, product, 1, b, position);
  if (!product.has_known_right) return operand_value(spec, builder, 1, position);
  Shape extents = anchor_type(spec, 1).shape;
  std::vector<int64_t> reversed(extents.rbegin(), extents.rend());
  reversed[0] = product.k;
  reversed[1] = product.n;
  return builder.packed(*input_index(spec.workload, 0, 1), reversed)(position);
}

Func right_rows(const KernelSpec& spec, KernelBuilder& builder, const TemplateProduct& product) {
  const Var k("k"), n("n"), b("b"), ki("ki"), ni("ni"), at("at"), task("task");
  Func square("square"), rows("rows");
  square(k, n, b) = right_value(spec, builder, product, k, n, b);
  rows(k, n, b) = square(k, n, b);
  if (product.has_known_right || product.is_right_transposed) return rows;
  const int lanes = builder.lanes();
  rows.compute_root();
  if (product.k < lanes || product.n < lanes) return rows;
  rows.split(k, k, ki, lanes, TailStrategy::ShiftInwards)
      .split(n, n, ni, lanes, TailStrategy::ShiftInwards)
      .split(k, k, at, 1)
      .reorder(ki, ni, at, k, n, b)
      .vectorize(ki)
      .unroll(ni)
      .fuse(n, b, task)
      .parallel(task);
  square.compute_at(rows, at).reorder(n, k).vectorize(n).unroll(k);
  return rows;
}

Expr finished_value(const KernelSpec& spec, KernelBuilder& builder, const TemplateProduct& product,
                    const Expr& sum, const Expr& n, const Expr& m, const Expr& b) {
  const Expr value = scaled_sum(spec, builder, sum, n, m);
  const Shape& shape = anchor_result(spec).shape;
  std::vector<Expr> position = {n};
  const Expr row = product.batch.empty() ? m : m + b * static_cast<int>(product.m);
  for (const Expr& expr : unflatten(row, shape, 0, shape.size() - 1)) position.push_back(expr);
  return builder.epilogue(value, position);
}

Tensor pack_right(const TemplateProduct& product, const Tensor& weight, int64_t block) {
  const int64_t n = product.n;
  const int64_t k = product.k;
  const int64_t count = element_count(weight.type.shape) / (n * k);
  const int64_t column_stride = product.is_right_transposed ? k : 1;
  const int64_t row_stride = product.is_right_transposed ? 1 : n;
  Tensor packed = Tensor::empty({DataType::kFloat32, {count, n / block, k, block}});
  const float* from = weight.as<float>().data();
  float* to = packed.as<float>().data();
  for (int64_t i = 0; i < count; ++i, from += n * k)
    for (int64_t first = 0; first < n; first += block)
      for (int64_t row = 0; row < k; ++row)
        for (int64_t column = first; column < first + block; ++column)
          *to++ = from[row * row_stride + column * column_stride];
  return packed;
}

Result<Tensor> pack_operand(const KernelSpec& spec, const TemplateProduct& product, size_t index,
                            const Tensor& weight, int64_t block) {
  if (index == input_index(spec.workload, 0, 1)) return pack_right(product, weight, block);
  if (index == input_index(spec.workload, 0, 0) || index == input_index(spec.workload, 0, 2))
    return weight;
  return pack_epilogue_weight(spec, index, weight);
}

void add_lanes(Func& sum, const Halide::RDom& all, int width) {
  const Halide::RVar vector("vector"), lane("lane");
  if (width > 1) sum.update().split(all.x, vector, lane, width).atomic().vectorize(lane);
}

}  // namespace opbench

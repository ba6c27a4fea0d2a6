#include <halide14/Halide.h>

#include <algorithm>
#include <utility>

#include "kernels/schedules/anchor_check.h"
#include "kernels/schedules/anchor_operand.h"
#include "kernels/schedules/free_axes.h"
#include "kernels/schedules/kernel_builder.h"
#include "kernels/schedules/matrix/gemm_loops.h"
#include "kernels/schedules/rows/flat_loops.h"

namespace opbench {
namespace {

using Halide::Expr;
using Halide::Func;
using Halide::Var;

/// Fewer rows than this do not pay for a copied panel.
constexpr int64_t kLeastRowsForCopy = 9;

struct Product {
  GemmExtents extents;
  bool is_left_transposed = false;
  bool is_right_transposed = false;
  bool has_merged_rows = false;  ///< one right matrix for all: the batch counts as rows
  Shape batch;                   ///< leading extents of the result, outermost first
};

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

/// A FusedMatMul whose batch lies outside is a product with transposed operands.
bool is_product(const KernelSpec& spec) {
  if (takes_anchor(spec, "Gemm") || takes_anchor(spec, "MatMul")) return true;
  const Node& node = anchor_of(spec);
  return takes_anchor(spec, "com.microsoft.FusedMatMul") &&
         int_attribute(node, "transBatchA", 0) == 0 && int_attribute(node, "transBatchB", 0) == 0;
}

std::optional<Config> by_rule(const KernelSpec& spec) {
  if (!is_product(spec)) return std::nullopt;
  if (!is_plain(spec) || !is_readable(spec, 1) || !is_addend_readable(spec)) return std::nullopt;
  if (anchor_type(spec, 0).shape.size() < 2 || anchor_type(spec, 1).shape.size() < 2)
    return std::nullopt;
  const auto [n, m, k, b] = product_of(spec).extents;
  return config_of(gemm_tile(spec.target, m, n, k, b));
}

std::vector<KnobRange> knobs(const KernelSpec& spec) {
  const auto [n, m, k, b] = product_of(spec).extents;
  return gemm_knobs(spec, m, n, k, b);
}

/// The same extents, free ones included.
struct ProductSizes {
  Expr n, m, k, b;
  std::vector<Expr> batch;
};

ProductSizes sizes_of(const KernelSpec& spec, const Product& found, KernelBuilder& builder) {
  const std::vector<Expr> left = builder.sizes(*input_index(spec.workload, 0, 0));
  const std::vector<Expr> result = builder.output_sizes();
  const size_t rank = result.size();
  ProductSizes sizes{.n = result[rank - 1],
                     .m = result[rank - 2],
                     .k = left[left.size() - (found.is_left_transposed ? 2 : 1)],
                     .b = product(result, 0, rank - 2),
                     .batch = {result.begin(), result.end() - 2}};
  if (found.has_merged_rows) {
    sizes.m = sizes.m * sizes.b;
    sizes.b = 1;
  }
  return sizes;
}

/// Where operand `operand` (its leading extents broadcast) is read: column, row, product b.
std::vector<Expr> position_of(const KernelSpec& spec, const Product& found,
                              const ProductSizes& sizes, size_t operand, const Expr& column,
                              const Expr& row, const Expr& b) {
  const Shape& shape = anchor_type(spec, operand).shape;
  std::vector<Expr> position = {column, row};
  const std::vector<Expr> batch = unflatten(b, sizes.batch, 0, sizes.batch.size());
  for (size_t i = 0; i + 2 < shape.size(); ++i) {
    const bool is_one = shape[shape.size() - 3 - i] == 1 || found.has_merged_rows;
    position.push_back(is_one ? Expr(0) : batch[i]);
  }
  return position;
}

Func build(const KernelSpec& spec, KernelBuilder& builder) {
  const Product found = product_of(spec);
  const ProductSizes sizes = sizes_of(spec, found, builder);
  const GemmExtents& extents = found.extents;
  const GemmTile tile = tile_of(spec.config);
  const int width = static_cast<int>(tile.vectors) * builder.lanes();
  const bool is_padded = extents.n < width;
  const Halide::Func left = builder.operand(*input_index(spec.workload, 0, 0));
  const Var n("n"), m("m"), b("b"), row("row");
  Func panel("panel"), sum("sum"), out("out");
  const Halide::RDom k(0, sizes.k, "k");
  const Expr column = is_padded ? Halide::min(n, sizes.n - 1) : Expr(n);
  panel(n, row, b) =
      operand_value(spec, builder, 1,
                    found.is_right_transposed ? position_of(spec, found, sizes, 1, row, column, b)
                                              : position_of(spec, found, sizes, 1, column, row, b));
  const Expr a = left(found.is_left_transposed ? position_of(spec, found, sizes, 0, m, k, b)
                                               : position_of(spec, found, sizes, 0, k, m, b));
  sum(n, m, b) = 0.0f;
  sum(n, m, b) += a * panel(n, k, b);
  const Expr value = scaled_sum(spec, builder, sum(n, m, b), n, m);
  std::vector<Expr> position = {n};
  const std::vector<Expr> shape = builder.output_sizes();
  const Expr row_of_all = found.has_merged_rows ? Expr(m) : m + b * sizes.m;
  for (const Expr& expr : unflatten(row_of_all, shape, 0, shape.size() - 1))
    position.push_back(expr);
  out(n, m, b) = builder.epilogue(value, position);
  builder.set_output_sizes({sizes.n, sizes.m, sizes.b});
  const bool knows_k = Halide::Internal::is_const(sizes.k);
  const Var task = schedule_gemm(out, sum, extents, tile, builder.lanes(), is_padded, knows_k);
  if (extents.m >= kLeastRowsForCopy) panel.compute_at(out, task).vectorize(n, builder.lanes());
  return out;
}

Result<void> check_config(const KernelSpec& spec) {
  return check_tile(spec, product_of(spec).extents.m);
}

Result<Tensor> pack(const KernelSpec& spec, size_t index, const Tensor& weight) {
  for (size_t operand = 0; operand < anchor_of(spec).inputs.size(); ++operand)
    if (index == input_index(spec.workload, 0, operand)) return weight;
  return pack_epilogue_weight(spec, index, weight);
}

}  // namespace

ScheduleDef matmul_schedule() {
  return {.name = "matmul",
          .summary = "product of two computed matrices, the right one copied into panels",
          .by_rule = by_rule,
          .takes_free = are_free_axes_read,
          .knobs = knobs,
          .priority = 5,
          .pack = pack,
          .check_config = check_config,
          .build = build};
}

}  // namespace opbench

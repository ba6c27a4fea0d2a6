#include <halide14/Halide.h>

#include <algorithm>
#include <utility>

#include "kernels/schedules/kernel_builder.h"
#include "kernels/schedules/matrix/gemm_loops.h"
#include "kernels/schedules/matrix/product_shape.h"
#include "kernels/schedules/operands/anchor_check.h"
#include "kernels/schedules/operands/anchor_operand.h"
#include "kernels/schedules/operands/free_axes.h"
#include "kernels/schedules/rows/flat_loops.h"

namespace opbench {
namespace {

using Halide::Expr;
using Halide::Func;
using Halide::Var;

/// Fewer rows than this do not pay for a copied panel.
constexpr int64_t kLeastRowsForCopy = 9;

std::optional<Config> matmul_default_config(const KernelSpec& spec) {
  if (!takes_product(spec)) return std::nullopt;
  const auto [n, m, k, b] = product_of(spec).extents;
  return config_of(gemm_tile(spec.target, m, n, k, b));
}

std::vector<KnobRange> matmul_knobs(const KernelSpec& spec) {
  const auto [n, m, k, b] = product_of(spec).extents;
  return gemm_knobs(spec, m, n, k, b);
}

/// The product's extents, free ones included.
struct ProductSizes {
  Expr n, m, k, b;
};

ProductSizes matmul_sizes_of(const KernelSpec& spec, const Product& found, KernelBuilder& builder) {
  const std::vector<Expr> left = builder.sizes(*input_index(spec.workload, 0, 0));
  const std::vector<Expr> result = builder.output_sizes();
  const size_t rank = result.size();
  ProductSizes sizes{.n = result[rank - 1],
                     .m = result[rank - 2],
                     .k = left[left.size() - (found.is_left_transposed ? 2 : 1)],
                     .b = product(result, 0, rank - 2)};
  if (found.has_merged_rows) {
    sizes.m = sizes.m * sizes.b;
    sizes.b = 1;
  }
  return sizes;
}

Func build_matmul(const KernelSpec& spec, KernelBuilder& builder) {
  const Product found = product_of(spec);
  const ProductSizes sizes = matmul_sizes_of(spec, found, builder);
  const GemmExtents& extents = found.extents;
  const GemmTile tile = tile_of(spec.config);
  const int width = static_cast<int>(tile.vectors) * builder.lanes();
  const bool is_padded = extents.n < width;
  const Halide::Func left = builder.operand(*input_index(spec.workload, 0, 0));
  const Var n("n"), m("m"), b("b"), row("row");
  Func panel("panel"), sum("sum"), out("out");
  const Halide::RDom k(0, sizes.k, "k");
  const Expr column = is_padded ? Halide::min(n, sizes.n - 1) : Expr(n);
  panel(n, row, b) = operand_value(spec, builder, 1,
                                   found.is_right_transposed
                                       ? position_of(spec, builder, found, 1, row, column, b)
                                       : position_of(spec, builder, found, 1, column, row, b));
  const Expr a = left(found.is_left_transposed ? position_of(spec, builder, found, 0, m, k, b)
                                               : position_of(spec, builder, found, 0, k, m, b));
  sum(n, m, b) = 0.0f;
  sum(n, m, b) += a * panel(n, k, b);
  const Expr value = scaled_sum(spec, builder, sum(n, m, b), n, m);
  out(n, m, b) = builder.epilogue(value, result_position(builder, found, n, m, b));
  builder.set_output_sizes({sizes.n, sizes.m, sizes.b});
  const bool knows_k = Halide::Internal::is_const(sizes.k);
  const Var task = schedule_gemm(out, sum, extents, tile, builder.lanes(),
                                 {.is_padded = is_padded, .unrolls_k = knows_k});
  if (extents.m >= kLeastRowsForCopy) panel.compute_at(out, task).vectorize(n, builder.lanes());
  return out;
}

Result<void> check_matmul_config(const KernelSpec& spec) {
  return check_tile(spec, product_of(spec).extents.m);
}

}  // namespace

ScheduleDef matmul_schedule() {
  return {.name = "matmul",
          .summary = "product of two computed matrices, the right one copied into panels",
          .default_config = matmul_default_config,
          .takes_free = are_free_axes_read,
          .knobs = matmul_knobs,
          .priority = 5,
          .pack = pack_product_operand,
          .check_config = check_matmul_config,
          .build = build_matmul};
}

}  // namespace opbench

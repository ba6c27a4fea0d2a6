#include "kernels/schedules/matrix/gemm_loops.h"

#include <halide14/Halide.h>

#include "base/numbers/divisors.h"
#include "kernels/schedules/kernel_builder.h"
#include "kernels/schedules/knobs/tile_rule.h"
#include "kernels/schedules/operands/anchor_check.h"
#include "kernels/schedules/operands/anchor_operand.h"

namespace opbench {

using Halide::Expr;
using Halide::Func;
using Halide::TailStrategy;
using Halide::Var;

bool is_addend_readable(const KernelSpec& spec) {
  if (!has_operand(spec, 2)) return true;
  return is_readable(spec, 2) && anchor_type(spec, 2).shape.size() <= 2;
}

Expr scaled_sum(const KernelSpec& spec, KernelBuilder& builder, const Expr& sum, const Expr& n,
                const Expr& m) {
  const float alpha = float_attribute(anchor_of(spec), "alpha", 1.0f);
  const float beta = float_attribute(anchor_of(spec), "beta", 1.0f);
  Expr product = alpha == 1.0f ? sum : alpha * sum;
  if (!has_operand(spec, 2)) return product;
  const Shape& shape = anchor_type(spec, 2).shape;
  std::vector<Expr> position;
  if (!shape.empty()) position.push_back(shape.back() == 1 ? Expr(0) : n);
  if (shape.size() == 2) position.push_back(shape[0] == 1 ? Expr(0) : m);
  const Expr addend = operand_value(spec, builder, 2, position);
  return product + (beta == 1.0f ? addend : beta * addend);
}

Var schedule_gemm(Func& out, Func& sum, const GemmExtents& extents, const GemmTile& tile, int lanes,
                  GemmForm form) {
  constexpr int64_t kLeastParallel = 1 << 17;  // multiply-adds: some microseconds
  const int width = static_cast<int>(tile.vectors) * lanes;
  const int rows = static_cast<int>(tile.rows);
  const int64_t row_tiles = ceil_div(extents.m, rows);
  const int64_t steps = ceil_div(row_tiles, tile.row_tasks);
  const Var n = out.args()[0], m = out.args()[1], b = out.args()[2];
  const Var no("no"), ni("ni"), mo(kRowTilesLoop), mi("mi"), mt("mt"), panel("panel");
  Var task("task");
  out.split(n, no, ni, width,
            form.is_padded ? TailStrategy::GuardWithIf : TailStrategy::ShiftInwards)
      .split(m, mo, mi, rows, TailStrategy::ShiftInwards)
      .split(mo, mt, mo, static_cast<int>(steps), TailStrategy::GuardWithIf)
      .reorder(ni, mi, mo, mt, no, b)
      .vectorize(ni, lanes)
      .unroll(ni)
      .unroll(mi)
      .fuse(mt, no, panel)
      .fuse(panel, b, task);
  if (extents.m * extents.n * extents.k * extents.b >= kLeastParallel) out.parallel(task);
  const std::vector<Var> at = sum.args();
  sum.compute_at(out, mo).bound_extent(at[0], width);
  sum.vectorize(at[0], lanes).unroll(at[0]).unroll(at[1]);
  const Halide::RVar k(sum.rvars(0)[0]);
  sum.update().reorder(at[0], at[1], k).vectorize(at[0], lanes).unroll(at[0]).unroll(at[1]);
  if (form.unrolls_k) sum.update().unroll(k, unrolled_steps(extents.k));
  return task;
}

}  // namespace opbench

#include <halide14/Halide.h>

#include <algorithm>

#include "base/numbers/divisors.h"
#include "kernels/schedules/kernel_builder.h"
#include "kernels/schedules/matrix/product_shape.h"
#include "kernels/schedules/narrow.h"
#include "kernels/schedules/operands/anchor_check.h"
#include "kernels/schedules/operands/anchor_operand.h"
#include "kernels/schedules/rows/flat_loops.h"

namespace opbench {
namespace {

using Halide::Expr;
using Halide::Func;
using Halide::RDom;
using Halide::TailStrategy;
using Halide::Var;

constexpr int64_t kMostThin = 3;

/// A product of a long matrix of many rows with a thin one of few, both seen as [row, depth].
struct Thin {
  Product product;
  bool is_left_thin = false;
  bool is_depth_inner = true;  ///< of the long matrix: neighbours along the sum are neighbours
  int64_t rows = 1;            ///< of the long matrix
  int64_t width = 1;           ///< rows of the thin one

  bool is_thin_along_depth() const {
    return width == 1 || (is_left_thin ? !product.is_left_transposed : product.is_right_transposed);
  }
};

std::optional<Thin> thin_of(const KernelSpec& spec) {
  if (!takes_product(spec)) return std::nullopt;
  Thin thin{.product = product_of(spec)};
  const auto [n, m, k, b] = thin.product.extents;
  const int lanes = float_lanes(spec.target);
  // Panels of a right matrix that is known before the run are `dense`'s.
  const bool is_right_known = spec.workload.is_weight(anchor_of(spec).inputs[1]);
  thin.is_left_thin =
      n > kMostThin && m <= kMostThin && thin.product.is_right_transposed && !is_right_known;
  if (n > kMostThin && !thin.is_left_thin) return std::nullopt;
  thin.rows = thin.is_left_thin ? n : m;
  thin.width = thin.is_left_thin ? m : n;
  thin.is_depth_inner = thin.is_left_thin || !thin.product.is_left_transposed;
  const bool has_vectors = thin.is_depth_inner ? k >= 2 * lanes : thin.rows >= lanes;
  if (!has_vectors) return std::nullopt;
  return thin;
}

std::optional<Config> thin_product_default_config(const KernelSpec& spec) {
  if (!thin_of(spec)) return std::nullopt;
  return Config{};
}

/// The loops' variables and the two matrices.
struct ThinProductLoops {
  const KernelSpec& spec;
  KernelBuilder& builder;
  Thin thin;
  Var row = Var("row"), t = Var("t"), b = Var("b");

  Expr element(size_t operand, const Expr& at, const Expr& k) const {
    const Product& product = thin.product;
    const bool is_inner = operand == 0 ? !product.is_left_transposed : product.is_right_transposed;
    const std::vector<Expr> position =
        position_of(spec, builder, product, operand, is_inner ? k : at, is_inner ? at : k, b);
    if (operand == 1) return operand_value(spec, builder, 1, position);
    return builder.operand(*input_index(spec.workload, 0, 0))(position);
  }
  Expr of_long(const Expr& k) const { return element(thin.is_left_thin ? 1 : 0, row, k); }
  Expr of_thin(const Expr& k) const { return element(thin.is_left_thin ? 0 : 1, t, k); }

  /// The output in its own order of dimensions from `sum(t, row, b)`.
  Func finished(const Func& sum) const {
    const Expr n = thin.is_left_thin ? row : t;
    const Expr m = thin.is_left_thin ? t : row;
    const Expr value = scaled_sum(spec, builder, sum(t, row, b), n, m);
    const Expr result = builder.epilogue(value, result_position(builder, thin.product, n, m, b));
    Func out("out");
    if (thin.is_left_thin)
      out(row, t, b) = result;
    else
      out(t, row, b) = result;
    const auto [columns, lines, k, batch] = thin.product.extents;
    builder.set_output_extents({columns, lines, batch});
    return out;
  }
};

/// Sums of a lane each for a few rows at a time, combined at the end. A thin matrix whose rows do
/// not lie along the sum is copied.
Func along_depth(const ThinProductLoops& loops) {
  const Thin& thin = loops.thin;
  const int lanes = loops.builder.lanes();
  const int depth = narrow(thin.product.extents.k);
  const int tile = narrow(std::min<int64_t>(thin.rows, thin.width == 1 ? 8 : 4));
  const int rest = depth % lanes;
  const Var lane("lane"), k("k"), ro("ro"), ri("ri"), one("one");
  const Var &row = loops.row, &t = loops.t, &b = loops.b;
  Func copy("copy"), part("part"), sum("sum");
  const RDom chunk(0, depth / lanes, "chunk"), all(0, lanes, "all");
  copy(k, t, b) = loops.of_thin(k);
  part(lane, t, row, b) = 0.0f;
  part(lane, t, row, b) += loops.of_long(lane + chunk * lanes) * copy(lane + chunk * lanes, t, b);
  if (rest > 0) {
    // One more vector, which ends with the row: what others have summed up counts as 0.
    const Expr at = depth - lanes + lane;
    part(lane, t, row, b) +=
        Halide::select(lane >= lanes - rest, loops.of_long(at), 0.0f) * copy(at, t, b);
  }
  sum(t, row, b) = 0.0f;
  sum(t, row, b) += part(all, t, row, b);
  Func out = loops.finished(sum);
  out.split(row, ro, ri, tile, TailStrategy::ShiftInwards)
      .split(ro, ro, one, 1, TailStrategy::RoundUp)
      .reorder(t, ri, one, ro, b);
  out.unroll(t).unroll(ri);
  const int64_t tiles = ceil_div(thin.rows, tile);
  parallelize(out, {ro, b}, {tiles, thin.product.extents.b}, int64_t{depth} * tile * thin.width);
  if (!thin.is_thin_along_depth())
    copy.compute_root().vectorize(k, lanes, TailStrategy::ShiftInwards);
  sum.compute_at(out, one).unroll(t).unroll(row);
  sum.update().reorder(all.x, t, row).atomic().vectorize(all.x).unroll(t).unroll(row);
  part.compute_at(out, one).vectorize(lane).unroll(t).unroll(row);
  part.update().reorder(lane, t, row, chunk.x).vectorize(lane).unroll(t).unroll(row);
  if (rest > 0) part.update(1).reorder(lane, t, row).vectorize(lane).unroll(t).unroll(row);
  return out;
}

/// Vectors of rows, which are neighbours.
Func across_depth(const ThinProductLoops& loops) {
  const Thin& thin = loops.thin;
  const int lanes = loops.builder.lanes();
  const int vectors = narrow(std::min<int64_t>(thin.rows / lanes, thin.width == 1 ? 8 : 4));
  const Var &row = loops.row, &t = loops.t;
  const Var ro("ro"), ri("ri"), one("one");
  Func sum("sum");
  const RDom r(0, narrow(thin.product.extents.k), "r");
  sum(t, row, loops.b) = 0.0f;
  sum(t, row, loops.b) += loops.of_long(r) * loops.of_thin(r);
  Func out = loops.finished(sum);
  out.split(row, ro, ri, vectors * lanes, TailStrategy::ShiftInwards)
      .split(ro, ro, one, 1, TailStrategy::RoundUp)
      .reorder(t, ri, one, ro, loops.b);
  out.unroll(t);
  const int64_t tiles = ceil_div(thin.rows, int64_t{vectors} * lanes);
  parallelize(out, {ro, loops.b}, {tiles, thin.product.extents.b},
              thin.product.extents.k * vectors * lanes * thin.width);
  // Sums lie as they are computed: vectors of rows stay in registers.
  sum.compute_at(out, one).reorder_storage(row, t, loops.b);
  sum.vectorize(row, lanes).unroll(row).unroll(t);
  sum.update().reorder(row, t, r.x).vectorize(row, lanes).unroll(row).unroll(t);
  return out;
}

Func build_thin_product(const KernelSpec& spec, KernelBuilder& builder) {
  const ThinProductLoops loops{.spec = spec, .builder = builder, .thin = thin_of(spec).value()};
  return loops.thin.is_depth_inner ? along_depth(loops) : across_depth(loops);
}

}  // namespace

ScheduleDef thin_product_schedule() {
  return {.name = "thin_product",
          .summary = "product with a matrix of up to three rows or columns, vectors along the sum",
          .default_config = thin_product_default_config,
          .priority = 12,
          .pack = pack_product_operand,
          .build = build_thin_product};
}

}  // namespace opbench

#include <halide14/Halide.h>

#include <algorithm>

#include "base/numbers/divisors.h"
#include "kernels/schedules/kernel_builder.h"
#include "kernels/schedules/knobs/knob_values.h"
#include "kernels/schedules/knobs/tile_rule.h"
#include "kernels/schedules/narrow.h"
#include "kernels/schedules/operands/anchor_check.h"
#include "kernels/schedules/operands/epilogue_operand.h"
#include "kernels/schedules/operands/workload_operands.h"
#include "kernels/schedules/quantised/byte_product.h"
#include "kernels/schedules/rows/flat_loops.h"
#include "model/operators/quantised/quantization.h"

namespace opbench {
namespace {

using Halide::Expr;
using Halide::Func;
using Halide::RDom;
using Halide::TailStrategy;
using Halide::Var;

/// Sums of a default tile: registers are left for what the steps after it need.
constexpr int64_t kMatmulIntegerMostSums = 16;

/// Rows whose ends do not fill up a group of four bytes take the products of 16 bits: with the
/// features that Halide 14 asks dot products of, LLVM moves two bytes by an instruction of
/// AVX512-FP16, which most processors with VNNI lack.
constexpr int64_t kDotGroup = 4;

/// x[m, k] times a constant matrix of bytes, w[k, n].
struct IntegerMatMul {
  const KernelSpec& spec;
  ByteProduct product;
  int64_t m = 0, k = 0, n = 0;
  int64_t lanes = 0;

  int64_t steps() const { return ceil_div(k, product.group()); }
  int64_t vectors() const { return ceil_div(n, lanes); }
  int64_t width() const { return spec.config.at("tile_n") * lanes; }
  PackedWeights weights() const {
    return {ceil_div(n, width()), steps(), width(), product.group()};
  }
  /// Rows are copied where their ends do not fill up a group, or signs must go.
  bool is_staged() const { return k % product.group() != 0 || product.shift != 0; }
};

std::optional<IntegerMatMul> matmul_of(const KernelSpec& spec) {
  const Node& node = anchor_of(spec);
  if (node.type != "QLinearMatMul" && node.type != "MatMulInteger") return std::nullopt;
  const Shape& left = anchor_type(spec, 0).shape;
  const Shape& right = anchor_type(spec, node.type == "QLinearMatMul" ? 3 : 1).shape;
  if (left.size() < 2 || right.size() != 2 || !is_plain(spec)) return std::nullopt;
  auto product = byte_product(spec, "MatMulInteger", "QLinearMatMul", right[1], right[0]);
  if (!product) return std::nullopt;
  if (right[0] % kDotGroup != 0 || right[1] % kDotGroup != 0) {
    product->is_dot = false;
    product->shift = 0;
  }
  return IntegerMatMul{spec,     *product, element_count(left) / right[0],
                       right[0], right[1], float_lanes(spec.target)};
}

std::optional<Config> matmul_integer_default_config(const KernelSpec& spec) {
  const std::optional<IntegerMatMul> matmul = matmul_of(spec);
  if (!matmul) return std::nullopt;
  const RegisterTile tile =
      best_tile(spec.target, matmul->m, matmul->vectors(), kMatmulIntegerMostSums);
  return Config{{"tile_m", tile.pixels}, {"tile_n", tile.vectors}};
}

std::vector<KnobRange> matmul_integer_knobs(const KernelSpec& spec) {
  const IntegerMatMul matmul = *matmul_of(spec);
  return {{"tile_m", numbers(1, std::min(matmul.m, most_sums(spec.target)))},
          {"tile_n", numbers(1, std::min(matmul.vectors(), kMostTileVectors))}};
}

Result<void> check_matmul_integer_config(const KernelSpec& spec) {
  const IntegerMatMul matmul = *matmul_of(spec);
  OPBENCH_CHECK(check_range(spec.config, "tile_m", 1, matmul.m, "the number of rows"));
  OPBENCH_CHECK(check_range(spec.config, "tile_n", 1, matmul.vectors(), "the vectors of a row"));
  return check_sums(spec.config.at("tile_m") * spec.config.at("tile_n"), most_sums(spec.target));
}

/// x by (k, m) as the product reads it: 0 past the last k, where weights are 0.
Func matmul_integer_rows_of(const IntegerMatMul& matmul, KernelBuilder& builder) {
  const Func x = builder.operand(*input_index(matmul.spec.workload, 0, matmul.product.x));
  const Var k("k"), m("m");
  // Rows of all leading dimensions are counted by m: dimension 1 runs on into them.
  std::vector<Expr> at(anchor_type(matmul.spec, matmul.product.x).shape.size(), Expr(0));
  at[0] = k;
  at[1] = m;
  Func rows("rows");
  if (matmul.k % matmul.product.group() == 0) {
    rows(k, m) = shifted(matmul.product, x(at));
  } else {
    at[0] = Halide::min(k, narrow(matmul.k - 1));
    const Expr value = shifted(matmul.product, x(at));
    rows(k, m) = Halide::select(k < narrow(matmul.k), value, Halide::cast(value.type(), 0));
  }
  if (!matmul.is_staged()) return rows;
  rows.bound(k, 0, narrow(matmul.steps() * matmul.product.group()));
  rows.compute_root().vectorize(k, 4 * builder.lanes(), TailStrategy::GuardWithIf);
  return rows;
}

/// Tasks: panels of columns, and as many bands of rows as give every thread some.
void schedule_of_matmul_integer(const IntegerMatMul& matmul, Func& out, Func& sum, const RDom& r) {
  constexpr int64_t kLeastParallel = 1 << 19;  // products: some microseconds
  constexpr int64_t kTasksOfThread = 4;
  const int tile_m = narrow(matmul.spec.config.at("tile_m"));
  const int lanes = narrow(matmul.lanes);
  const int64_t panels = matmul.weights().tiles;
  const int64_t row_tiles = ceil_div(matmul.m, tile_m);
  const int64_t wanted = ceil_div(kTasksOfThread * matmul.spec.threads, panels);
  const int64_t bands = matmul.spec.threads == 1 ? 1 : std::min(row_tiles, wanted);
  const Var n = out.args()[0], m = out.args()[1];
  const Var no("no"), ni("ni"), mo("mo"), mi("mi"), mt("mt"), task("task"), nv("nv"), nl("nl");
  out.split(n, no, ni, narrow(matmul.width()), TailStrategy::GuardWithIf)
      .split(m, mo, mi, tile_m, TailStrategy::ShiftInwards)
      .split(mo, mt, mo, narrow(ceil_div(row_tiles, bands)), TailStrategy::GuardWithIf)
      .reorder(ni, mi, mo, mt, no)
      .vectorize(ni, lanes)
      .unroll(ni)
      .unroll(mi)
      .fuse(mt, no, task);
  if (matmul.m * matmul.n * matmul.k >= kLeastParallel) out.parallel(task);
  sum.compute_at(out, mo).bound_extent(n, narrow(matmul.width()));
  sum.split(n, nv, nl, lanes).vectorize(nl).unroll(nv).unroll(m);
  sum.update()
      .split(n, nv, nl, lanes)
      .reorder(r[0], nl, nv, m, r[1])
      .atomic()
      .vectorize(r[0])
      .vectorize(nl)
      .unroll(nv)
      .unroll(m)
      .unroll(r[1], unrolled_steps(matmul.steps()));
}

Func build_matmul_integer(const KernelSpec& spec, KernelBuilder& builder) {
  const IntegerMatMul matmul = *matmul_of(spec);
  const PackedWeights extents = matmul.weights();
  const int width = narrow(matmul.width());
  const Func weights = packed_weights(spec, builder, matmul.product, extents);
  const Func starts = channel_starts(spec, builder, matmul.product, extents);
  const Func factors = channel_factors(spec, builder, matmul.product, extents);
  const Func rows = matmul_integer_rows_of(matmul, builder);
  const RDom r(0, matmul.product.group(), 0, narrow(matmul.steps()));
  const Var n("n"), m("m");
  Func sum("sum"), out("out");
  sum(n, m) = starts(n);
  sum(n, m) += product_of(rows(r[1] * matmul.product.group() + r[0], m),
                          weights(r[0], n % width, r[1], n / width));
  const std::vector<Expr> shape = builder.output_sizes();
  std::vector<Expr> position = {n};
  for (const Expr& expr : unflatten(m, shape, 0, shape.size() - 1)) position.push_back(expr);
  const Expr result = integer_result(spec, builder, matmul.product, sum(n, m), factors, n);
  out(n, m) = builder.epilogue(result, position);
  builder.set_output_extents({matmul.n, matmul.m});
  schedule_of_matmul_integer(matmul, out, sum, r);
  return out;
}

Result<Tensor> pack_matmul_integer(const KernelSpec& spec, size_t index, const Tensor& weight) {
  const IntegerMatMul matmul = *matmul_of(spec);
  if (index == input_index(spec.workload, 0, matmul.product.w)) {
    const auto value = [&](int64_t column, int64_t step, int64_t factor) -> std::optional<int> {
      const int64_t row = step * matmul.product.group() + factor;
      if (column >= matmul.n || row >= matmul.k) return std::nullopt;
      return byte_at(weight, row * matmul.n + column);
    };
    return pack_weights(matmul.product, matmul.weights(), value);
  }
  return pack_other_weight(spec, index, weight);
}

}  // namespace

ScheduleDef matmul_integer_schedule() {
  return {
      .name = "matmul_integer",
      .summary =
          "Rows of 8-bit integers times a constant matrix, over register tiles of int32 sums",
      .default_config = matmul_integer_default_config,
      .knobs = matmul_integer_knobs,
      .priority = 20,
      .pack = pack_matmul_integer,
      .check_config = check_matmul_integer_config,
      .build = build_matmul_integer,
  };
}

}  // namespace opbench

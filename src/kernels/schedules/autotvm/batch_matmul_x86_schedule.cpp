#include <halide14/Halide.h>

#include <algorithm>

#include "base/numbers/divisors.h"
#include "kernels/schedules/autotvm/template_product.h"
#include "kernels/schedules/autotvm/template_tile.h"
#include "kernels/schedules/kernel_builder.h"
#include "kernels/schedules/knobs/knob_values.h"
#include "kernels/schedules/narrow.h"
#include "kernels/schedules/schedule.h"

namespace opbench {
namespace {

using Halide::Expr;
using Halide::Func;
using Halide::Var;

/// AutoTVM's choice without a record: `tile_k` need not divide k.
std::optional<Config> batch_matmul_x86_default_config(const KernelSpec& spec) {
  constexpr int64_t kParts = 16;
  const std::optional<TemplateProduct> product = batch_product(spec);
  if (!product) return std::nullopt;
  return Config{{"tile_y", power_of_two_dividing(product->m, 8)},
                {"tile_x", power_of_two_dividing(product->n, 8)},
                {"tile_k", std::min(product->k, kParts)}};
}

Result<void> check_batch_matmul_x86_config(const KernelSpec& spec) {
  const std::optional<TemplateProduct> product = batch_product(spec);
  if (!product)
    return Error{ErrorCode::kInvalidInput, "batch_matmul_x86 does not take the workload"};
  OPBENCH_CHECK(check_divisor(spec.config, "tile_y", product->m));
  OPBENCH_CHECK(check_divisor(spec.config, "tile_x", product->n));
  OPBENCH_CHECK(check_range(spec.config, "tile_k", 1, product->k));
  return check_tile_memory(spec.config, {"tile_y", "tile_x", "tile_k"});
}

/// A[b,m,k] B[b,n,k], zero where k lies past the end, as the last step of parts may.
Expr term(const KernelSpec& spec, KernelBuilder& builder, const TemplateProduct& product,
          const Func& right, const Expr& k, const Expr& m, const Expr& n, const Expr& b) {
  const int depth = narrow(product.k);
  if (depth % spec.config.at("tile_k") == 0)
    return left_value(spec, builder, product, k, m, b) * right(k, n, b);
  const Expr within = Halide::clamp(k, 0, depth - 1);
  return Halide::select(
      k < depth, left_value(spec, builder, product, within, m, b) * right(within, n, b), 0.0f);
}

/// One kernel of AutoTVM's template batch_matmul.x86: dot products of `tile_k` lanes, element by
/// element of a tile; the sums of all its elements' lanes lie in memory until they are added up.
Func build_batch_matmul_x86(const KernelSpec& spec, KernelBuilder& builder) {
  const TemplateProduct product = *batch_product(spec);
  const int rows = narrow(spec.config.at("tile_y"));
  const int columns = narrow(spec.config.at("tile_x"));
  const int parts = narrow(spec.config.at("tile_k"));
  const int width = narrow(vector_part(parts, builder.lanes()));
  const int64_t vectors = vector_count(parts, builder.lanes());
  const int64_t steps = ceil_div(product.k, parts);
  Var j("j"), jv("jv"), n("n"), m("m"), b("b"), f("f");
  Var no("no"), ni("ni"), mo("mo"), mi("mi"), task("task");
  Func part("part"), sum("sum"), out("out");
  const Func right = right_rows(spec, builder, product);
  const Halide::RDom k(0, narrow(steps), "k"), all(0, parts, "all");
  part(j, n, m, b) = 0.0f;
  part(j, n, m, b) += term(spec, builder, product, right, k * parts + j, m, n, b);
  sum(n, m, b) = 0.0f;
  sum(n, m, b) += part(all, n, m, b);
  out(n, m, b) = finished_value(spec, builder, product, sum(n, m, b), n, m, b);
  builder.set_output_extents({product.n, product.m, product.b});
  out.split(n, no, ni, columns).split(m, mo, mi, rows).reorder(ni, mi, no, mo, b);
  out.fuse(no, mo, task).fuse(task, b, task).parallel(task);

  // TVM unrolls loops of up to 16 steps in all.
  constexpr int64_t kAutoUnroll = 16;
  part.compute_at(out, task).split(j, jv, j, width).vectorize(j);
  Halide::Stage update = part.update();
  update.split(j, jv, j, width).reorder(j, jv, k, n, m).vectorize(j).fuse(n, m, f);
  if (vectors <= kMostUnrolled) update.unroll(jv);
  if (steps <= kAutoUnroll && vectors * steps <= kMostUnrolled) update.unroll(k);
  if (steps * rows * columns <= kAutoUnroll && vectors * kAutoUnroll <= kMostUnrolled)
    update.unroll(f);
  sum.compute_at(out, ni);
  add_lanes(sum, all, width);
  return out;
}

/// [b, K, N] as [b, N, K].
Result<Tensor> pack_batch_matmul_x86(const KernelSpec& spec, size_t index, const Tensor& weight) {
  return pack_operand(spec, *batch_product(spec), index, weight, 1);
}

}  // namespace

ScheduleDef batch_matmul_x86_schedule() {
  return {.name = "batch_matmul_x86",
          .summary = "AutoTVM's template batch_matmul.x86, for configs of its logs",
          .default_config = batch_matmul_x86_default_config,
          .priority = -1,
          .pack = pack_batch_matmul_x86,
          .check_config = check_batch_matmul_x86_config,
          .build = build_batch_matmul_x86};
}

}  // namespace opbench

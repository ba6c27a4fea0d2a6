#include <halide14/Halide.h>

#include <algorithm>

#include "base/numbers/divisors.h"
#include "kernels/schedules/autotvm/template_product.h"
#include "kernels/schedules/autotvm/template_tile.h"
#include "kernels/schedules/kernel_builder.h"
#include "kernels/schedules/knobs/knob_values.h"
#include "kernels/schedules/knobs/tile_estimate.h"
#include "kernels/schedules/narrow.h"
#include "kernels/schedules/schedule.h"

namespace opbench {
namespace {

using Halide::Func;
using Halide::Var;

/// Vectors of sums whose loops are unrolled: twice what registers hold.
constexpr int64_t kDenseNopackX86MostSums = 64;

/// AutoTVM's choice without a record.
std::optional<Config> dense_nopack_x86_default_config(const KernelSpec& spec) {
  const std::optional<TemplateProduct> product = dense_product(spec);
  if (!product) return std::nullopt;
  return Config{{"tile_y", product->m},
                {"tile_x", 1},
                {"tile_k", largest_divisor(product->k, 2 * int64_t{float_lanes(spec.target)})}};
}

Result<void> check_dense_nopack_x86_config(const KernelSpec& spec) {
  const std::optional<TemplateProduct> product = dense_product(spec);
  if (!product)
    return Error{ErrorCode::kInvalidInput, "dense_nopack_x86 does not take the workload"};
  OPBENCH_CHECK(check_divisor(spec.config, "tile_y", product->m));
  OPBENCH_CHECK(check_divisor(spec.config, "tile_x", product->n));
  OPBENCH_CHECK(check_divisor(spec.config, "tile_k", product->k));
  return check_tile_memory(spec.config, {"tile_y", "tile_x", "tile_k"});
}

/// One kernel of AutoTVM's template dense_nopack.x86: for every element of a tile `tile_k` sums,
/// each over every `tile_k`-th k, k outermost; then these are added up. Both matrices are read
/// along k.
Func build_dense_nopack_x86(const KernelSpec& spec, KernelBuilder& builder) {
  const TemplateProduct product = *dense_product(spec);
  const int rows = narrow(spec.config.at("tile_y"));
  const int columns = narrow(spec.config.at("tile_x"));
  const int parts = narrow(spec.config.at("tile_k"));
  const int width = narrow(vector_part(parts, builder.lanes()));
  const int64_t vectors = vector_count(parts, builder.lanes());
  Var j("j"), jv("jv"), n("n"), m("m"), f("f"), fo("fo");
  Var no("no"), ni("ni"), mo("mo"), mi("mi"), task("task");
  Func part("part"), sum("sum"), out("out");
  const Halide::RDom k(0, narrow(product.k) / parts, "k"), all(0, parts, "all");
  part(j, n, m) = 0.0f;
  const Func right = right_rows(spec, builder, product);
  part(j, n, m) +=
      left_value(spec, builder, product, k * parts + j, m, 0) * right(k * parts + j, n, 0);
  sum(n, m) = 0.0f;
  sum(n, m) += part(all, n, m);
  out(n, m) = finished_value(spec, builder, product, sum(n, m), n, m, 0);
  builder.set_output_extents({product.n, product.m});
  out.split(n, no, ni, columns).split(m, mo, mi, rows).reorder(ni, mi, no, mo);
  out.fuse(no, mo, task).parallel(task);

  part.compute_at(out, task).split(j, jv, j, width).vectorize(j);
  Halide::Stage update = part.update();
  update.split(j, jv, j, width).reorder(j, jv, n, m, k).vectorize(j).fuse(n, m, f);
  if (vectors <= kDenseNopackX86MostSums) {
    const int64_t group =
        largest_divisor(int64_t{rows} * columns, kDenseNopackX86MostSums / vectors);
    update.unroll(jv).unroll(f, narrow(group));
  }
  sum.compute_at(out, ni);
  add_lanes(sum, all, width);
  return out;
}

/// Every element of a tile has a sum for each vector of `tile_k`; sums that do not all fit into
/// registers are loaded and stored at every step. Then the lanes of every vector are added up.
double estimate_dense_nopack_x86(const KernelSpec& spec) {
  constexpr double kThroughMemory = 2, kAddLanes = 6;
  const TemplateProduct product = *dense_product(spec);
  const int lanes = float_lanes(spec.target);
  const int64_t parts = spec.config.at("tile_k");
  const int64_t elements = spec.config.at("tile_y") * spec.config.at("tile_x");
  const RegisterTile tile{spec.config.at("tile_y"), spec.config.at("tile_x")};
  const int64_t vectors = vector_count(parts, lanes);
  const auto sums = static_cast<double>(elements * vectors);
  const double step =
      elements * vectors > sum_registers(spec.target)
          ? kThroughMemory * sums
          : std::max(step_cycles({1, elements * vectors}, elements * vectors),
                     static_cast<double>(vectors * (tile.pixels + tile.vectors)) / 2);
  const int64_t steps = product.k / parts;
  const int64_t tiles = product.m * product.n / elements;
  const int64_t added = elements * (parts / vector_part(parts, lanes));  // vectors
  const int64_t passes = product.m / tile.pixels;
  const double right = static_cast<double>(product.k * product.n) * sizeof(float);
  const double sum = static_cast<double>(steps) * step + kAddLanes * static_cast<double>(added);
  return beside(static_cast<double>(tiles) * sum,
                read_cycles(static_cast<double>(passes) * right, right));
}

/// [K, N] as [N, K].
Result<Tensor> pack_dense_nopack_x86(const KernelSpec& spec, size_t index, const Tensor& weight) {
  return pack_operand(spec, *dense_product(spec), index, weight, 1);
}

}  // namespace

ScheduleDef dense_nopack_x86_schedule() {
  return {.name = "dense_nopack_x86",
          .summary = "AutoTVM's template dense_nopack.x86, for configs of its logs",
          .default_config = dense_nopack_x86_default_config,
          .priority = -1,
          .pack = pack_dense_nopack_x86,
          .check_config = check_dense_nopack_x86_config,
          .estimate = estimate_dense_nopack_x86,
          .build = build_dense_nopack_x86};
}

}  // namespace opbench

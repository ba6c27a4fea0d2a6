#include <halide14/Halide.h>

#include <algorithm>
#include <array>

#include "base/numbers/divisors.h"
#include "kernels/schedules/autotvm/template_product.h"
#include "kernels/schedules/gpu/gpu_group.h"
#include "kernels/schedules/gpu/staged_tile.h"
#include "kernels/schedules/kernel_builder.h"
#include "kernels/schedules/knobs/knob_values.h"
#include "kernels/schedules/narrow.h"
#include "kernels/schedules/schedule.h"

namespace opbench {
namespace {

using Halide::Func;
using Halide::Var;

constexpr int64_t kDenseMaliMostUnrolled = 64;  // of k

std::optional<Config> dense_mali_default_config(const KernelSpec& spec) {
  const std::optional<TemplateProduct> product = dense_product(spec);
  if (!product || !is_for_gpu(spec) || !reads_arguments(spec)) return std::nullopt;
  const int64_t rows = largest_divisor(product->m, 4);
  const int64_t columns = largest_divisor(product->n, 4);
  return Config{{"tile_y", rows},
                {"tile_y_1", largest_divisor(product->m / rows, 8)},
                {"tile_x", columns},
                {"tile_x_1", largest_divisor(product->n / columns, 8)},
                {"c_unroll", largest_divisor(product->k, 4)}};
}

std::vector<GpuAxis> dense_mali_axes(const Config& config) {
  return {gpu_axis("n", config, "tile_x"), gpu_axis("m", config, "tile_y")};
}

Result<void> check_dense_mali_config(const KernelSpec& spec) {
  const std::optional<TemplateProduct> product = dense_product(spec);
  if (!product) return Error{ErrorCode::kInvalidInput, "dense_mali does not take the workload"};
  OPBENCH_CHECK(check_split(spec.config, "tile_y", 3, product->m));
  OPBENCH_CHECK(check_split(spec.config, "tile_x", 3, product->n));
  OPBENCH_CHECK(check_divisor(spec.config, "c_unroll", product->k));
  OPBENCH_CHECK(check_range(spec.config, "c_unroll", 1, kDenseMaliMostUnrolled));
  return check_group_limits(spec.target, dense_mali_axes(spec.config), 0);
}

/// One kernel of AutoTVM's template dense.mali: a tile a thread, vectors along the columns where
/// OpenCL has them.
Func build_dense_mali(const KernelSpec& spec, KernelBuilder& builder) {
  constexpr std::array<int64_t, 4> kWidths = {2, 4, 8, 16};
  const TemplateProduct product = *dense_product(spec);
  std::vector<GpuAxis> axes = dense_mali_axes(spec.config);
  limit_sums(axes);
  const int64_t steps = spec.config.at("c_unroll");
  const Var n("n"), m("m");
  const Halide::RVar ko("ko"), ki("ki");
  Func sum("sum"), out("out");
  const Halide::RDom r(0, narrow(product.k), "r");
  sum(n, m) = 0.0f;
  sum(n, m) +=
      left_value(spec, builder, product, r, m, 0) * right_value(spec, builder, product, r, n, 0);
  out(n, m) = finished_value(spec, builder, product, sum(n, m), n, m, 0);
  builder.set_output_extents({product.n, product.m});
  sum.update().split(r.x, ko, ki, narrow(steps));
  const bool has_vector = std::ranges::count(kWidths, axes[0].inner) > 0;
  schedule_thread_tiles(out, sum, axes, "", {{"ki", steps}, {"ko", product.k / steps, false}},
                        4 * kMostHeldSums, has_vector ? "n" : "");
  return out;
}

/// [K, N] as [N, K].
Result<Tensor> pack_dense_mali(const KernelSpec& spec, size_t index, const Tensor& weight) {
  return pack_operand(spec, *dense_product(spec), index, weight, 1);
}

}  // namespace

ScheduleDef dense_mali_schedule() {
  return {.name = "dense_mali",
          .summary = "AutoTVM's template dense.mali, for configs of its logs",
          .device_types = {DeviceType::kOpenCl},
          .default_config = dense_mali_default_config,
          .priority = -1,
          .pack = pack_dense_mali,
          .check_config = check_dense_mali_config,
          .build = build_dense_mali};
}

}  // namespace opbench

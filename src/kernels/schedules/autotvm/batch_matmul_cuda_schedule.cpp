#include <halide14/Halide.h>

#include <algorithm>

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

/// AutoTVM's choice without a record: tiles of up to 64, of up to 8 x 8 threads.
std::optional<Config> batch_matmul_cuda_default_config(const KernelSpec& spec) {
  constexpr int64_t kTile = 64;
  constexpr int64_t kThreads = 8;
  constexpr int64_t kSlice = 8;
  const std::optional<TemplateProduct> product = batch_product(spec);
  if (!product || !is_for_gpu(spec) || !reads_arguments(spec)) return std::nullopt;
  const int64_t y = power_of_two_dividing(product->m, kTile);
  const int64_t x = power_of_two_dividing(product->n, kTile);
  const int64_t rows = std::min(y, kThreads);
  const int64_t columns = std::min(x, kThreads);
  return Config{{"tile_y", y / rows},
                {"tile_y_1", rows},
                {"tile_x", x / columns},
                {"tile_x_1", columns},
                {"tile_k", largest_divisor(product->k, kSlice)},
                {"auto_unroll_max_step", 16},
                {"unroll_explicit", 1}};
}

std::vector<GpuAxis> batch_matmul_cuda_axes(const Config& config) {
  return {gpu_axis("n", config, "tile_x"), gpu_axis("m", config, "tile_y")};
}

Result<void> check_batch_matmul_cuda_config(const KernelSpec& spec) {
  const std::optional<TemplateProduct> product = batch_product(spec);
  if (!product)
    return Error{ErrorCode::kInvalidInput, "batch_matmul_cuda does not take the workload"};
  const Config& config = spec.config;
  OPBENCH_CHECK(check_split(config, "tile_y", 3, product->m));
  OPBENCH_CHECK(check_split(config, "tile_x", 3, product->n));
  OPBENCH_CHECK(check_divisor(config, "tile_k", product->k));
  const std::vector<GpuAxis> axes = batch_matmul_cuda_axes(config);
  const int64_t floats = config.at("tile_k") * (axes[0].tile() + axes[1].tile());
  return check_group_limits(spec.target, axes, floats * static_cast<int64_t>(sizeof(float)));
}

/// One kernel of AutoTVM's template batch_matmul.cuda.
Func build_batch_matmul_cuda(const KernelSpec& spec, KernelBuilder& builder) {
  const TemplateProduct product = *batch_product(spec);
  std::vector<GpuAxis> axes = batch_matmul_cuda_axes(spec.config);
  limit_sums(axes);
  const int64_t slice = spec.config.at("tile_k");
  const Var n("n"), m("m"), k("k"), b("b");
  Func left("left"), right("right"), sum("sum"), out("out");
  left(k, m, b) = left_value(spec, builder, product, k, m, b);
  right(k, n, b) = right_value(spec, builder, product, k, n, b);
  const Halide::RDom r(0, narrow(product.k), "r");
  sum(n, m, b) = 0.0f;
  sum(n, m, b) += left(r, m, b) * right(r, n, b);
  out(n, m, b) = finished_value(spec, builder, product, sum(n, m, b), n, m, b);
  builder.set_output_extents({product.n, product.m, product.b});

  schedule_blocks(out, axes, "b");
  const int64_t unrolled = knob_or(spec.config, "auto_unroll_max_step", 0) * sums_of(axes);
  const Halide::RVar slices = schedule_sums(sum, out, axes, {{"k", {slice}}}, {r.x},
                                            std::min(unrolled, int64_t{kMostHeldSums}));
  left.compute_at(sum, slices);
  right.compute_at(sum, slices);
  stage_rows(left, k, slice, m, axes[1].part(), axes, 0);
  stage_rows(right, k, slice, n, axes[0].part(), axes, 0);
  return out;
}

/// [b, K, N] as [b, N, K].
Result<Tensor> pack_batch_matmul_cuda(const KernelSpec& spec, size_t index, const Tensor& weight) {
  return pack_operand(spec, *batch_product(spec), index, weight, 1);
}

}  // namespace

ScheduleDef batch_matmul_cuda_schedule() {
  return {.name = "batch_matmul_cuda",
          .summary = "AutoTVM's template batch_matmul.cuda, for configs of its logs",
          .device_types = {DeviceType::kOpenCl, DeviceType::kCuda},
          .default_config = batch_matmul_cuda_default_config,
          .priority = -1,
          .pack = pack_batch_matmul_cuda,
          .check_config = check_batch_matmul_cuda_config,
          .build = build_batch_matmul_cuda};
}

}  // namespace opbench

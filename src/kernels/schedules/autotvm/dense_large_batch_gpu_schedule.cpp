#include <halide14/Halide.h>

#include <numeric>

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

/// AutoTVM's choice without a record, where it can be built: 16 x 16 threads with two virtual ones
/// each way.
std::optional<Config> dense_large_batch_gpu_default_config(const KernelSpec& spec) {
  constexpr int64_t kThreads = 16;
  constexpr int64_t kSlice = 8;
  const std::optional<TemplateProduct> product = dense_product(spec);
  if (!product || !is_for_gpu(spec) || !reads_arguments(spec)) return std::nullopt;
  const int64_t threads = largest_divisor(std::gcd(product->m, product->n), kThreads);
  const auto neighbours = [&](int64_t extent) { return largest_divisor(extent / threads, 4); };
  return Config{{"tile_x", neighbours(product->m)},
                {"tile_x_1", 1},
                {"tile_x_2", threads},
                {"tile_y", neighbours(product->n)},
                {"tile_y_1", 1},
                {"tile_y_2", threads},
                {"tile_k", 1},
                {"tile_k_1", largest_divisor(product->k, kSlice)}};
}

/// Rows are x of the group, as the template has them.
std::vector<GpuAxis> dense_large_batch_gpu_axes(const Config& config) {
  return {gpu_axis("m", config, "tile_x"), gpu_axis("n", config, "tile_y")};
}

Result<void> check_dense_large_batch_gpu_config(const KernelSpec& spec) {
  const std::optional<TemplateProduct> product = dense_product(spec);
  if (!product)
    return Error{ErrorCode::kInvalidInput, "dense_large_batch_gpu does not take the workload"};
  const Config& config = spec.config;
  OPBENCH_CHECK(check_split(config, "tile_x", 4, product->m));
  OPBENCH_CHECK(check_split(config, "tile_y", 4, product->n));
  OPBENCH_CHECK(check_split(config, "tile_k", 3, product->k));
  const std::vector<GpuAxis> axes = dense_large_batch_gpu_axes(config);
  if (axes[0].threads != axes[1].threads)
    return Error{ErrorCode::kInvalidInput, "loads want " + std::to_string(axes[0].threads) +
                                               " and " + std::to_string(axes[1].threads) +
                                               " threads along one axis"};
  // TVM has two buffers of each operand.
  const int64_t slice = config.at("tile_k") * config.at("tile_k_1");
  const int64_t floats = 2 * slice * (axes[0].tile() + axes[1].tile());
  return check_group_limits(spec.target, axes, floats * static_cast<int64_t>(sizeof(float)));
}

/// One kernel of AutoTVM's template dense_large_batch.gpu.
Func build_dense_large_batch_gpu(const KernelSpec& spec, KernelBuilder& builder) {
  constexpr int64_t kRun = 4;  // floats that a thread loads at a time
  const TemplateProduct product = *dense_product(spec);
  std::vector<GpuAxis> axes = dense_large_batch_gpu_axes(spec.config);
  limit_sums(axes);
  const int64_t outer = spec.config.at("tile_k_1");
  const int64_t inner = spec.config.at("tile_k");
  const Var n("n"), m("m"), k("k");
  Func left("left"), right("right"), sum("sum"), out("out");
  left(k, m) = left_value(spec, builder, product, k, m, 0);
  right(k, n) = right_value(spec, builder, product, k, n, 0);
  const Halide::RDom r(0, narrow(product.k), "r");
  sum(n, m) = 0.0f;
  sum(n, m) += left(r, m) * right(r, n);
  out(n, m) = finished_value(spec, builder, product, sum(n, m), n, m, 0);
  builder.set_output_extents({product.n, product.m});

  schedule_blocks(out, axes, "");
  const Halide::RVar slices =
      schedule_sums(sum, out, axes, {{"k", {outer, inner}}}, {r.x}, kMostHeldSums);
  left.compute_at(sum, slices);
  right.compute_at(sum, slices);
  stage_rows(left, k, outer * inner, m, axes[0].part(), axes, kRun);
  stage_rows(right, k, outer * inner, n, axes[1].part(), axes, kRun);
  return out;
}

/// [K, N] as [N, K].
Result<Tensor> pack_dense_large_batch_gpu(const KernelSpec& spec, size_t index,
                                          const Tensor& weight) {
  return pack_operand(spec, *dense_product(spec), index, weight, 1);
}

}  // namespace

ScheduleDef dense_large_batch_gpu_schedule() {
  return {.name = "dense_large_batch_gpu",
          .summary = "AutoTVM's template dense_large_batch.gpu, for configs of its logs",
          .device_types = {DeviceType::kOpenCl, DeviceType::kCuda},
          .default_config = dense_large_batch_gpu_default_config,
          .priority = -1,
          .pack = pack_dense_large_batch_gpu,
          .check_config = check_dense_large_batch_gpu_config,
          .build = build_dense_large_batch_gpu};
}

}  // namespace opbench

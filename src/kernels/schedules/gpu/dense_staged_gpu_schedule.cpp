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

constexpr int64_t kStagedMostThreads = 16;  // along an axis
constexpr int64_t kStagedMostSide = 8;      // sums of a thread along an axis
constexpr int64_t kStagedMostSlice = 16;    // steps of k that are staged at a time

/// Columns are x of the group, so that neighbouring threads write neighbours.
std::vector<GpuAxis> dense_staged_axes(const Config& config) {
  return {{.name = "n", .threads = config.at("threads_n"), .inner = config.at("tile_n")},
          {.name = "m", .threads = config.at("threads_m"), .inner = config.at("tile_m")}};
}

Config dense_staged_default(const TemplateProduct& product) {
  constexpr int64_t kSide = 4;
  const int64_t columns = largest_divisor(product.n, kStagedMostThreads);
  const int64_t rows = largest_divisor(product.m, kStagedMostThreads);
  return {{"threads_n", columns},
          {"threads_m", rows},
          {"tile_n", largest_divisor(product.n / columns, kSide)},
          {"tile_m", largest_divisor(product.m / rows, kSide)},
          {"slice", largest_divisor(product.k, kStagedMostSlice)}};
}

std::optional<Config> dense_staged_gpu_default_config(const KernelSpec& spec) {
  const std::optional<TemplateProduct> product = dense_product(spec);
  if (!product || !is_for_gpu(spec) || !reads_arguments(spec)) return std::nullopt;
  return dense_staged_default(*product);
}

std::vector<KnobRange> dense_staged_gpu_knobs(const KernelSpec& spec) {
  const TemplateProduct product = *dense_product(spec);
  return {{"threads_n", divisors(product.n, kStagedMostThreads)},
          {"threads_m", divisors(product.m, kStagedMostThreads)},
          {"tile_n", divisors(product.n, kStagedMostSide)},
          {"tile_m", divisors(product.m, kStagedMostSide)},
          {"slice", divisors(product.k, kStagedMostSlice)}};
}

Result<void> check_dense_staged_gpu_config(const KernelSpec& spec) {
  const std::optional<TemplateProduct> product = dense_product(spec);
  if (!product)
    return Error{ErrorCode::kInvalidInput, "dense_staged_gpu does not take the workload"};
  const Config& config = spec.config;
  OPBENCH_CHECK(check_divisor(config, "threads_n", product->n));
  OPBENCH_CHECK(check_divisor(config, "threads_m", product->m));
  OPBENCH_CHECK(check_divisor(config, "tile_n", product->n / config.at("threads_n")));
  OPBENCH_CHECK(check_divisor(config, "tile_m", product->m / config.at("threads_m")));
  OPBENCH_CHECK(check_divisor(config, "slice", product->k));
  const std::vector<GpuAxis> axes = dense_staged_axes(config);
  OPBENCH_CHECK(check_sums(sums_of(axes), kMostHeldSums));
  const int64_t floats = config.at("slice") * (axes[0].tile() + axes[1].tile());
  return check_group_limits(spec.target, axes, floats * static_cast<int64_t>(sizeof(float)));
}

/// A block computes a tile of the result. Its threads stage a slice of k of both operands in local
/// memory, and each adds to its own tile of sums.
Func build_dense_staged_gpu(const KernelSpec& spec, KernelBuilder& builder) {
  const TemplateProduct product = *dense_product(spec);
  const std::vector<GpuAxis> axes = dense_staged_axes(spec.config);
  const int64_t slice = spec.config.at("slice");
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
  const Halide::RVar slices = schedule_sums(sum, out, axes, {{"k", {slice}}}, {r.x}, kMostHeldSums);
  left.compute_at(sum, slices);
  right.compute_at(sum, slices);
  stage_in_runs(left, {k, m}, slice * axes[1].tile(), axes);
  stage_in_runs(right, {k, n}, slice * axes[0].tile(), axes);
  return out;
}

/// [K, N] as [N, K].
Result<Tensor> pack_dense_staged_gpu(const KernelSpec& spec, size_t index, const Tensor& weight) {
  return pack_operand(spec, *dense_product(spec), index, weight, 1);
}

}  // namespace

/// Below product_gpu where local memory is global memory (PoCL, Mali): there that is faster.
ScheduleDef dense_staged_gpu_schedule() {
  return {.name = "dense_staged_gpu",
          .summary = "products with a matrix, operands staged in local memory",
          .device_types = {DeviceType::kOpenCl, DeviceType::kCuda},
          .default_config = dense_staged_gpu_default_config,
          .knobs = dense_staged_gpu_knobs,
          .priority = 4,
          .priority_on_cuda = 6,
          .pack = pack_dense_staged_gpu,
          .check_config = check_dense_staged_gpu_config,
          .build = build_dense_staged_gpu};
}

}  // namespace opbench

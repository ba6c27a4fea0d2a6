#include <halide14/Halide.h>

#include <cmath>

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

std::optional<Config> dense_small_batch_gpu_default_config(const KernelSpec& spec) {
  constexpr int64_t kThreads = 64;
  const std::optional<TemplateProduct> product = dense_product(spec);
  if (!product || !is_for_gpu(spec) || !reads_arguments(spec)) return std::nullopt;
  return Config{{"tile_k", largest_divisor(product->k, kThreads)}};
}

Result<void> check_dense_small_batch_gpu_config(const KernelSpec& spec) {
  const std::optional<TemplateProduct> product = dense_product(spec);
  if (!product)
    return Error{ErrorCode::kInvalidInput, "dense_small_batch_gpu does not take the workload"};
  OPBENCH_CHECK(check_divisor(spec.config, "tile_k", product->k));
  const int64_t threads = spec.config.at("tile_k");
  return check_group_limits(spec.target, {GpuAxis{.name = "k", .threads = threads}},
                            2 * threads * static_cast<int64_t>(sizeof(float)));
}

/// One kernel of AutoTVM's template dense_small_batch.gpu: a block computes one element, of which
/// each of `tile_k` threads sums a part. The parts are added up in two steps.
Func build_dense_small_batch_gpu(const KernelSpec& spec, KernelBuilder& builder) {
  const TemplateProduct product = *dense_product(spec);
  const int64_t threads = spec.config.at("tile_k");
  const int64_t groups =
      largest_divisor(threads, static_cast<int64_t>(std::sqrt(static_cast<double>(threads))));
  const int count = narrow(threads);
  const int group = narrow(threads / groups);
  const Var n("n"), m("m"), t("t"), j("j"), nb("nb"), nt("nt");
  Func part("part"), parts("parts"), few("few"), sum("sum"), out("out");
  const Halide::RDom r(0, narrow(product.k / threads), "r");
  const Halide::RDom in_group(0, group, "in_group"), all(0, narrow(groups), "all");
  const Halide::Expr k = r * count + t;
  part(t, n, m) = 0.0f;
  part(t, n, m) +=
      left_value(spec, builder, product, k, m, 0) * right_value(spec, builder, product, k, n, 0);
  parts(t, n, m) = part(t, n, m);
  few(j, n, m) = 0.0f;
  few(j, n, m) += parts(j * group + in_group, n, m);
  sum(n, m) = 0.0f;
  sum(n, m) += few(all, n, m);
  out(n, m) = finished_value(spec, builder, product, sum(n, m), n, m, 0);
  builder.set_output_extents({product.n, product.m});

  out.split(n, nb, nt, 1).reorder(nt, nb, m).gpu_blocks(nb, m).gpu_threads(nt);
  sum.compute_at(out, nt);
  few.compute_at(out, nb).store_in(Halide::MemoryType::GPUShared).gpu_threads(j);
  few.update().reorder(in_group.x, j).gpu_threads(j);
  parts.compute_at(out, nb).store_in(Halide::MemoryType::GPUShared).gpu_threads(t);
  part.compute_at(parts, t);
  return out;
}

/// [K, N] as [N, K].
Result<Tensor> pack_dense_small_batch_gpu(const KernelSpec& spec, size_t index,
                                          const Tensor& weight) {
  return pack_operand(spec, *dense_product(spec), index, weight, 1);
}

}  // namespace

ScheduleDef dense_small_batch_gpu_schedule() {
  return {.name = "dense_small_batch_gpu",
          .summary = "AutoTVM's template dense_small_batch.gpu, for configs of its logs",
          .device_types = {DeviceType::kOpenCl, DeviceType::kCuda},
          .default_config = dense_small_batch_gpu_default_config,
          .priority = -1,
          .pack = pack_dense_small_batch_gpu,
          .check_config = check_dense_small_batch_gpu_config,
          .build = build_dense_small_batch_gpu};
}

}  // namespace opbench

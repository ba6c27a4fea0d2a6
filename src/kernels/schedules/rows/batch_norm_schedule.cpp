#include <halide14/Halide.h>

#include <algorithm>

#include "kernels/schedules/kernel_builder.h"
#include "kernels/schedules/operands/anchor_check.h"
#include "kernels/schedules/rows/batch_norm_parts.h"
#include "kernels/schedules/rows/flat_loops.h"

namespace opbench {
namespace {

using Halide::Func;

std::optional<Config> batch_norm_default_config(const KernelSpec& spec) {
  return is_plain(spec) && is_batch_norm(spec) ? std::optional(Config{}) : std::nullopt;
}

/// The channel's factor and offset are made beside the loop over a plane.
Func build_batch_norm(const KernelSpec& spec, KernelBuilder& builder) {
  BatchNorm norm;
  Func out = define_batch_norm(spec, builder, norm);
  for (Func& number : norm.numbers) number.compute_root();
  schedule_stream(out, norm.vars, norm.extents, builder.lanes());
  return out;
}

}  // namespace

ScheduleDef batch_norm_schedule() {
  return {.name = "batch_norm",
          .summary = "a multiply-add a channel",
          .default_config = batch_norm_default_config,
          .priority = 5,
          .pack = nullptr,
          .build = build_batch_norm};
}

}  // namespace opbench

#include <halide14/Halide.h>

#include <algorithm>
#include <functional>
#include <limits>

#include "kernels/schedules/gpu/gpu_group.h"
#include "kernels/schedules/kernel_builder.h"
#include "kernels/schedules/narrow.h"
#include "kernels/schedules/operands/anchor_check.h"
#include "kernels/schedules/rows/flat_loops.h"
#include "kernels/schedules/rows/reduce_parts.h"

namespace opbench {
namespace {

using Halide::Expr;
using Halide::Func;
using Halide::Var;

/// A global pool is the reduction of this type over all axes but the first two.
std::string reduction_of_pool(const KernelSpec& spec) {
  if (takes_anchor(spec, "GlobalAveragePool")) return "ReduceMean";
  return takes_anchor(spec, "GlobalMaxPool") ? "ReduceMax" : "";
}

std::vector<ReduceAxis> gpu_axes(const KernelSpec& spec) {
  if (reduction_of_pool(spec).empty()) return merged_axes(spec).value();
  const Shape& shape = anchor_type(spec, 0).shape;
  const int64_t pixels = product(shape, 2, shape.size());
  return {{.extent = pixels, .stride = 1, .is_reduced = true},
          {.extent = shape[0] * shape[1], .stride = pixels}};
}

std::optional<Config> reduce_gpu_default_config(const KernelSpec& spec) {
  if (!is_for_gpu(spec)) return std::nullopt;
  if (reduction_of_pool(spec).empty() && !is_reduction(spec)) return std::nullopt;
  return Config{{kGroupKnob, default_group(spec.target)}};
}

/// The parts of a reduction whose results are numbered by `flat`.
struct GpuReduction {
  const KernelSpec& spec;
  KernelBuilder& builder;
  std::string type;
  std::vector<ReduceAxis> kept = {}, reduced = {};  ///< innermost first
  Var flat = Var("flat");

  int64_t elements() const {
    int64_t count = 1;
    for (const ReduceAxis& axis : reduced) count *= axis.extent;
    return count;
  }

  /// The element at these places of the reduced axes. Dimension 0 of the input runs on over all.
  Expr at(const Halide::RDom& places) const {
    std::vector<int64_t> extents;
    for (const ReduceAxis& axis : kept) extents.push_back(axis.extent);
    const std::vector<Expr> row = unflatten(flat, extents);
    Expr offset = 0;
    for (size_t i = 0; i < kept.size(); ++i) offset += row[i] * narrow(kept[i].stride);
    for (size_t i = 0; i < reduced.size(); ++i)
      offset += places[static_cast<int>(i)] * narrow(reduced[i].stride);
    std::vector<Expr> position(anchor_type(spec, 0).shape.size(), Expr(0));
    position[0] = offset;
    return builder.operand(*input_index(spec.workload, 0, 0))(position);
  }

  /// All elements of a result as one, by the reduction `joining`.
  Func joined(const std::string& joining, const std::function<Expr(const Expr&)>& enter) const {
    Halide::Region ranges;
    for (const ReduceAxis& axis : reduced) ranges.emplace_back(0, narrow(axis.extent));
    const Halide::RDom places(ranges);
    Func all("all");
    all(flat) = identity_of_reduction(joining);
    all(flat) = joined_in_reduction(joining, all(flat), enter(at(places)));
    return all;
  }

  /// The result, and the Funcs that it is made of.
  Expr result(std::vector<Func>& made) const {
    if (type != "ReduceLogSumExp") {
      made = {joined(type, [&](const Expr& x) { return entering_reduction(type, x); })};
      return finished_reduction(type, made[0](flat), narrow(elements()));
    }
    made = {joined("ReduceMax", [](const Expr& x) { return x; })};
    const Expr top = Halide::max(made[0](flat), std::numeric_limits<float>::lowest());
    made.push_back(joined("ReduceSum", [&](const Expr& x) { return Halide::exp(x - top); }));
    return Halide::log(made[1](flat)) + top;
  }
};

Func build_reduce_gpu(const KernelSpec& spec, KernelBuilder& builder) {
  const std::string pool = reduction_of_pool(spec);
  GpuReduction of{
      .spec = spec, .builder = builder, .type = pool.empty() ? anchor_of(spec).type : pool};
  for (const ReduceAxis& axis : gpu_axes(spec))
    (axis.is_reduced ? of.reduced : of.kept).push_back(axis);
  const Shape& shape = output_type(spec.workload).shape;
  std::vector<Func> made;
  Func out("out");
  const Expr value = of.result(made);
  out(of.flat) = builder.epilogue(value, unflatten(of.flat, shape, 0, shape.size()));
  const int64_t results = element_count(shape);
  builder.set_output_extents({results});
  const Var thread = spread_over_threads(out, {of.flat}, results, spec.config);
  for (Func& func : made) func.compute_at(out, thread);
  return out;
}

}  // namespace

ScheduleDef reduce_gpu_schedule() {
  return {.name = "reduce_gpu",
          .summary = "reductions along any axes and global pools, a result a thread",
          .device_types = {DeviceType::kOpenCl, DeviceType::kCuda},
          .default_config = reduce_gpu_default_config,
          .knobs = group_knobs,
          .priority = 5,
          .pack = pack_epilogue_weight,
          .check_config = check_group_config,
          .build = build_reduce_gpu};
}

}  // namespace opbench

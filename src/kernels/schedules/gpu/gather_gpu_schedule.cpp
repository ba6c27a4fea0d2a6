#include <halide14/Halide.h>

#include "kernels/schedules/gpu/gpu_group.h"
#include "kernels/schedules/kernel_builder.h"
#include "kernels/schedules/narrow.h"
#include "kernels/schedules/operands/anchor_check.h"

namespace opbench {
namespace {

using Halide::Expr;
using Halide::Func;
using Halide::Var;

/// The axis, counted from the front; -1 when outside.
int64_t gather_axis_of(const KernelSpec& spec) {
  return normal_axis(int_attribute(anchor_of(spec), "axis", 0), anchor_type(spec, 0).shape.size());
}

/// Indices come from a buffer, as integers.
bool has_index_buffer(const KernelSpec& spec) {
  if (anchor_of(spec).inputs.size() != 2 || !input_index(spec.workload, 0, 1)) return false;
  const DataType type = anchor_type(spec, 1).data_type;
  return type == DataType::kInt64 || type == DataType::kInt32;
}

std::optional<Config> gather_gpu_default_config(const KernelSpec& spec) {
  if (!is_for_gpu(spec) || spec.workload.graph.nodes.size() != 1) return std::nullopt;
  if (!takes_moving_anchor(spec, "Gather") || !has_index_buffer(spec)) return std::nullopt;
  if (gather_axis_of(spec) < 0) return std::nullopt;
  return Config{{kGroupKnob, default_group(spec.target)}};
}

/// The element at `offset` of a dense tensor of so many dimensions.
Expr element_at(const Func& tensor, size_t rank, const Expr& offset) {
  std::vector<Expr> at(rank, Expr(0));
  if (rank > 0) at[0] = offset;  // dimension 0 runs on over all elements
  return tensor(at);
}

/// The data as [outer, axis, inner], the result as [outer, picked, inner].
Func build_gather_gpu(const KernelSpec& spec, KernelBuilder& builder) {
  const Shape& data = anchor_type(spec, 0).shape;
  const Shape& indices = anchor_type(spec, 1).shape;
  const auto axis = static_cast<size_t>(gather_axis_of(spec));
  const int64_t outer = product(data, 0, axis);
  const int64_t inner = product(data, axis + 1, data.size());
  const int64_t picked = element_count(indices);
  const int extent = narrow(data[axis]);

  Var i("i"), p("p"), o("o");
  // A Func of its own, of which Halide knows the range alone: it would look at the only index on
  // the host, where its buffer is not, to find out what the kernel reads.
  Func place("place"), out("out");
  const Func read = builder.operand(*input_index(spec.workload, 0, 1));
  const Expr index = Halide::cast<int>(element_at(read, indices.size(), p));
  // The operator takes indices from -extent on; the device must not read outside of the data.
  place(p) = Halide::clamp(Halide::select(index < 0, index + extent, index), 0, extent - 1);
  const Expr offset = i + place(p) * narrow(inner) + o * narrow(inner * data[axis]);
  out(i, p, o) =
      element_at(builder.operand(*input_index(spec.workload, 0, 0)), data.size(), offset);
  builder.set_output_extents({inner, picked, outer});
  const Var thread = spread_over_threads(out, {i, p, o}, inner * picked * outer, spec.config);
  place.compute_at(out, thread);
  return out;
}

}  // namespace

ScheduleDef gather_gpu_schedule() {
  return {.name = "gather_gpu",
          .summary = "parts of a tensor picked by index along an axis, an element a thread",
          .device_types = {DeviceType::kOpenCl, DeviceType::kCuda},
          .default_config = gather_gpu_default_config,
          .knobs = group_knobs,
          .priority = 5,
          .pack = nullptr,
          .check_config = check_group_config,
          .build = build_gather_gpu};
}

}  // namespace opbench

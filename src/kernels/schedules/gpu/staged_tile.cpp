#include "kernels/schedules/gpu/staged_tile.h"

#include <fmt/format.h>
#include <halide14/Halide.h>

#include <algorithm>
#include <charconv>

#include "base/numbers/divisors.h"
#include "kernels/schedules/knobs/knob_values.h"
#include "kernels/schedules/narrow.h"
#include "kernels/schedules/operands/anchor_check.h"
#include "kernels/schedules/operands/anchor_operand.h"
#include "kernels/schedules/operands/workload_operands.h"
#include "machine/target/device_type.h"

namespace opbench {
namespace {

using Halide::Func;
using Halide::RVar;
using Halide::Stage;
using Halide::TailStrategy;
using Halide::Var;
using Halide::VarOrRVar;

/// The loops `suffix` of all axes, x first.
std::vector<VarOrRVar> loops_of(const std::vector<GpuAxis>& axes, const char* suffix) {
  std::vector<VarOrRVar> loops;
  for (const GpuAxis& axis : axes) loops.emplace_back(Var(axis.name + suffix));
  return loops;
}

void append(std::vector<VarOrRVar>& loops, const std::vector<VarOrRVar>& others) {
  loops.insert(loops.end(), others.begin(), others.end());
}

void make_threads(Stage stage, const std::vector<GpuAxis>& axes) {
  const std::vector<VarOrRVar> t = loops_of(axes, "t");
  if (t.size() == 3)
    stage.gpu_threads(t[0], t[1], t[2]);
  else
    stage.gpu_threads(t[0], t[1]);
}

/// The loops over a thread's sums, from inner to outer.
std::vector<VarOrRVar> sum_loops(const std::vector<GpuAxis>& axes) {
  std::vector<VarOrRVar> loops = loops_of(axes, "i");
  append(loops, loops_of(axes, "v"));
  return loops;
}

/// A part of a block in virtual threads, threads and neighbours.
void split_part(Stage stage, const GpuAxis& axis, const Var& part) {
  const Var v(axis.name + "v"), t(axis.name + "t"), i(axis.name + "i");
  stage.split(part, v, i, narrow(axis.threads * axis.inner)).split(i, t, i, narrow(axis.inner));
}

/// Orders the loops of the output and makes blocks and threads of them.
void make_blocks(Func& out, const std::vector<GpuAxis>& axes, const std::string& rest,
                 std::vector<VarOrRVar> order) {
  if (!rest.empty()) order.emplace_back(Var(rest));
  out.reorder(order);
  const std::vector<VarOrRVar> b = loops_of(axes, "b");
  const Var z("zblock");
  if (axes.size() == 3) {
    out.fuse(b[2], Var(rest), z).gpu_blocks(b[0], b[1], z);
  } else if (!rest.empty()) {
    out.gpu_blocks(b[0], b[1], Var(rest));
  } else {
    out.gpu_blocks(b[0], b[1]);
  }
  make_threads(out, axes);
}

int64_t smallest_factor(int64_t number) {
  for (int64_t factor = 2; factor * factor <= number; ++factor)
    if (number % factor == 0) return factor;
  return number;
}

/// A whole number that the target says; `otherwise` if it says none.
int64_t attribute_or(const Target& target, const std::string& name, int64_t otherwise) {
  const auto found = target.attributes.find(name);
  if (found == target.attributes.end()) return otherwise;
  const std::string& text = found->second;
  int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size() && value > 0 ? value : otherwise;
}

}  // namespace

GpuAxis gpu_axis(const std::string& name, const Config& config, const std::string& knob) {
  GpuAxis axis{.name = name, .inner = knob_or(config, knob, 1)};
  const bool has_virtual_threads = config.contains(knob + "_2");
  axis.threads = knob_or(config, knob + (has_virtual_threads ? "_2" : "_1"), 1);
  if (has_virtual_threads) axis.virtual_threads = knob_or(config, knob + "_1", 1);
  return axis;
}

Result<void> check_split(const Config& config, const std::string& knob, size_t count,
                         int64_t extent) {
  int64_t rest = extent;
  for (size_t part = 1; part < count; ++part) {
    const std::string name = part + 1 == count ? knob : knob + "_" + std::to_string(part);
    OPBENCH_CHECK(check_divisor(config, name, rest));
    rest /= config.at(name);
  }
  return {};
}

bool reads_arguments(const KernelSpec& spec) {
  for (size_t i = 0; i < anchor_of(spec).inputs.size(); ++i)
    if (has_operand(spec, i) && !input_index(spec.workload, 0, i)) return false;
  return true;
}

GroupLimits group_limits(const Target& target) {
  const bool is_cuda = device_type(target) == DeviceType::kCuda;
  GroupLimits limits;
  limits.threads = attribute_or(target, "max_num_threads", is_cuda ? 1024 : limits.threads);
  limits.local_bytes =
      attribute_or(target, "max_shared_memory_per_block", is_cuda ? 49152 : limits.local_bytes);
  return limits;
}

Result<void> check_group_limits(const Target& target, const std::vector<GpuAxis>& axes,
                                int64_t local_bytes) {
  const GroupLimits limits = group_limits(target);
  int64_t threads = 1;
  for (const GpuAxis& axis : axes) threads *= axis.threads;
  if (threads > limits.threads)
    return Error{ErrorCode::kInvalidInput,
                 fmt::format("{} threads of {} of a work group", threads, limits.threads)};
  if (axes.size() > 2 && axes[2].threads > limits.threads_z)
    return Error{ErrorCode::kInvalidInput,
                 fmt::format("{} threads of {} along z", axes[2].threads, limits.threads_z)};
  if (local_bytes > limits.local_bytes)
    return Error{ErrorCode::kInvalidInput,
                 fmt::format("{} bytes of local memory of {}", local_bytes, limits.local_bytes)};
  return {};
}

int64_t sums_of(const std::vector<GpuAxis>& axes) {
  int64_t sums = 1;
  for (const GpuAxis& axis : axes) sums *= axis.virtual_threads * axis.inner;
  return sums;
}

void limit_sums(std::vector<GpuAxis>& axes) {
  while (sums_of(axes) > kMostHeldSums) {
    GpuAxis& axis = *std::ranges::max_element(
        axes, {}, [](const GpuAxis& each) { return each.virtual_threads * each.inner; });
    int64_t& loop = axis.virtual_threads > 1 ? axis.virtual_threads : axis.inner;
    const int64_t factor = smallest_factor(loop);
    loop /= factor;
    axis.parts *= factor;
  }
}

void schedule_blocks(Func& out, const std::vector<GpuAxis>& axes, const std::string& rest) {
  for (const GpuAxis& axis : axes) {
    const Var whole(axis.name), b(axis.name + "b"), p(axis.name + "p"), i(axis.name + "i");
    out.split(whole, b, i, narrow(axis.tile())).split(i, p, i, narrow(axis.part()));
    split_part(out, axis, i);
  }
  std::vector<VarOrRVar> order = sum_loops(axes);
  for (const char* suffix : {"t", "p", "b"}) append(order, loops_of(axes, suffix));
  make_blocks(out, axes, rest, order);
  for (const VarOrRVar& loop : sum_loops(axes)) out.unroll(loop);
}

RVar schedule_sums(Func& sum, Func& out, const std::vector<GpuAxis>& axes,
                   const std::vector<GpuSteps>& steps, const std::vector<RVar>& variables,
                   int64_t most_unrolled) {
  sum.compute_at(out, Var(axes[0].name + "p")).store_in(Halide::MemoryType::Register);
  const std::vector<VarOrRVar> sums = sum_loops(axes);
  const std::vector<VarOrRVar> threads = loops_of(axes, "t");
  Stage update = sum.update();
  for (const GpuAxis& axis : axes) {
    split_part(sum, axis, Var(axis.name));
    split_part(update, axis, Var(axis.name));
  }
  std::vector<VarOrRVar> order = sums;
  append(order, threads);
  Stage(sum).reorder(order);

  std::vector<VarOrRVar> slices, inner;
  std::vector<int64_t> extents;
  for (size_t k = 0; k < steps.size(); ++k) {
    const GpuSteps& step = steps[k];
    int64_t count = 1;
    for (const int64_t extent : step.inner) count *= extent;
    const RVar slice(step.name + "o");
    RVar rest(step.name + "0");
    update.split(variables[k], slice, rest, narrow(count));
    slices.emplace_back(slice);
    std::vector<VarOrRVar> loops;
    std::vector<int64_t> counts;
    for (size_t level = 0; level < step.inner.size(); ++level) {
      counts.push_back(step.inner[level]);
      if (level + 1 == step.inner.size()) {
        loops.emplace_back(rest);
        break;
      }
      count /= step.inner[level];
      const RVar outer(step.name + "_" + std::to_string(level));
      const RVar next(step.name + std::to_string(level + 1));
      update.split(rest, outer, next, narrow(count));
      loops.emplace_back(outer);
      rest = next;
    }
    inner.insert(inner.end(), loops.rbegin(), loops.rend());
    extents.insert(extents.end(), counts.rbegin(), counts.rend());
  }
  order = sums;
  append(order, inner);
  append(order, threads);
  append(order, slices);
  update.reorder(order);
  for (Stage stage : {Stage(sum), update}) {
    make_threads(stage, axes);
    for (const VarOrRVar& loop : sums) stage.unroll(loop);
  }
  int64_t products = sums_of(axes);
  for (size_t i = 0; i < inner.size(); ++i) {
    products *= extents[i];
    if (products > most_unrolled) break;
    update.unroll(inner[i]);
  }
  return slices.front().rvar;
}

void schedule_thread_tiles(Func& out, Func& sum, const std::vector<GpuAxis>& axes,
                           const std::string& rest, const std::vector<GpuLoop>& reduction,
                           int64_t most_unrolled, const std::string& vector) {
  std::vector<VarOrRVar> order;
  for (const GpuAxis& axis : axes) {
    const Var whole(axis.name), b(axis.name + "b"), t(axis.name + "t"), i(axis.name + "i");
    out.split(whole, b, i, narrow(axis.tile()))
        .split(i, t, i, narrow(axis.tile() / axis.threads))
        .split(i, Var(axis.name + "p"), i, narrow(axis.inner));
    order.emplace_back(whole);
  }
  sum.compute_at(out, Var(axes[0].name + "p"));
  Stage update = sum.update();
  int64_t products = sums_of(axes);
  for (const GpuLoop& loop : reduction) order.emplace_back(RVar(loop.name));
  update.reorder(order);
  for (const GpuLoop& loop : reduction) {
    products *= loop.extent;
    if (loop.may_unroll && products <= most_unrolled) update.unroll(RVar(loop.name));
  }
  order = loops_of(axes, "i");
  for (const char* suffix : {"p", "t", "b"}) append(order, loops_of(axes, suffix));
  make_blocks(out, axes, rest, order);
  for (const GpuAxis& axis : axes) {
    const Var whole(axis.name), i(axis.name + "i");
    sum.bound_extent(whole, narrow(axis.inner));
    const bool is_vector = axis.name == vector && axis.inner > 1;
    if (is_vector) {
      std::vector<Var> storage = {whole};
      for (const GpuAxis& other : axes)
        if (other.name != axis.name) storage.emplace_back(other.name);
      sum.reorder_storage(storage);
      out.vectorize(i);
      sum.vectorize(whole);
      update.vectorize(whole);
    } else {
      out.unroll(i);
      sum.unroll(whole);
      update.unroll(whole);
    }
  }
}

void stage_in_runs(Func& operand, const std::vector<Var>& dimensions, int64_t extent,
                   const std::vector<GpuAxis>& axes) {
  operand.store_in(Halide::MemoryType::GPUShared);
  Var run = dimensions.front();
  for (size_t i = 1; i < dimensions.size(); ++i) {
    const Var next("run" + std::to_string(i));
    operand.fuse(run, dimensions[i], next);
    run = next;
  }
  std::vector<VarOrRVar> threads;
  const Var share("share");
  for (size_t i = axes.size(); i-- > 0;) {
    const Var thread(axes[i].name + "s");
    extent = ceil_div(extent, axes[i].threads);
    operand.split(run, thread, share, narrow(extent), TailStrategy::GuardWithIf);
    threads.insert(threads.begin(), VarOrRVar(thread));
    run = share;
  }
  std::vector<VarOrRVar> order = {VarOrRVar(share)};
  append(order, threads);
  operand.reorder(order);
  if (threads.size() == 3)
    operand.gpu_threads(threads[0], threads[1], threads[2]);
  else
    operand.gpu_threads(threads[0], threads[1]);
}

void stage_rows(Func& operand, const Var& column, int64_t columns, const Var& row, int64_t rows,
                const std::vector<GpuAxis>& axes, int64_t run) {
  const Var ty("ys"), tx("xs"), y("yshare"), x("xshare"), round("round");
  const auto guarded = TailStrategy::GuardWithIf;
  operand.store_in(Halide::MemoryType::GPUShared);
  operand.split(row, ty, y, narrow(ceil_div(rows, axes[1].threads)), guarded);
  if (run > 0) {
    operand.split(column, round, x, narrow(run * axes[0].threads), guarded)
        .split(x, tx, x, narrow(run), guarded)
        .reorder(x, round, y, tx, ty);
  } else {
    operand.split(column, tx, x, narrow(ceil_div(columns, axes[0].threads)), guarded)
        .reorder(x, y, tx, ty);
  }
  operand.gpu_threads(tx, ty);
}

}  // namespace opbench

#include <halide14/Halide.h>

#include <algorithm>
#include <limits>
#include <string>

#include "base/numbers/divisors.h"
#include "kernels/schedules/kernel_builder.h"
#include "kernels/schedules/narrow.h"
#include "kernels/schedules/operands/anchor_check.h"
#include "kernels/schedules/rows/flat_loops.h"

namespace opbench {
namespace {

using Halide::Expr;
using Halide::Func;
using Halide::RDom;
using Halide::TailStrategy;
using Halide::Var;

/// One number a channel of [n, channels, spatial].
struct GlobalPoolReduction {
  int64_t n = 1;
  int64_t channels = 1;
  int64_t spatial = 1;
  bool is_max = false;
  bool is_mean = true;

  Expr neutral() const {
    return is_max ? Expr(-std::numeric_limits<float>::infinity()) : Expr(0.0f);
  }
  Expr joined(const Expr& a, const Expr& b) const { return is_max ? Halide::max(a, b) : a + b; }
  Expr finished(const Expr& all) const {
    return is_mean ? all * (1.0f / static_cast<float>(spatial)) : all;
  }
};

bool is_reduce(const KernelSpec& spec) {
  return takes_anchor(spec, "ReduceMean") || takes_anchor(spec, "ReduceSum") ||
         takes_anchor(spec, "ReduceMax");
}

/// The first of the reduced dimensions when they are the last ones; 0 otherwise. A reduction's
/// axes, an input in newer opsets, must be known before the run.
size_t first_reduced(const KernelSpec& spec) {
  if (!is_reduce(spec)) return 2;
  const Node& node = anchor_of(spec);
  const Shape& shape = anchor_type(spec, 0).shape;
  std::vector<int64_t> axes = ints_attribute(node, "axes", {});
  if (node.inputs.size() > 1 && !node.inputs[1].empty()) {
    const auto known = spec.workload.graph.constants.find(node.inputs[1]);
    if (known == spec.workload.graph.constants.end()) return 0;
    axes = integers(known->second);
  }
  std::vector<bool> is_reduced(shape.size(), false);
  for (const int64_t axis : axes) {
    const int64_t at = normal_axis(axis, shape.size());
    if (at < 0) return 0;
    is_reduced[static_cast<size_t>(at)] = true;
  }
  const auto first = std::ranges::find(is_reduced, true);
  if (first == is_reduced.end() || !std::all_of(first, is_reduced.end(), [](bool b) { return b; }))
    return 0;
  return static_cast<size_t>(first - is_reduced.begin());
}

GlobalPoolReduction reduction_of(const KernelSpec& spec) {
  const Shape& shape = anchor_type(spec, 0).shape;
  const size_t first = first_reduced(spec);
  const bool has_channels = first == 2;
  const std::string& type = anchor_of(spec).type;
  return {.n = has_channels ? shape[0] : 1,
          .channels = has_channels ? shape[1] : product(shape, 0, first),
          .spatial = product(shape, first, shape.size()),
          .is_max = type == "GlobalMaxPool" || type == "ReduceMax",
          .is_mean = type == "GlobalAveragePool" || type == "ReduceMean"};
}

std::optional<Config> global_pool_default_config(const KernelSpec& spec) {
  const bool is_pool =
      takes_anchor(spec, "GlobalAveragePool") || takes_anchor(spec, "GlobalMaxPool");
  if (!is_pool && !is_reduce(spec)) return std::nullopt;
  const size_t rank = anchor_type(spec, 0).shape.size();
  const size_t first = first_reduced(spec);
  if (first == 0 || first >= rank) return std::nullopt;
  if (is_plain(spec)) return Config{};
  const int lanes = float_lanes(spec.target);
  const int from = anchor_layout(spec, 0).block;
  const int to = spec.output_layout().block;
  const bool has_known_layouts = from == lanes && (to == 0 || to == lanes);
  const bool keeps_rank = to == 0 || anchor_result(spec).shape.size() == rank;
  if (first != 2 || !has_known_layouts || !keeps_rank) return std::nullopt;
  return Config{};
}

/// The output's position of channel c of image n.
std::vector<Expr> global_pool_position_of(const KernelSpec& spec, const Expr& c, const Expr& n) {
  std::vector<Expr> position(output_type(spec.workload).shape.size(), Expr(0));
  position[position.size() - 2] = c;
  position.back() = n;
  return position;
}

/// Lanes are channels; four blocks at a time, so that four sums run beside each other.
Func from_blocked(const KernelSpec& spec, KernelBuilder& builder) {
  const GlobalPoolReduction of = reduction_of(spec);
  const int lanes = builder.lanes();
  const int64_t blocks = ceil_div(of.channels, lanes);
  const Halide::Func input = builder.operand(*input_index(spec.workload, 0, 0));
  const RDom r(0, narrow(of.spatial), "r");
  const Var lane("lane"), cb("cb"), n("n"), c("c"), step("step");
  std::vector<Expr> at(anchor_type(spec, 0).shape.size() + 1, Expr(0));
  at[0] = lane;
  at[1] = r;
  at[at.size() - 2] = cb;
  at.back() = n;
  Func all("all"), out("out");
  all(lane, cb, n) = of.neutral();
  all(lane, cb, n) = of.joined(all(lane, cb, n), input(at));
  const bool is_blocked_out = spec.output_layout().block > 0;
  if (is_blocked_out) {
    std::vector<Expr> position = global_pool_position_of(spec, cb, n);
    position.insert(position.begin(), Expr(lane));
    out(lane, cb, n) = builder.epilogue(of.finished(all(lane, cb, n)), position);
    builder.set_output_extents({lanes, blocks, of.n});
  } else {
    const Expr value = all(c % lanes, c / lanes, n);
    out(c, n) = builder.epilogue(of.finished(value), global_pool_position_of(spec, c, n));
    builder.set_output_extents({of.channels, of.n});
    const bool is_even = of.channels % lanes == 0;
    out.split(c, cb, lane, lanes, is_even ? TailStrategy::RoundUp : TailStrategy::GuardWithIf);
  }
  const int width = narrow(std::min<int64_t>(4, blocks));
  out.split(cb, cb, step, width, TailStrategy::ShiftInwards)
      .split(cb, c, cb, 1, TailStrategy::RoundUp)
      .reorder(lane, step, cb, c, n)
      .vectorize(lane)
      .unroll(step);
  parallelize(out, {c, n}, {ceil_div(blocks, width), of.n}, int64_t{width} * lanes * of.spatial);
  all.compute_at(out, cb).bound_extent(lane, lanes).vectorize(lane).unroll(cb);
  const Var inner("cb");
  all.update().reorder(lane, inner, r.x).vectorize(lane).unroll(inner);
  return out;
}

/// Lanes run along the elements that make one result and are combined at the end.
Func from_plain(const KernelSpec& spec, KernelBuilder& builder) {
  const GlobalPoolReduction of = reduction_of(spec);
  const int lanes = builder.lanes();
  const int64_t rows = of.channels * of.n;
  const int length = narrow(of.spatial);
  const Halide::Func input = builder.operand(*input_index(spec.workload, 0, 0));
  const RDom chunk(0, narrow(ceil_div(of.spatial, lanes)), "chunk"), every(0, lanes, "every");
  const Var lane("lane"), row("row"), at("at");
  Func part("part"), all("all"), out("out");
  const Expr p = lane + chunk * lanes;
  const bool is_even = of.spatial % lanes == 0;
  std::vector<Expr> position(anchor_type(spec, 0).shape.size(), Expr(0));
  position[0] = row * length + (is_even ? p : Halide::min(p, length - 1));
  Expr value = input(position);
  if (!is_even) value = Halide::select(Halide::likely(p < length), value, of.neutral());
  part(lane, row) = of.neutral();
  part(lane, row) = of.joined(part(lane, row), value);
  all(row) = of.neutral();
  all(row) = of.joined(all(row), part(every, row));
  const Shape& shape = output_type(spec.workload).shape;
  out(row) = builder.epilogue(of.finished(all(row)), unflatten(row, shape, 0, shape.size()));
  builder.set_output_extents({rows});
  out.split(row, row, at, 1, TailStrategy::RoundUp);
  parallelize(out, {row}, {rows}, of.spatial);
  all.compute_at(out, at).update().atomic().vectorize(every.x);
  part.compute_at(out, at).vectorize(lane).update().reorder(lane, chunk.x).vectorize(lane);
  return out;
}

Func build_global_pool(const KernelSpec& spec, KernelBuilder& builder) {
  return anchor_layout(spec, 0).block > 0 ? from_blocked(spec, builder) : from_plain(spec, builder);
}

}  // namespace

ScheduleDef global_pool_schedule() {
  return {.name = "global_pool",
          .summary = "mean, sum or maximum over the last dimensions",
          .default_config = global_pool_default_config,
          .priority = 6,
          .pack = pack_epilogue_weight,
          .build = build_global_pool};
}

}  // namespace opbench

#include <halide14/Halide.h>

#include <algorithm>
#include <limits>

#include "opbench/schedule/anchor_check.h"
#include "opbench/schedule/flat_loops.h"
#include "opbench/schedule/kernel_builder.h"

namespace opbench {
namespace {

using Halide::Expr;
using Halide::Func;
using Halide::RDom;
using Halide::TailStrategy;
using Halide::Var;

int narrow(int64_t value) { return static_cast<int>(value); }

/// One number a channel of [n, channels, spatial].
struct Reduction {
  int64_t n = 1;
  int64_t channels = 1;
  int64_t spatial = 1;
  bool is_max = false;

  Expr neutral() const {
    return is_max ? Expr(-std::numeric_limits<float>::infinity()) : Expr(0.0f);
  }
  Expr joined(const Expr& a, const Expr& b) const { return is_max ? Halide::max(a, b) : a + b; }
  Expr finished(const Expr& all) const {
    return is_max ? all : all * (1.0f / static_cast<float>(spatial));
  }
};

Reduction reduction_of(const KernelSpec& spec) {
  const Shape& shape = anchor_type(spec, 0).shape;
  return {.n = shape[0],
          .channels = shape[1],
          .spatial = product(shape, 2, shape.size()),
          .is_max = anchor_of(spec).type == "GlobalMaxPool"};
}

/// A ReduceMean over all axes after the channels is a global average pool; its axes, an input since
/// opset 18, are known before the run.
bool is_spatial_mean(const KernelSpec& spec) {
  if (!takes_anchor(spec, "ReduceMean")) return false;
  const Node& node = anchor_of(spec);
  const Shape& shape = anchor_type(spec, 0).shape;
  std::vector<int64_t> axes = ints_attribute(node, "axes", {});
  if (node.inputs.size() > 1 && !node.inputs[1].empty()) {
    const auto known = spec.workload.graph.constants.find(node.inputs[1]);
    if (known == spec.workload.graph.constants.end()) return false;
    axes = integers(known->second);
  }
  std::vector<bool> is_reduced(shape.size(), false);
  for (const int64_t axis : axes) {
    const int64_t at = normal_axis(axis, shape.size());
    if (at < 2) return false;
    is_reduced[static_cast<size_t>(at)] = true;
  }
  return shape.size() >= 3 && std::count(is_reduced.begin(), is_reduced.end(), true) ==
                                  static_cast<std::ptrdiff_t>(shape.size()) - 2;
}

std::optional<Config> by_rule(const KernelSpec& spec) {
  const bool is_pool =
      takes_anchor(spec, "GlobalAveragePool") || takes_anchor(spec, "GlobalMaxPool");
  if (!is_pool && !is_spatial_mean(spec)) return std::nullopt;
  if (anchor_type(spec, 0).shape.size() < 3) return std::nullopt;
  const int lanes = float_lanes(spec.target);
  const int from = anchor_layout(spec, 0).block;
  const int to = spec.output_layout().block;
  if ((from != 0 && from != lanes) || (to != 0 && to != lanes)) return std::nullopt;
  if ((from == 0 && to != 0) || (to != 0 && anchor_result(spec).shape.size() < 3))
    return std::nullopt;
  return Config{};
}

/// The output's position of channel c of image n.
std::vector<Expr> position_of(const KernelSpec& spec, const Expr& c, const Expr& n) {
  std::vector<Expr> position(output_type(spec.workload).shape.size(), Expr(0));
  position[position.size() - 2] = c;
  position.back() = n;
  return position;
}

/// Lanes are channels; four blocks at a time, so that four sums run beside each other.
Func from_blocked(const KernelSpec& spec, KernelBuilder& builder) {
  const Reduction of = reduction_of(spec);
  const int lanes = builder.lanes();
  const int64_t blocks = ceil_div(of.channels, lanes);
  const Halide::ImageParam input = builder.operand(*input_index(spec.workload, 0, 0));
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
    std::vector<Expr> position = position_of(spec, cb, n);
    position.insert(position.begin(), Expr(lane));
    out(lane, cb, n) = builder.epilogue(of.finished(all(lane, cb, n)), position);
    builder.set_output_extents({lanes, blocks, of.n});
  } else {
    const Expr value = all(c % lanes, c / lanes, n);
    out(c, n) = builder.epilogue(of.finished(value), position_of(spec, c, n));
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
  parallelize(out, {c, n}, {ceil_div(blocks, width), of.n}, width * lanes * of.spatial);
  all.compute_at(out, cb).bound_extent(lane, lanes).vectorize(lane).unroll(cb);
  const Var inner("cb");
  all.update().reorder(lane, inner, r.x).vectorize(lane).unroll(inner);
  return out;
}

/// Lanes run along a channel's elements and are combined at the end.
Func from_plain(const KernelSpec& spec, KernelBuilder& builder) {
  const Reduction of = reduction_of(spec);
  const int lanes = builder.lanes();
  const Halide::ImageParam input = builder.operand(*input_index(spec.workload, 0, 0));
  const RDom chunk(0, narrow(ceil_div(of.spatial, lanes)), "chunk"), every(0, lanes, "every");
  const Var lane("lane"), c("c"), n("n"), at("at");
  Func part("part"), all("all"), out("out");
  const Expr p = lane + chunk * lanes;
  std::vector<Expr> position(anchor_type(spec, 0).shape.size(), Expr(0));
  position[position.size() - 2] = c;
  position.back() = n;
  position[0] = of.spatial % lanes == 0 ? p : Halide::min(p, narrow(of.spatial) - 1);
  Expr value = input(position);
  if (of.spatial % lanes != 0)
    value = Halide::select(Halide::likely(p < narrow(of.spatial)), value, of.neutral());
  part(lane, c, n) = of.neutral();
  part(lane, c, n) = of.joined(part(lane, c, n), value);
  all(c, n) = of.neutral();
  all(c, n) = of.joined(all(c, n), part(every, c, n));
  out(c, n) = builder.epilogue(of.finished(all(c, n)), position_of(spec, c, n));
  builder.set_output_extents({of.channels, of.n});
  out.split(c, c, at, 1, TailStrategy::RoundUp).reorder(at, c, n);
  parallelize(out, {c, n}, {of.channels, of.n}, of.spatial);
  all.compute_at(out, at).update().atomic().vectorize(every.x);
  part.compute_at(out, at).vectorize(lane).update().reorder(lane, chunk.x).vectorize(lane);
  return out;
}

Result<void> compile(const KernelSpec& spec, const std::string& function,
                     const std::filesystem::path& object) {
  return compile_kernel(spec, function, object, [&](KernelBuilder& builder) {
    return anchor_layout(spec, 0).block > 0 ? from_blocked(spec, builder)
                                            : from_plain(spec, builder);
  });
}

}  // namespace

ScheduleDef global_pool_schedule() {
  return {.name = "global_pool",
          .summary = "mean or maximum of every channel",
          .by_rule = by_rule,
          .priority = 6,
          .pack = pack_epilogue_weight,
          .compile = compile};
}

}  // namespace opbench

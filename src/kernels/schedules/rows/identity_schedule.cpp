#include <halide14/Halide.h>

#include <algorithm>

#include "base/numbers/divisors.h"
#include "kernels/schedules/kernel_builder.h"
#include "kernels/schedules/narrow.h"
#include "kernels/schedules/operands/anchor_check.h"
#include "kernels/schedules/rows/flat_loops.h"

namespace opbench {
namespace {

using Halide::Expr;
using Halide::Func;
using Halide::TailStrategy;
using Halide::Var;

/// The tensor as [n, channels, spatial].
struct IdentityExtents {
  int64_t n = 1;
  int64_t channels = 1;
  int64_t spatial = 1;
};

IdentityExtents identity_extents_of(const KernelSpec& spec) {
  const Shape& shape = output_type(spec.workload).shape;
  return {shape[0], shape[1], product(shape, 2, shape.size())};
}

std::optional<Config> identity_default_config(const KernelSpec& spec) {
  if (spec.workload.graph.nodes.size() != 1 || !takes_moving_anchor(spec, "Identity"))
    return std::nullopt;
  const int from = anchor_layout(spec, 0).block;
  const int to = spec.output_layout().block;
  const bool is_conversion = (from == 0) != (to == 0);
  if (!is_conversion || output_type(spec.workload).shape.size() < 3) return std::nullopt;
  if (spec.workload.is_weight(anchor_of(spec).inputs[0])) return std::nullopt;
  const int block = std::max(from, to);
  if ((block & (block - 1)) != 0 || block > 16) return std::nullopt;
  return Config{};
}

/// Runs the tiles of a plane in pieces, pieces and the dimensions outside in parallel.
void schedule_tiles(Func& out, const Var& tile, const Var& block, const Var& n,
                    const IdentityExtents& extents, int lanes) {
  const int64_t tiles = ceil_div(extents.spatial, lanes);
  const int64_t piece = std::min<int64_t>(tiles, 64);
  const Var part("part");
  out.split(tile, part, tile, narrow(piece), TailStrategy::GuardWithIf);
  parallelize(out, {part, block, n},
              {ceil_div(tiles, piece), ceil_div(extents.channels, lanes), extents.n},
              piece * lanes * lanes);
}

/// Squares of lanes x lanes elements turned round on their way, lanes past the end made 0.
Func to_blocked(const KernelSpec& spec, KernelBuilder& builder) {
  const IdentityExtents extents = identity_extents_of(spec);
  const int block = spec.output_layout().block;
  const int channels = narrow(extents.channels);
  const Halide::Func input = builder.operand(*input_index(spec.workload, 0, 0));
  const Var lane("lane"), p("p"), cb("cb"), n("n"), inner("inner");
  Func out("out");
  std::vector<Expr> position(output_type(spec.workload).shape.size(), Expr(0));
  const Expr channel = cb * block + lane;
  position[0] = p;
  position[position.size() - 2] = Halide::min(channel, channels - 1);
  position.back() = n;
  if (extents.channels % block == 0) {
    position[position.size() - 2] = channel;
    out(lane, p, cb, n) = input(position);
  } else {
    const Expr value = input(position);
    out(lane, p, cb, n) =
        Halide::select(Halide::likely(channel < channels), value, Halide::cast(value.type(), 0));
  }
  builder.set_output_extents(
      {block, extents.spatial, ceil_div(extents.channels, block), extents.n});
  const int tile = narrow(std::min<int64_t>(block, extents.spatial));
  out.split(p, p, inner, tile, TailStrategy::ShiftInwards).reorder(lane, inner, p, cb, n);
  out.vectorize(inner).unroll(lane);
  schedule_tiles(out, p, cb, n, extents, block);
  return out;
}

/// The same the other way: a square is turned in memory of its own, then written row by row.
Func to_plain(const KernelSpec& spec, KernelBuilder& builder) {
  const IdentityExtents extents = identity_extents_of(spec);
  const int block = anchor_layout(spec, 0).block;
  const Halide::Func input = builder.operand(*input_index(spec.workload, 0, 0));
  const Var lane("lane"), p("p"), c("c"), cb("cb"), n("n"), inner("inner");
  Func square("square"), out("out");
  std::vector<Expr> position(output_type(spec.workload).shape.size() + 1, Expr(0));
  position[0] = lane;
  position[1] = p;
  position[position.size() - 2] = cb;
  position.back() = n;
  square(p, lane, cb, n) = input(position);
  out(p, c, n) = square(p, c % block, c / block, n);
  builder.set_output_extents({extents.spatial, extents.channels, extents.n});
  const int tile = narrow(std::min<int64_t>(block, extents.spatial));
  out.split(p, p, inner, tile, TailStrategy::ShiftInwards)
      .split(c, cb, lane, block,
             extents.channels % block == 0 ? TailStrategy::RoundUp : TailStrategy::GuardWithIf)
      .reorder(inner, lane, p, cb, n)
      .vectorize(inner)
      .unroll(lane);
  schedule_tiles(out, p, cb, n, extents, block);
  square.compute_at(out, p).reorder(lane, p).vectorize(lane).unroll(p);
  return out;
}

Func build_identity(const KernelSpec& spec, KernelBuilder& builder) {
  return spec.output_layout().block > 0 ? to_blocked(spec, builder) : to_plain(spec, builder);
}

}  // namespace

ScheduleDef identity_schedule() {
  return {.name = "identity",
          .summary = "conversion between plain and channel-blocked layout",
          .default_config = identity_default_config,
          .priority = 10,
          .pack = nullptr,
          .build = build_identity};
}

}  // namespace opbench

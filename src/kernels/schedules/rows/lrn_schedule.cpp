#include <halide14/Halide.h>

#include <algorithm>

#include "base/numbers/divisors.h"
#include "kernels/schedules/kernel_builder.h"
#include "kernels/schedules/narrow.h"
#include "kernels/schedules/operands/anchor_check.h"
#include "kernels/schedules/rows/flat_loops.h"
#include "kernels/schedules/rows/lrn_parts.h"

namespace opbench {
namespace {

using Halide::Expr;
using Halide::Func;
using Halide::TailStrategy;
using Halide::Var;

std::optional<Config> lrn_default_config(const KernelSpec& spec) {
  if (!is_lrn(spec) || (!is_plain(spec) && !is_blocked(spec))) return std::nullopt;
  return Config{{"tile", 8}};
}

/// A few pixels at a time: their squares over all channels side by side in the first-level cache,
/// so that a window is a handful of overlapping vectors, also across blocks.
Func blocked(const KernelSpec& spec, KernelBuilder& builder) {
  const Normalisation of = normalisation_of(spec);
  const int lanes = builder.lanes();
  const int64_t blocks = ceil_div(of.channels, lanes);
  const Halide::Func input = builder.operand(*input_index(spec.workload, 0, 0));
  const size_t rank = anchor_type(spec, 0).shape.size();
  const Var lane("lane"), p("p"), cb("cb"), n("n"), c("c"), co("co"), ci("ci");
  const auto at = [&](const Expr& in_block, const Expr& block) {
    std::vector<Expr> position(rank + 1, Expr(0));
    position[0] = in_block;
    position[1] = p;
    position[rank - 1] = block;
    position[rank] = n;
    return input(position);
  };
  Func squares("squares"), out("out");
  const Expr value = at(c % lanes, Halide::clamp(c / lanes, 0, narrow(blocks) - 1));
  const Expr last = of.channels % lanes == 0 ? c / lanes < narrow(blocks) : c < narrow(of.channels);
  squares(c, p, n) = Halide::select(Halide::likely(c >= 0 && last), value * value, 0.0f);
  const Expr sum = lrn_window_sum(of, cb * lanes + lane,
                                  [&](const Expr& channel) { return squares(channel, p, n); });
  std::vector<Expr> position = {lane};
  const Shape& shape = anchor_type(spec, 0).shape;
  for (const Expr& expr : unflatten(p, shape, 2, rank)) position.push_back(expr);
  position.insert(position.end(), {cb, n});
  out(lane, p, cb, n) = builder.epilogue(at(lane, cb) * lrn_factor(of, sum), position);
  builder.set_output_extents({lanes, of.spatial, blocks, of.n});

  const auto knob = spec.config.find("tile");
  const int64_t wanted = knob == spec.config.end() ? 8 : knob->second;
  const int64_t tile = std::clamp<int64_t>(wanted, 1, of.spatial);
  const int64_t tiles = ceil_div(of.spatial, tile);
  const int64_t piece = std::clamp<int64_t>(8192 / (tile * of.channels), 1, tiles);
  const Var inner("inner"), part("part");
  out.split(p, p, inner, narrow(tile), TailStrategy::ShiftInwards)
      .split(p, part, p, narrow(piece), TailStrategy::GuardWithIf)
      .reorder(lane, inner, cb, p, part, n)
      .vectorize(lane);
  if (tile % 2 == 0) out.unroll(inner, 2);
  parallelize(out, {part, n}, {ceil_div(tiles, piece), of.n}, piece * tile * of.channels * 4);
  squares.compute_at(out, p).align_bounds(c, lanes).split(c, co, ci, lanes);
  squares.vectorize(ci).reorder(ci, co, p);
  return out;
}

Func plain(const KernelSpec& spec, KernelBuilder& builder) {
  const Normalisation of = normalisation_of(spec);
  std::vector<Var> vars;
  Func out = define_plain_lrn(spec, builder, vars);
  vectorize_any(out, vars[0], of.spatial, builder.lanes(), 1);
  parallelize(out, {vars[1], vars[2]}, {of.channels, of.n}, of.spatial * 4);
  return out;
}

Func build_lrn(const KernelSpec& spec, KernelBuilder& builder) {
  return is_blocked(spec) ? blocked(spec, builder) : plain(spec, builder);
}

}  // namespace

ScheduleDef lrn_schedule() {
  return {.name = "lrn",
          .summary = "normalisation across channels, squares of a few pixels in the cache",
          .default_config = lrn_default_config,
          .priority = 5,
          .pack = pack_epilogue_weight,
          .build = build_lrn};
}

}  // namespace opbench

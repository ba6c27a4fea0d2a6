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

constexpr int64_t kLargestWindow = 65;

struct Normalisation {
  int64_t n = 1;
  int64_t channels = 1;
  int64_t spatial = 1;
  int64_t size = 1;  ///< channels that are summed
  float scale = 0;   ///< alpha / size
  float beta = 0;
  float bias = 0;
};

Normalisation normalisation_of(const KernelSpec& spec) {
  const Node& node = anchor_of(spec);
  const Shape& shape = anchor_type(spec, 0).shape;
  const int64_t size = int_attribute(node, "size", 1);
  return {.n = shape[0],
          .channels = shape[1],
          .spatial = product(shape, 2, shape.size()),
          .size = size,
          .scale = float_attribute(node, "alpha", 1e-4f) / static_cast<float>(size),
          .beta = float_attribute(node, "beta", 0.75f),
          .bias = float_attribute(node, "bias", 1.0f)};
}

std::optional<Config> lrn_default_config(const KernelSpec& spec) {
  if (!takes_anchor(spec, "LRN") || anchor_type(spec, 0).shape.size() < 3) return std::nullopt;
  if (!is_plain(spec) && !is_blocked(spec)) return std::nullopt;
  const int64_t size = int_attribute(anchor_of(spec), "size", 0);
  if (size < 1 || size > kLargestWindow) return std::nullopt;
  return Config{{"tile", 8}};
}

/// 1 / sqrt(x): the processor's estimate of 12 bits, improved by one step of Newton's method.
Expr inverse_sqrt(const Expr& x) {
  const Expr estimate = Halide::fast_inverse_sqrt(x);
  return estimate * (1.5f - 0.5f * x * estimate * estimate);
}

/// (bias + scale * sum) ^ -beta.
Expr factor(const Normalisation& of, const Expr& sum) {
  const Expr base = of.bias + of.scale * sum;
  const bool is_positive = of.bias > 0 && of.scale >= 0;
  if (is_positive && of.beta == 0.75f) {
    const Expr root = inverse_sqrt(base);
    return root * root * inverse_sqrt(root);
  }
  if (is_positive && of.beta == 0.5f) return inverse_sqrt(base);
  if (of.beta == 1.0f) return 1.0f / base;
  return Halide::pow(base, -of.beta);
}

/// Sum of `squares` over the window around `channel`.
template <class Squares>
Expr window_sum(const Normalisation& of, const Expr& channel, const Squares& squares) {
  Expr sum;
  for (int64_t d = -((of.size - 1) / 2); d <= of.size / 2; ++d) {
    const Expr term = squares(channel + narrow(d));
    sum = sum.defined() ? sum + term : term;
  }
  return sum;
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
  const Expr sum = window_sum(of, cb * lanes + lane,
                              [&](const Expr& channel) { return squares(channel, p, n); });
  std::vector<Expr> position = {lane};
  const Shape& shape = anchor_type(spec, 0).shape;
  for (const Expr& expr : unflatten(p, shape, 2, rank)) position.push_back(expr);
  position.insert(position.end(), {cb, n});
  out(lane, p, cb, n) = builder.epilogue(at(lane, cb) * factor(of, sum), position);
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
  const Halide::Func input = builder.operand(*input_index(spec.workload, 0, 0));
  const size_t rank = anchor_type(spec, 0).shape.size();
  const Var p("p"), c("c"), n("n");
  const auto at = [&](const Expr& channel) {
    std::vector<Expr> position(rank, Expr(0));
    position[0] = p;
    position[rank - 2] = channel;
    position[rank - 1] = n;
    return input(position);
  };
  const Expr sum = window_sum(of, c, [&](const Expr& channel) {
    const Expr value = at(Halide::clamp(channel, 0, narrow(of.channels) - 1));
    const Expr is_inside = channel >= 0 && channel < narrow(of.channels);
    return Halide::select(Halide::likely(is_inside), value * value, 0.0f);
  });
  const Shape& shape = anchor_type(spec, 0).shape;
  std::vector<Expr> position = unflatten(p, shape, 2, rank);
  position.insert(position.end(), {c, n});
  Func out("out");
  out(p, c, n) = builder.epilogue(at(c) * factor(of, sum), position);
  builder.set_output_extents({of.spatial, of.channels, of.n});
  vectorize_any(out, p, of.spatial, builder.lanes(), 1);
  parallelize(out, {c, n}, {of.channels, of.n}, of.spatial * 4);
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

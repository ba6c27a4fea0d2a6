#include "kernels/schedules/convolution/run_loops.h"

#include <halide14/Halide.h>

#include <algorithm>

#include "base/numbers/divisors.h"
#include "kernels/schedules/knobs/knob_values.h"

namespace opbench {
namespace {

constexpr int64_t kMostChannels = 12;

}  // namespace

using Halide::TailStrategy;
using Halide::Var;

void schedule(const RunLoops& l) {
  const Var ci("ci"), cb("cb"), of_image("of_image"), task("task"), qo("qo"), qi("qi");
  const Var row("row"), column("column");
  l.out.bound(l.c, 0, l.channels)
      .split(l.c, cb, ci, l.tile_channels, TailStrategy::ShiftInwards)
      .fuse(cb, l.g, of_image)
      .fuse(of_image, l.n, task);
  std::vector<Halide::VarOrRVar> order(l.space.begin(), l.space.end());
  order.insert(order.end(), {ci, task});
  l.out.reorder(order).parallel(task);
  l.flat.compute_at(l.out, task)
      .bound_extent(l.co, l.tile_channels)
      .split(l.q, qo, qi, l.tile_vectors * l.lanes, TailStrategy::RoundUp)
      .reorder(qi, l.co, qo)
      .vectorize(qi, l.lanes)
      .unroll(qi)
      .unroll(l.co);
  l.sum.compute_at(l.flat, qo).vectorize(l.q, l.lanes).unroll(l.q).unroll(l.co);
  std::vector<Halide::VarOrRVar> reads = {l.q, l.co};
  for (int i = 0; i < l.taps.dimensions(); ++i) reads.emplace_back(l.taps[i]);
  l.sum.update().reorder(reads).vectorize(l.q, l.lanes).unroll(l.q).unroll(l.co);
  l.run.compute_root().fuse(l.input, l.n, task).parallel(task);
  if (l.pitch == 0)
    l.run.vectorize(l.q, l.lanes, TailStrategy::RoundUp);
  else
    l.run.split(l.q, row, column, l.pitch, TailStrategy::RoundUp)
        .vectorize(column, l.lanes, TailStrategy::ShiftInwards);
}

void vectorize_row(Halide::Func& func, const Var& var, int extent, int lanes) {
  constexpr int kLeast = 4;
  while (lanes > extent) lanes /= 2;
  if (lanes >= kLeast) func.vectorize(var, lanes, TailStrategy::ShiftInwards);
}

std::vector<int64_t> tile_channels(int64_t of_group) {
  return numbers(1, std::min(of_group, kMostChannels));
}

Result<void> check_tile_channels(const Config& config, const std::string& knob, int64_t of_group) {
  return check_range(config, knob, 1, std::min(of_group, kMostChannels));
}

RunTile default_tile(const KernelSpec& spec, int64_t of_group, int64_t run) {
  const bool has_32_registers = vector_isa(spec.target) == VectorIsa::kAvx512;
  const int64_t accumulators = has_32_registers ? 24 : 12;
  const int64_t vectors_of_run = ceil_div(run, float_lanes(spec.target));
  const int64_t most = std::min<int64_t>(has_32_registers ? 4 : 2, vectors_of_run);
  // Half cycles of a step: two multiply-adds a cycle, of four cycles each; two loads, of which
  // those of the input lie across two cache lines.
  const auto cost = [&](const RunTile& tile) {
    const int64_t products = tile.vectors * tile.channels;
    const int64_t tiles =
        ceil_div(vectors_of_run, tile.vectors) * ceil_div(of_group, tile.channels);
    return tiles * std::max({products, 2 * tile.vectors + tile.channels, int64_t{8}});
  };
  RunTile best{.vectors = most, .channels = 1};
  for (int64_t vectors = most; vectors > 0; --vectors)
    for (const int64_t of_tile : tile_channels(of_group)) {
      const RunTile tile{.vectors = vectors, .channels = of_tile};
      if (vectors * of_tile <= accumulators && cost(tile) < cost(best)) best = tile;
    }
  return best;
}

}  // namespace opbench

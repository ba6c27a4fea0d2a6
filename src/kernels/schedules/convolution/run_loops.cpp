#include "kernels/schedules/convolution/run_loops.h"

#include <halide14/Halide.h>

#include <algorithm>

#include "base/numbers/divisors.h"
#include "kernels/schedules/knob_values.h"

namespace opbench {
namespace {

constexpr int64_t kMostChannels = 12;

}  // namespace

using Halide::TailStrategy;
using Halide::Var;

void schedule(const RunLoops& l) {
  const Var ci("ci"), cb("cb"), task("task"), qo("qo"), qi("qi"), row("row"), column("column");
  l.out.bound(l.c, 0, l.channels)
      .split(l.c, cb, ci, l.tile_channels, TailStrategy::ShiftInwards)
      .fuse(cb, l.n, task);
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
  l.run.compute_root()
      .split(l.q, row, column, l.pitch, TailStrategy::RoundUp)
      .fuse(l.c, l.n, task)
      .parallel(task);
  if (l.pitch >= l.lanes) l.run.vectorize(column, l.lanes, TailStrategy::GuardWithIf);
}

int64_t TileChannels::by_rule(int64_t most) const {
  most = std::min(most, kMostChannels);
  if (groups > 1) return divisors(of_group, most).back();
  return ceil_div(of_group, ceil_div(of_group, most));
}

std::vector<int64_t> TileChannels::values() const {
  const int64_t most = std::min(of_group, kMostChannels);
  return groups > 1 ? divisors(of_group, most) : numbers(1, most);
}

Result<void> TileChannels::check(const Config& config, const std::string& knob) const {
  if (groups > 1) return check_divisor(config, knob, of_group, "the channels of a group");
  return check_range(config, knob, 1, std::min(of_group, kMostChannels));
}

}  // namespace opbench

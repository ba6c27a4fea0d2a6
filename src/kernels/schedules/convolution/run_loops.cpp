#include "kernels/schedules/convolution/run_loops.h"

#include <halide14/Halide.h>

namespace opbench {

using Halide::TailStrategy;
using Halide::Var;

void schedule(const RunLoops& l) {
  const Var ci("ci"), cb("cb"), task("task"), qo("qo"), qi("qi"), row("row"), column("column");
  l.out.bound(l.c, 0, l.channels)
      .split(l.c, cb, ci, l.tile_channels, TailStrategy::ShiftInwards)
      .fuse(cb, l.n, task);
  if (l.has_rows) {
    l.out.reorder(l.x, l.y, ci, task);
  } else {
    l.out.reorder(l.x, ci, task);
  }
  l.out.parallel(task);
  l.flat.compute_at(l.out, task)
      .bound_extent(l.co, l.tile_channels)
      .split(l.q, qo, qi, l.tile_vectors * l.lanes, TailStrategy::RoundUp)
      .reorder(qi, l.co, qo)
      .vectorize(qi, l.lanes)
      .unroll(qi)
      .unroll(l.co);
  l.sum.compute_at(l.flat, qo).vectorize(l.q, l.lanes).unroll(l.q).unroll(l.co);
  l.sum.update()
      .reorder(l.q, l.co, l.taps[0], l.taps[1], l.taps[2])
      .vectorize(l.q, l.lanes)
      .unroll(l.q)
      .unroll(l.co);
  l.run.compute_root()
      .split(l.q, row, column, l.pitch, TailStrategy::RoundUp)
      .fuse(l.c, l.n, task)
      .parallel(task);
  if (l.pitch >= l.lanes) l.run.vectorize(column, l.lanes, TailStrategy::GuardWithIf);
}

}  // namespace opbench

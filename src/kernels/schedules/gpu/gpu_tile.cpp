#include "kernels/schedules/gpu/gpu_tile.h"

#include <halide14/Halide.h>

#include <algorithm>

#include "base/numbers/divisors.h"
#include "kernels/schedules/gpu/gpu_group.h"
#include "kernels/schedules/knobs/knob_values.h"
#include "kernels/schedules/narrow.h"

namespace opbench {
namespace {

using Halide::Func;
using Halide::TailStrategy;
using Halide::Var;

constexpr int64_t kLongestSide = 8;
constexpr int64_t kMostSums = 64;  ///< of a thread: more do not fit the registers of any GPU

}  // namespace

KnobRange tile_range(const std::string& knob, int64_t extent, int64_t default_value) {
  return {knob, doublings(std::min(kLongestSide, extent), default_value)};
}

Result<void> check_tile_of_thread(const Config& config, const TileSide& pixels,
                                  const TileSide& channels) {
  for (const TileSide& side : {pixels, channels}) {
    OPBENCH_CHECK(check_range(config, side.knob, 1, side.extent, side.what));
  }
  return check_sums(config.at(pixels.knob) * config.at(channels.knob), kMostSums);
}

void spread_tiles(Func& out, Func& sum, std::pair<size_t, size_t> sides,
                  const std::vector<int64_t>& extents, const ThreadTile& tile,
                  const Config& config) {
  const std::vector<Var> vars = out.args();
  const Var inner_x("inner_x"), inner_c("inner_c");
  int64_t tasks = 1;
  for (size_t i = 0; i < extents.size(); ++i) {
    const int64_t side = i == sides.first ? tile.pixels : (i == sides.second ? tile.channels : 1);
    tasks *= ceil_div(extents[i], side);
  }
  out.split(vars[sides.first], vars[sides.first], inner_x, narrow(tile.pixels),
            TailStrategy::ShiftInwards)
      .split(vars[sides.second], vars[sides.second], inner_c, narrow(tile.channels),
             TailStrategy::ShiftInwards);
  std::vector<Halide::VarOrRVar> order = {inner_x, inner_c};
  order.insert(order.end(), vars.begin(), vars.end());
  out.reorder(order).unroll(inner_x).unroll(inner_c);
  const Var thread = spread_over_threads(out, vars, tasks, config);
  const std::vector<Var> at = sum.args();
  const Var x = at[sides.first], c = at[sides.second];
  sum.compute_at(out, thread)
      .bound_extent(x, narrow(tile.pixels))
      .bound_extent(c, narrow(tile.channels))
      .unroll(x)
      .unroll(c);
  sum.update().unroll(x).unroll(c);
}

}  // namespace opbench

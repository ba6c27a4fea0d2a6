#include "kernels/schedules/convolution/winograd_tile.h"

#include <algorithm>
#include <limits>

#include "base/numbers/divisors.h"
#include "kernels/schedules/knobs/tile_rule.h"

namespace opbench {
namespace {

double waste(int64_t extent, int64_t tile) {
  return static_cast<double>(ceil_div(extent, tile) * tile) / static_cast<double>(extent);
}

/// Time of a tile relative to the ideal: that of its sums, tiles computed twice, channel groups
/// that leave one of two threads idle.
double winograd_tile_cost_of(const WinogradTile& tile, int64_t columns, int64_t rows,
                             int64_t out_blocks) {
  const int64_t groups = out_blocks / tile.co;
  const double idle = 0.6 + 0.2 * waste(groups, 2) + 0.2 * waste(groups, 4);
  return waste(columns, tile.x) * waste(rows, tile.y) * idle *
         tile_cost({tile.x * tile.y, tile.co});
}

}  // namespace

WinogradTile best_tile(const Target& target, int64_t columns, int64_t rows, int64_t out_blocks,
                       const WinogradTile& most) {
  const VectorIsa isa = vector_isa(target);
  WinogradTile best;
  double best_cost = std::numeric_limits<double>::infinity();
  for (const int64_t co : {2, 1, 3, 4})
    for (int64_t y = 1; y <= std::min(rows, most.y); ++y)
      for (int64_t x = std::min(columns, most.x); x >= 1; --x) {
        const WinogradTile tile{x, y, co};
        const bool fits = co <= most.co && fits_registers(isa, {x * y, co});
        if (out_blocks % co != 0 || !fits) continue;
        const double cost = winograd_tile_cost_of(tile, columns, rows, out_blocks);
        if (cost >= best_cost) continue;
        best = tile;
        best_cost = cost;
      }
  return best;
}

}  // namespace opbench

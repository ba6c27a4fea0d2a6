#include "kernels/schedules/knobs/tile_rule.h"

#include <algorithm>

#include "base/numbers/divisors.h"

namespace opbench {

double tile_cost(const RegisterTile& tile) {
  constexpr double kFewest = 8;  // sums, for a latency of 4 and two multiply-adds a cycle
  constexpr double kLoad = 1.4;
  constexpr double kVectors = 0.4;
  constexpr double kStream = 6;  // pixels that a vector serves while the next one arrives
  constexpr double kFelt = 0.3;  // of loads that are fewer than the multiply-adds
  const auto pixels = static_cast<double>(tile.pixels);
  const auto vectors = static_cast<double>(tile.vectors);
  const double sums = pixels * vectors;
  const double loads = pixels + vectors;
  const double bound = std::max({sums, kFewest, kLoad * loads, kStream * vectors});
  return (bound + kFelt * loads) / sums + kVectors / pixels;
}

int64_t most_sums(VectorIsa isa) {
  switch (isa) {
    case VectorIsa::kAvx512:
    case VectorIsa::kNeon:
      return 28;
    case VectorIsa::kAvx2:
      return 12;
    default:
      return 8;  // no multiply-add: products take registers too
  }
}

int64_t most_sums(const Target& target) { return most_sums(vector_isa(target)); }

bool fits_registers(VectorIsa isa, const RegisterTile& tile) {
  const int64_t sums = tile.pixels * tile.vectors;
  const int64_t loaded = 1 + (tile.pixels > 1 ? tile.vectors : 0);
  return sums <= most_sums(isa) && sums + loaded <= vector_registers(isa);
}

RegisterTile best_tile(const Target& target, int64_t pixels, int64_t vectors, int64_t most) {
  const VectorIsa isa = vector_isa(target);
  const int64_t sums = std::min(most, most_sums(isa));
  RegisterTile best;
  double least = 0;
  for (int64_t v = 1; v <= std::min(vectors, kMostTileVectors); ++v) {
    if (vectors % v != 0) continue;
    for (int64_t x = std::min(pixels, sums / v); x >= 1; --x) {
      if (!fits_registers(isa, {x, v})) continue;
      const double cost = static_cast<double>(ceil_div(pixels, x) * x) * tile_cost({x, v});
      if (least > 0 && cost >= least) continue;
      least = cost;
      best = {x, v};
    }
  }
  return best;
}

int unrolled_steps(int64_t steps, int most) {
  for (const int count : {4, 2}) {
    if (count <= most && steps % count == 0) return count;
  }
  return 1;
}

}  // namespace opbench

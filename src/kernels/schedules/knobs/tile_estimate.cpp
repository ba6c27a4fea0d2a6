#include "kernels/schedules/knobs/tile_estimate.h"

#include <algorithm>

namespace opbench {
namespace {

constexpr double kTileEstimateLoad = 0.5;
constexpr double kLatency = 4;
constexpr double kTileEstimateHidden =
    0.1;  // part of what runs beside something longer that is felt
/// Caches as most cores have them, a little less than all of each, and what they give a cycle.
constexpr double kFirstCache = 24e3, kSecondCache = 600e3;
constexpr double kFirstRate = 64, kSecondRate = 24, kThirdRate = 12;

}  // namespace

int64_t vector_registers(VectorIsa isa) {
  return isa == VectorIsa::kAvx512 || isa == VectorIsa::kNeon ? 32 : 16;
}

int64_t sum_registers(const Target& target) { return vector_registers(vector_isa(target)) - 2; }

double step_cycles(const RegisterTile& tile, int64_t registers) {
  constexpr double kFelt = 0.15;        // of loads beside the multiply-adds
  constexpr double kThroughMemory = 1;  // for a sum that is loaded and stored
  const auto sums = static_cast<double>(tile.pixels * tile.vectors);
  const double loads = static_cast<double>(tile.pixels + tile.vectors) * kTileEstimateLoad;
  const double spilled = std::max(0.0, sums - static_cast<double>(registers));
  return std::max({sums, loads, kLatency}) + kFelt * loads + kThroughMemory * spilled;
}

double tile_cycles(const RegisterTile& tile) {
  constexpr double kASum = 3, kLoop = 10;
  return kASum * static_cast<double>(tile.pixels * tile.vectors) + kLoop;
}

double beside(double cycles, double other) {
  return std::max(cycles, other) + kTileEstimateHidden * std::min(cycles, other);
}

double read_cycles(double bytes, double again) {
  if (again <= kFirstCache) return bytes / kFirstRate;
  return bytes / (again <= kSecondCache ? kSecondRate : kThirdRate);
}

}  // namespace opbench

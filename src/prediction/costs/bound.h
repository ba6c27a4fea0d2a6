#pragma once

#include <string>

#include "machine/ceilings/ceilings.h"
#include "measuring/results/profile_result.h"

namespace opbench {

/// Below this many call floors a time alone says more about the call than about the kernel.
constexpr double kFloorsForVerdict = 20;

/// Fills what follows from a row's time: GFLOP/s, percent of the peak, GB/s and what bounds it, by
/// the roofline (Williams, Waterman and Patterson, 2009) with measured ceilings: the longer of
/// FLOPs over peak and bytes over the bandwidth of the smallest memory level that holds the bytes.
/// `overhead` when the time alone is below kFloorsForVerdict call floors, or more than ten times
/// what the roofline allows and shorter than 50 µs.
void rate_unit(UnitResult& unit, const EngineResult& engine, const Ceilings& ceilings);

}  // namespace opbench

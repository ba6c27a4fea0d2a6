#pragma once

#include <string>

#include "machine/ceilings/ceilings.h"
#include "measuring/results/profile_result.h"

namespace opbench {

/// Below this many call overheads a time alone says more about the call than about the kernel.
constexpr double kFloorsForVerdict = 20;

/// Fills what follows from a row's time: GFLOP/s, percent of the peak, GB/s and what bounds it, by
/// the roofline (Williams, Waterman and Patterson, 2009) with measured ceilings: the longer of
/// FLOPs over peak and bytes over the bandwidth of the smallest memory level that holds the bytes.
/// `fetched_bytes` of them come from memory in each call, as a cold cache mode has put them out of
/// the caches; the level that takes longer is named.
/// `overhead` when the time alone is below kFloorsForVerdict call overheads, or more than ten times
/// what the roofline allows and shorter than 50 µs. Of an engine on a device rates alone: the
/// ceilings are the CPU's.
void rate_unit(UnitResult& unit, const EngineResult& engine, const Ceilings& ceilings,
               double fetched_bytes = 0);

}  // namespace opbench

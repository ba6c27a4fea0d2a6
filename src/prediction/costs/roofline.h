#pragma once

#include "machine/ceilings/ceilings.h"

namespace opbench {

/// The smallest level of memory that holds `bytes`, the last one where none does; a level was
/// measured with half of what it can hold. Null without levels.
const BandwidthCeiling* level_of(double bytes, const Ceilings& ceilings);

/// Seconds that the roofline (Williams, Waterman and Patterson, 2009) allows: each 0 where the
/// ceilings do not know it.
struct RooflineTime {
  double compute_s = 0;
  double memory_s = 0;
  int level = 0;  ///< index of the memory level

  double bound_s() const { return compute_s > memory_s ? compute_s : memory_s; }
};

/// Of `flops` and of `bytes` at the bandwidth of the level that holds `footprint` bytes.
RooflineTime roofline_time(double flops, double bytes, double footprint, const Ceilings& ceilings,
                           int threads);

}  // namespace opbench

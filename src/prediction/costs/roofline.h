#pragma once

#include "machine/ceilings/ceilings.h"

namespace opbench {

/// The smallest level of memory that holds `bytes`, the last one where none does. Null without
/// levels.
const BandwidthCeiling* level_of(double bytes, const Ceilings& ceilings);

/// Seconds to read one of `footprint` bytes that are read again and again: at the rate of the
/// smallest level that holds them. If the last cache does not hold them, it supplies the share that
/// it can hold and memory the rest; the mean counts. 0 where the ceilings do not know it.
double seconds_per_byte(double footprint, const Ceilings& ceilings, int threads);

/// Seconds that the roofline (Williams, Waterman and Patterson, 2009) allows: each 0 where the
/// ceilings do not know it.
struct RooflineTime {
  double compute_s = 0;
  double memory_s = 0;
  double s_per_byte = 0;  ///< of the footprint
  int level = 0;          ///< index of the memory level

  double bound_s() const { return compute_s > memory_s ? compute_s : memory_s; }
};

/// Of `flops`, and of `bytes` at the seconds_per_byte of `footprint`.
RooflineTime roofline_time(double flops, double bytes, double footprint, const Ceilings& ceilings,
                           int threads);

}  // namespace opbench

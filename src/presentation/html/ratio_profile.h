#pragma once

#include <vector>

#include "presentation/html/page_rows.h"

namespace opbench {

/// How much faster a row is than in the base: base time over its time.
struct SpeedUp {
  double factor = 1;
  double weight = 0;  ///< its share of the base's time, of the rows that count
};

/// Of the rows that have both times, largest factor first.
std::vector<SpeedUp> speed_ups(const PagePair& pair);

/// The share of rows that are at least `factor` times as fast as the base, by number or by weight:
/// a performance profile (Dolan and Moré 2002) of two sides, drawn over the speed-up. 0 for none.
double share_at_least(const std::vector<SpeedUp>& speed_ups, double factor, bool is_weighted);

}  // namespace opbench

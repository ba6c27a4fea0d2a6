#pragma once

#include "benchmarks/watch/synthetic_year.h"
#include "watching/series/alert.h"

namespace opbench {

/// How well a report describes a year.
struct YearScore {
  int changes = 0, found = 0;  ///< confirmed (or suspected) at all within three nights
  int big = 0, big_found = 0;
  int big_late = 0;                       ///< found, later than that
  int false_groups = 0;                   ///< alerts without a cause
  int rows_changed = 0, rows_listed = 0;  ///< of the changes that were found
  std::vector<int> missed = {};           ///< big ones, by their places
  std::vector<std::string> false_alerts = {};
};

/// Alerts of `least` state or more count.
YearScore year_score_of(const RegressReport& report, const SyntheticYear& year, AlertState least);

}  // namespace opbench

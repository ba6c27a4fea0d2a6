#pragma once

#include <optional>
#include <string>
#include <vector>

#include "measuring/results/compare_result.h"
#include "measuring/results/profile_result.h"
#include "measuring/results/rival_rows.h"

namespace opbench {

/// A time and how far it may be off.
struct PageTime {
  double ms = 0;
  std::optional<double> spread;  ///< half the 95 % interval over the time; nothing: not known
  TimeClock clock = TimeClock::kWall;
};

/// One row of the page: what one kernel does, on both sides where there is a base.
struct PageRow {
  std::string id;                              ///< unique on the page
  std::vector<const UnitResult*> units, base;  ///< several where the other side fuses more
  int64_t count = 1;
  std::optional<PageTime> time, base_time;  ///< over all occurrences
  double share = 0, base_share = 0;         ///< of the sum of its side, 0…1
  std::optional<Ratio> ratio;
  std::optional<Verdict> verdict;  ///< nothing: no ratio, or other clocks; `reason` says why
  std::string reason;
};

/// An engine run, and the one that it is compared with.
struct PagePair {
  const EngineResult* run = nullptr;
  const EngineResult* base = nullptr;  ///< null: none
  std::string base_name;               ///< `base`, or the engine of the same report
  TimePlace place = TimePlace::kAlone, base_place = TimePlace::kAlone;
  double margin_percent = 2;
  std::vector<PageRow>
      rows;  ///< by change over the margin, then by share; with a base those of both sides
  std::vector<PageRow> only_here, only_there;  ///< what one side alone has
  PageRow model;                               ///< end to end; its units are empty
};

/// Every engine run of a result beside its base: the same engine and threads in `base`, else the
/// only run there, else the first with these threads. Without `base`, the first run of the result
/// with the same threads.
std::vector<PagePair> page_pairs(const ProfileResult& result, const ProfileResult* base,
                                 double margin_percent);

/// The ratio of both times with the interval that both spreads make, and the verdict. Sets nothing
/// but the reason where a time is missing, and no verdict where clocks forbid one
/// (why_no_verdict); without a spread the verdict is `inconclusive`.
void judge(PageRow& row, double margin_percent);

/// How often a row's change is as large as the margin; 0 where it is no difference.
double change_over_threshold(const PageRow& row, double margin_percent);

/// `conv2d+relu`; of several units `conv2d + relu`.
std::string row_name(const PageRow& row);

/// The short shapes of its units.
std::string row_shapes(const PageRow& row);

}  // namespace opbench

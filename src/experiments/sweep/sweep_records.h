#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "experiments/sessions/request/profile_request.h"
#include "measuring/results/sweep_result.h"
#include "records/record/replay.h"

namespace opbench {

/// Points that a file of records holds.
class RecordedPoints {
 public:
  /// Only records of the machine with this hash count; of several of one point, the last.
  RecordedPoints(const std::vector<ReplayItem>& items, const std::string& machine_hash);

  /// Fills the point if records hold a time for what `request` (of one engine and thread count)
  /// asks for, and the model is the one of then. False: it is to be measured.
  bool fill(const ProfileRequest& request, SweepPoint& point) const;

  /// True if the records of that point were made by other software than that of this hash.
  bool is_other_software(const ProfileRequest& request, const SweepPoint& point,
                         const std::string& software_hash) const;

 private:
  std::map<std::string, std::vector<const ReplayItem*>> runs_;  ///< by what was asked for
};

/// Records of a point whose setting of the machine was refused, with the reason and no time.
std::vector<BenchmarkRecord> refusal_records(const ProfileRequest& request, const SweepPoint& point,
                                             const Environment& environment);

}  // namespace opbench

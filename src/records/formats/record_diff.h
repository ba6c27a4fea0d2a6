#pragma once

#include <string>
#include <vector>

#include "records/formats/codec.h"

namespace opbench {

/// A field that two records do not have alike; "-" where one does not have it.
struct RecordDifference {
  std::string field;
  std::string a;
  std::string b;
  bool matters = false;  ///< their times cannot be compared because of it
};

/// What differs apart from results and moments, in the order of the fields. What was computed (task
/// or workload, arguments, inputs), on what (target, machine) and how it was called matters;
/// engines, configs and versions are what one compares.
std::vector<RecordDifference> diff_records(const AnyRecord& a, const AnyRecord& b);

/// Seconds a call: of a trial its mean, of a benchmark its median, else its mean. Nothing for a
/// failure.
std::optional<double> time_of(const AnyRecord& record);

}  // namespace opbench

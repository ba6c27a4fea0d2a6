#pragma once

#include <string>
#include <vector>

#include "base/errors/error.h"
#include "experiments/devices/device_choice.h"
#include "experiments/partition/partition_study.h"
#include "experiments/sessions/request/run_request.h"

namespace opbench {

/// What determines a partition.
struct PartitionRequest {
  RunRequest run;                     ///< of a workload; its CPUs and target are those of `devices`
  std::vector<DeviceChoice> devices;  ///< two, of this machine
  int most_parts = 8;
  PartitionStudyOptions study;
};

struct PartitionResult {
  PartitionGrid grid;
  PartitionStudy study;
  std::vector<std::string> warnings;
};

/// How an operator of so many output channels is cut into at most `most_parts` parts of whole
/// vectors of `lanes`; all but the last have equal size.
struct PartSizes {
  int64_t part_channels = 0;
  int parts = 0;
  bool operator==(const PartSizes&) const = default;
};
PartSizes part_sizes(int64_t channels, int lanes, int most_parts);

/// The sizes (1 for the first time) that take over 5 % longer than a larger one. They are measured
/// again and the shorter time counts, because other work on the machine only ever adds time.
std::vector<int> slow_sizes(const std::vector<double>& times_ms);

/// What a run prepares: the workload's parts of every size for both devices. Errors are those of
/// run_partition before it prepares them.
Result<std::vector<ProfileRequest>> prepared_requests(const PartitionRequest& request);

/// Measures the request's workload in parts of every size on both devices, alone and in turns, and
/// looks for the best split. `kInvalidInput`: a workload that cannot be split or has too few
/// channels, not two devices, a table as a device; run_profile's errors. `kPartial`: a size that
/// could not be timed.
Result<PartitionResult> run_partition(const PartitionRequest& request);

}  // namespace opbench

#pragma once

#include <cstdint>
#include <string>

#include "base/errors/error.h"
#include "model/operators/workloads/workload.h"

namespace opbench {

/// A workload that can be cut along its output channels.
struct SplitWorkload {
  Workload workload;
  int64_t channels = 0;  ///< of the output
  size_t from_end = 1;   ///< channels are the output's dimension so far from its end, 1: the last
  double output_bytes = 0;  ///< of all channels
};

/// `kInvalidInput` unless the first step is a conv2d of one group, a dense or a matmul whose second
/// operand is a weight, and all further steps are elementwise. Errors of parse_workload.
Result<SplitWorkload> parse_split_workload(const std::string& text);

/// The text of the same workload with `channels` of the output channels: the weight, and what later
/// steps read along channels, are cut. `kInvalidInput` where a constant would have to be.
Result<std::string> part_text(const SplitWorkload& split, int64_t channels);

}  // namespace opbench

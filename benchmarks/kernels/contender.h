#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "benchmarks/kernels/shapes.h"
#include "experiments/sessions/request/profile_request.h"
#include "kernels/schedules/kernel_choice.h"

namespace opbench {

/// Our kernel of a shape.
struct KernelContender {
  KernelShape shape;
  Target target;
  std::vector<KernelChoice> choices;  ///< from its tuning log; empty: the default kernels
  KernelSpec spec;                    ///< complete
  std::string origin;                 ///< of the trial that chose it; empty: the default kernel
};

/// The file in `folder` of the trials of a shape on so many threads.
std::filesystem::path tuning_log_of(const KernelShape& shape, int threads,
                                    const std::filesystem::path& folder);

/// Has `opbench tune` go on where the log ends, up to `trials` for each schedule that can compute
/// the shape, 300 in all. Calls of trials find in the caches what those of the comparison will: hot
/// or else cold weights. `kSystem` with what it said when it did not end well.
Result<void> tune_shape(const KernelShape& shape, int threads, int64_t trials, CacheMode cache,
                        const std::filesystem::path& log);

/// The kernel that the log, if it is there and has one, or else the rule chooses for so many
/// threads. `kInvalidInput` when nothing computes the shape.
Result<KernelContender> contender_of(const KernelShape& shape, int threads,
                                     const std::filesystem::path& log);

}  // namespace opbench

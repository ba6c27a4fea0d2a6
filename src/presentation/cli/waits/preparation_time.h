#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "experiments/sessions/request/profile_request.h"

namespace opbench {

/// What comes before the first timed call: reading the model, compiling kernels, checking results,
/// starting engines.
struct PreparationEstimate {
  double kernel_s = 0;  ///< to compile a kernel, all workers at work
  double other_s = 0;   ///< all else
  double plain_s = 0;   ///< all else as it is without what earlier runs have shown
  size_t kernels = 0;   ///< to compile; the others are in the cache
  std::string key;      ///< of what is prepared, for a later run

  double seconds() const { return other_s + kernel_s * static_cast<double>(kernels); }
};

/// Of requests that are prepared one after the other, in so many processes of each engine and
/// thread count. As the last run of the same has shown; else from sizes, corrected by what other
/// runs have shown. Takes some milliseconds. `command` tells kinds of runs apart; `times`: how
/// often all but compiling is done.
PreparationEstimate estimate_preparation(const std::string& command,
                                         const std::vector<ProfileRequest>& requests, int processes,
                                         double times = 1);

/// What it took: keeps it in the cache for later runs. `compile_s`: of the kernels.
void keep_preparation(const PreparationEstimate& estimate, double seconds, double compile_s);

}  // namespace opbench

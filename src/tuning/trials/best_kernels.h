#pragma once

#include <string>
#include <vector>

#include "kernels/schedules/kernel_choice.h"
#include "machine/target/target.h"

namespace opbench {

/// The fastest trial of every workload in a tuning log of any format, as choices of kernels for
/// this target. Where the default kernel for so many threads is less than 2 % slower, it is chosen.
/// Trials of TVM's templates count if their layouts are those that models have here: plain, or in
/// blocks of the target's lanes. A file of kernels that were chosen without a trial
/// (zero_shot_file.h) gives all of them. `kInvalidInput` when the file cannot be read or holds no
/// such trial, with why: other targets, failures only, templates without a schedule.
Result<std::vector<KernelChoice>> best_kernels(const std::string& file, const Target& target,
                                               int threads = 1);

}  // namespace opbench

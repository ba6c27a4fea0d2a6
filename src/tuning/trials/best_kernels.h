#pragma once

#include <string>
#include <vector>

#include "kernels/schedules/kernel_choice.h"
#include "machine/target/target.h"

namespace opbench {

/// The fastest trial of every workload in a tuning log of any format, as choices of kernels for
/// this target; that of the kernel by rule for so many threads when it is less than 2 % slower.
/// Trials of TVM's templates count where their layouts are those that models have here: plain, or
/// in blocks of the target's lanes. Of a file of kernels that were chosen without a trial
/// (zero_shot_file.h) all. `kInvalidInput` when the file cannot be read or holds no such
/// trial, with why: other targets, failures only, templates without a schedule.
Result<std::vector<KernelChoice>> best_kernels(const std::string& file, const Target& target,
                                               int threads = 1);

}  // namespace opbench

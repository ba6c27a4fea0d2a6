#pragma once

#include <string>

#include "kernels/schedules/kernel_choice.h"
#include "kernels/schedules/schedule.h"
#include "machine/target/target.h"

namespace opbench {

/// The kernel of a candidate as a choice for units: of one of our own schedules for its workload,
/// of a template of TVM for every unit that begins with its operator.
KernelChoice chosen_kernel(const KernelSpec& spec, std::string origin);

/// Whether its channels lie as those of models do here: plain, or in blocks of the target's lanes.
bool has_usual_blocks(const KernelChoice& choice, const Target& target);

}  // namespace opbench

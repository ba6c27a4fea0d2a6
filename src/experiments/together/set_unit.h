#pragma once

#include <string>
#include <vector>

#include "base/errors/error.h"
#include "kernels/schedules/schedule.h"
#include "machine/target/target.h"

namespace opbench {

/// A workload as the unit of a model: what our passes make of it, its channels in the blocks that
/// it has inside models, with its default kernel for one thread. `kInvalidInput` for a text that is
/// no workload, one of several units or of several outputs, and one that no kernel computes here.
Result<KernelSpec> set_unit(const std::string& text, const Target& target);

/// Blocks of the tensors of such units as a model of them has them: of all operands that are no
/// weights, then of the outputs.
std::vector<int> layouts_of_set(const std::vector<KernelSpec>& units);

}  // namespace opbench

#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/errors/error.h"
#include "kernels/schedules/kernel_choice.h"
#include "machine/target/target.h"

namespace opbench {

/// The kernels that were chosen for a target without a trial, as a file: a line with
/// {"schema": "opbench.zero-shot/1", "target"}, then a line for each kernel. It holds no times, so
/// that no prediction is taken for a measurement.
std::string zero_shot_text(const std::vector<KernelChoice>& kernels, const Target& target);

/// The kernels of such a file, with its name and line as their origin; nothing for a file of
/// another form. `kInvalidInput` for another target, and for a line that is no kernel.
Result<std::optional<std::vector<KernelChoice>>> read_zero_shot(const std::string& file,
                                                                const Target& target);

}  // namespace opbench

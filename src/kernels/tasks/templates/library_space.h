#pragma once

#include <vector>

#include "kernels/tasks/template.h"

namespace opbench {

/// The space of a call into a library: one config, no knobs.
Result<ConfigSpace> library_space(const std::vector<Argument>& arguments, const Target& target);

/// Two operations for each multiplication of a dense layer, of a batch of products.
Result<double> dense_flops(const std::vector<Argument>& arguments, const Target& target);
Result<double> batch_matmul_flops(const std::vector<Argument>& arguments, const Target& target);

}  // namespace opbench

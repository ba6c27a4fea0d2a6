#pragma once

#include <optional>
#include <vector>

#include "base/errors/error.h"
#include "machine/ceilings/ceiling_kernels.h"
#include "machine/facts/topology.h"

namespace opbench {

struct Ceilings;

/// As measure_ceilings (ceilings.h), by loops of another instruction set than the widest. The CPU
/// runs it, or the program ends with an illegal instruction.
Result<Ceilings> measure_ceilings_of(KernelIsa isa, const std::vector<int>& cpus,
                                     const Topology& topology);

/// As remeasure_peak (ceilings.h), on the same terms.
std::optional<double> remeasure_peak_of(KernelIsa isa, const std::vector<int>& cpus);

}  // namespace opbench

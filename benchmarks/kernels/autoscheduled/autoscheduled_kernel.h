#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "benchmarks/kernels/operand_reads.h"
#include "kernels/schedules/schedule.h"

namespace opbench {

/// The autoschedulers of Halide that can be asked for: `adams2019` (Adams et al. 2019),
/// `mullapudi2016` (Mullapudi et al. 2016).
std::vector<std::string> autoscheduler_names();

/// Compiles the plain algorithm of the anchor, a convolution or a product by one matrix, as the
/// autoscheduler arranges it for so many threads: what `LoadedKernel::load` takes. All layouts of
/// `spec` must be row-major; padding is zeros around the input, to be placed by the autoscheduler.
/// `kInvalidInput`: an unknown autoscheduler, or another operator; `kEnvironment`: its plugin is
/// missing; `kSystem`: it, or Halide, failed, with the reason.
Result<void> compile_autoscheduled(const KernelSpec& spec, const std::string& autoscheduler,
                                   int threads, OperandReads reads, const std::string& function,
                                   const std::filesystem::path& object);

}  // namespace opbench

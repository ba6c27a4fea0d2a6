#pragma once

#include <string>

#include "base/errors/error.h"
#include "kernels/schedules/schedule.h"

namespace opbench {

/// Why no kernel for OpenCL can run here; empty when one can.
const std::string& opencl_missing();

/// max|kernel - reference| / max|reference| on random inputs, of the kernel by `spec` compiled for
/// OpenCL and run on the first device through Halide's own runtime; the kernel's failure as an
/// error.
Result<double> opencl_error(const KernelSpec& spec, uint64_t seed = 1);

/// What the kernel returns when its launches are answered with `answer`, one of OpenCL's error
/// numbers; 0: when they are the driver's.
Result<int> opencl_return(const KernelSpec& spec, int answer);

}  // namespace opbench

#pragma once

#include <string>
#include <vector>

#include "machine/target/target.h"

namespace opbench {

/// Generations of NVIDIA's GPUs by their compute capability: 75 is 7.5, `sm_75`.
struct CudaArch {
  int asked = 50;  ///< of `-arch`; without one what Maxwell and all later GPUs run
  int made = 50;   ///< of the PTX: the highest that Halide 14 makes and that is not above `asked`
  bool operator==(const CudaArch&) const = default;
};

/// What code for a CUDA target is made for. `kInvalidInput` for an `-arch` that is no generation,
/// or one before sm_30.
Result<CudaArch> cuda_arch(const Target& target);

/// Why the PTX is of another generation than the asked one; empty where it is of that one, and for
/// targets that are not CUDA's.
std::string ptx_note(const Target& target);

/// The target with `-arch` of the device that runs its code, `sm_75`, where it names none.
Target with_arch(Target target, const std::string& arch);

}  // namespace opbench

#pragma once

#include <memory>

namespace Halide {
class Pipeline;
}

// Accumulators beside shared memory. In a GPU kernel whose threads stage operands in shared memory,
// sums outlive the loops over threads between two barriers, so a schedule keeps them at block
// level. There Halide gives each thread an array for the sums of all threads, indexed by thread id,
// which no compiler keeps in registers.

namespace opbench {

struct AccumulatorArrays {
  int numbered = 0;  ///< as large as what one thread uses, every index a constant
  int refused = 0;   ///< left as they were: some index is no f(thread ids) + constant
};

/// From now on the pipeline's lowering shrinks every array that lies inside GPU blocks, outside
/// their threads and not in shared memory to the elements of one thread. It does so if all loads
/// and stores have an index f(thread ids) + constant with one f, and nothing is loaded that is
/// never stored. The result is filled in by the lowering.
std::shared_ptr<const AccumulatorArrays> number_accumulators(Halide::Pipeline& pipeline);

}  // namespace opbench

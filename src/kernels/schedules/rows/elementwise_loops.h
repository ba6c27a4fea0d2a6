#pragma once

#include <cstdint>
#include <vector>

#include "kernels/schedules/schedule.h"

namespace Halide {
class Func;
class Var;
}  // namespace Halide

namespace opbench {

/// The dimensions of the output over which elementwise steps run, innermost first: neighbouring
/// ones along which every operand is read alike are one.
struct ElementwiseLoops {
  std::vector<Halide::Var> vars;
  std::vector<int64_t> extents;  ///< of free ones the least
};

/// The steps of a unit without an anchor, which `can_epilogue` takes, over `loops`, which it fills.
Halide::Func define_elementwise(const KernelSpec& spec, KernelBuilder& builder,
                                ElementwiseLoops& loops);

}  // namespace opbench

#pragma once

#include <string>
#include <vector>

#include "model/operators/operand.h"

namespace opbench {

/// How an Einsum walks over its operands: the extents of the result, then those that are summed
/// over, and for every operand the strides along both.
struct EinsumLoops {
  Shape result;
  Shape summed;
  std::vector<Integers> strides;

  Shape all() const;
};

/// The loops of the attribute `equation`. `kInvalidInput` quoting the equation when it is none, or
/// when the operands do not fit it. Extents of 1 repeat, as in numpy.
Result<EinsumLoops> einsum_loops(const OperatorCall& call);

/// The equation without blanks, and with its output where that was left out.
std::string explicit_equation(const std::string& equation);

}  // namespace opbench

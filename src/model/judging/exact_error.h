#pragma once

#include <string>

#include "base/tensors/tensor.h"
#include "model/judging/judgement.h"

namespace opbench {

/// How far a result is from the double-precision reference, and how far it may be. Of floats both
/// are relative to the largest exact value; of quantized bytes they are steps over kByteSteps;
/// other types are equal or not (0 or infinity).
struct ExactError {
  double error = 0;
  double allowed = 0;
  std::string reason = {};  ///< what says more than an error does: Difference::reason
  bool exceeds() const { return !(error <= allowed); }
};

/// Of the value `name` as `got`. What is allowed is the tolerance of `judge`, or four roundings of
/// what goes into an element where that is more: the longer a sum, the more goes into it. Errors as
/// `exact_values`.
Result<ExactError> exact_error(const Tensor& got, const std::string& name,
                               const JudgedModel& judged);

}  // namespace opbench

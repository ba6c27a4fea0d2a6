#pragma once

#include <string>
#include <vector>

#include "model/operators/operand.h"

namespace opbench {

/// An activation function of a recurrent operator with its scaling values. Its argument is clipped
/// to -clip … clip first, unless clip is 0.
struct Activation {
  double (*function)(double x, double alpha, double beta) = nullptr;
  double alpha = 0;
  double beta = 0;
  double clip = 0;
  double operator()(double x) const;
};

/// The activations of all directions, one after the other: those of the attribute `activations`,
/// else `otherwise` for each. Scaling values are consumed in the order of the functions that take
/// them; where none are left, the default of the function's own operator holds. `kInvalidInput`
/// when the names are unknown, or not as many as `otherwise` has for each direction.
Result<std::vector<Activation>> activations_of(const OperatorCall& call,
                                               const std::vector<std::string>& otherwise,
                                               int64_t directions);

/// The names alone.
std::vector<std::string> activation_names(const OperatorCall& call,
                                          const std::vector<std::string>& otherwise,
                                          int64_t directions);

}  // namespace opbench

#pragma once

#include <atomic>
#include <map>
#include <string>

#include "model/graph/graph.h"

namespace opbench {

/// The largest magnitude that an element of the value `name` is computed from. Where terms cancel,
/// rounding errors are relative to this and not to the result.
///
/// For sums of products it is max_i Σ_k |a_ik| |b_k|, as |fl(aᵀb) − aᵀb| ≤ γ_n |a|ᵀ|b| with
/// γ_n = n u / (1 − n u) (Higham, Accuracy and Stability of Numerical Algorithms, 2nd edition,
/// 2002, equation 3.5). Operators that add, multiply, move or bend values without making
/// differences larger hand on the magnitudes of their operands. For any other operator it is the
/// largest operand.
///
/// `known`: values of the model, in their own types, from which `name` follows. Errors as
/// `exact_values`.
Result<double> input_magnitude(const Model& model, const std::map<std::string, Tensor>& known,
                               const std::string& name, const std::atomic<bool>* cancel = nullptr);

}  // namespace opbench

#pragma once

#include <cstdint>
#include <string>

#include "model/graph/graph.h"

// The part of LSTM, GRU and RNN that has to go step by step, for one direction. These operators are
// ours: the pass split_recurrent puts them, and a matrix product for all steps at once, in the
// place of ONNX's.

namespace opbench {

/// Operands of LstmSteps, GruSteps and RnnSteps. The last is the initial cell[1, batch, units] of
/// LSTM, and the bias[units] of GRU's hidden gate with linear_before_reset.
enum RecurrentStepsInput : size_t { kSums, kRecurrentWeight, kInitialHidden, kCellOrBias };

/// Extents: sums[steps, batch, gates units], weights[gates units, units], states[1, batch, units].
struct RecurrentStepsExtents {
  int64_t steps = 0;
  int64_t batch = 0;
  int64_t gates = 0;
  int64_t units = 0;
};
RecurrentStepsExtents recurrent_steps_extents(const Shape& sums, const Shape& weights);

/// The activations that the node states, or else the usual ones of its type.
std::vector<std::string> step_activations(const Node& node);

bool goes_backward(const Node& node);
bool is_linear_before_reset(const Node& node);

}  // namespace opbench

#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "model/operators/operand.h"
#include "model/operators/recurrent/recurrent_activation.h"

namespace opbench {

/// The operands of RNN, GRU and LSTM; the last two are LSTM's alone.
enum RecurrentInput : size_t {
  kData,
  kWeight,
  kRecurrence,
  kBias,
  kLengths,
  kHidden,
  kCell,
  kPeepholes
};

/// What sets the three operators apart.
struct RecurrentForm {
  int64_t gates = 1;
  size_t inputs = 6;
  size_t states = 1;                     ///< that pass from step to step: hidden, and LSTM's cell
  std::vector<std::string> activations;  ///< of one direction, where none are given
};

/// Extents: X[steps, batch, in], W[directions, gates units, in], R[directions, gates units, units].
struct RecurrentExtents {
  int64_t steps = 0;
  int64_t batch = 0;
  int64_t in = 0;
  int64_t units = 0;
  int64_t directions = 0;
  bool is_reversed = false;     ///< of the only direction
  bool is_batch_first = false;  ///< layout 1: the batch leads in data, states and outputs
};

RecurrentExtents recurrent_extents(const OperatorCall& call);

/// The outputs that the node names, Y[steps, directions, batch, units] and the last states
/// [directions, batch, units]. `kInvalidInput` when operands, activations or attributes do not fit.
Result<std::vector<TensorType>> infer_recurrent(const OperatorCall& call,
                                                const RecurrentForm& form);

/// The states of one sequence, `units` each.
struct RecurrentState {
  std::vector<float> hidden;
  std::vector<float> cell;
};

/// One direction: what stays the same over its steps.
struct RecurrentDirection {
  RecurrentExtents extents;
  std::vector<float> sums;              ///< rows of gates units: W x + the bias of W
  const float* recurrence = nullptr;    ///< [gates units, units]
  const float* bias = nullptr;          ///< of the recurrence, [gates units]; null if there is none
  const float* peepholes = nullptr;     ///< [3 units]; null if there are none
  std::vector<Activation> activations;  ///< f, g, h

  /// Row `row` of the recurrence times a state.
  float product(int64_t row, std::span<const float> state) const;
  /// What `row` adds up to before its activation.
  double sum(int64_t row, const float* from_input, std::span<const float> state) const;
};

/// Replaces the state of a sequence by that of the next step; `sums` is the step's row of
/// `RecurrentDirection::sums`.
using RecurrentStep =
    std::function<void(const RecurrentDirection&, const float* sums, RecurrentState&)>;

/// Steps through every sequence in every direction. A sequence shorter than the longest gives 0
/// beyond its end, and goes backward from its own end. `kInvalidInput` when a length is outside
/// the steps.
Result<void> run_recurrent(const OperatorCall& call, const RecurrentForm& form,
                           std::span<const TensorView> inputs, std::span<const TensorView> outputs,
                           const RecurrentStep& step);

/// Two products a state, 2 for every multiply-add, and `others` operations.
double recurrent_flops(const OperatorCall& call, const RecurrentForm& form, double others);

/// The attributes of all three, and those that differ from their defaults.
std::vector<AttributeDef> recurrent_attributes();
Attributes normal_recurrent(const OperatorCall& call, const RecurrentForm& form);

}  // namespace opbench

#pragma once

#include "model/operators/recurrent/recurrent.h"

namespace opbench {

/// The gates of LSTM (input, output, forget, cell) and of GRU (update, reset, hidden), in the order
/// in which their weights lie, and their usual activations.
const RecurrentForm& lstm_form();
const RecurrentForm& gru_form();
const RecurrentForm& rnn_form();

/// i = f(…), o = f(…), forget = f(…) or 1 - i where they are coupled, C = forget C + i g(…),
/// H = o h(C): the equations of ONNX LSTM.
RecurrentStep lstm_step(bool is_coupled);

/// z = f(…), r = f(…), h = g(… + (r H) R + bias), H = (1 - z) h + z H: the equations of ONNX GRU.
/// With `is_linear_first` (linear_before_reset) r scales H R + bias instead of H.
RecurrentStep gru_step(bool is_linear_first);

/// H = f(W x + R H + both biases): the equation of ONNX RNN.
RecurrentStep rnn_step();

/// Operations of a state beside its two products: activations, products, sums and differences.
constexpr double kLstmOthers = 9;
constexpr double kGruOthers = 8;
constexpr double kRnnOthers = 1;

}  // namespace opbench

#include "model/operators/recurrent/recurrent_cells.h"

#include <array>

namespace opbench {
namespace {

constexpr int64_t kLstmGates = 4;

/// What a gate sees of the cell: of the order input, output, forget.
double peep(const RecurrentDirection& d, int64_t gate, int64_t unit, double cell) {
  if (d.peepholes == nullptr) return 0;
  return static_cast<double>(d.peepholes[gate * d.extents.units + unit]) * cell;
}

void step_lstm(const RecurrentDirection& d, const float* from_input, RecurrentState& state,
               bool is_coupled) {
  const int64_t units = d.extents.units;
  const auto& [f, g, h] = std::array{d.activations[0], d.activations[1], d.activations[2]};
  std::vector<float> hidden(state.hidden.size());
  for (int64_t u = 0; u < units; ++u) {
    std::array<double, kLstmGates> sums{};
    for (int64_t gate = 0; gate < kLstmGates; ++gate) {
      sums[static_cast<size_t>(gate)] = d.sum(gate * units + u, from_input, state.hidden);
    }
    float& cell = state.cell[static_cast<size_t>(u)];
    const double before = static_cast<double>(cell);
    const double input = f(sums[0] + peep(d, 0, u, before));
    const double kept = is_coupled ? 1 - input : f(sums[2] + peep(d, 2, u, before));
    const double next = kept * before + input * g(sums[3]);
    cell = static_cast<float>(next);
    hidden[static_cast<size_t>(u)] = static_cast<float>(f(sums[1] + peep(d, 1, u, next)) * h(next));
  }
  state.hidden = std::move(hidden);
}

void step_gru(const RecurrentDirection& d, const float* from_input, RecurrentState& state,
              bool is_linear_first) {
  const int64_t units = d.extents.units;
  const Activation& f = d.activations[0];
  const Activation& g = d.activations[1];
  std::vector<float> reset(state.hidden.size());
  std::vector<float> scaled(state.hidden.size());
  for (int64_t u = 0; u < units; ++u) {
    const auto at = static_cast<size_t>(u);
    reset[at] = static_cast<float>(f(d.sum(units + u, from_input, state.hidden)));
    scaled[at] = reset[at] * state.hidden[at];
  }
  std::vector<float> hidden(state.hidden.size());
  for (int64_t u = 0; u < units; ++u) {
    const auto at = static_cast<size_t>(u);
    const int64_t row = 2 * units + u;
    double sum = 0;
    if (is_linear_first) {
      const float bias = d.bias == nullptr ? 0.0F : d.bias[row];
      const double linear = static_cast<double>(d.product(row, state.hidden)) + bias;
      sum = from_input[row] + reset[at] * linear;
    } else {
      sum = d.sum(row, from_input, scaled);
    }
    const double update = f(d.sum(u, from_input, state.hidden));
    const double before = static_cast<double>(state.hidden[at]);
    hidden[at] = static_cast<float>((1 - update) * g(sum) + update * before);
  }
  state.hidden = std::move(hidden);
}

void step_rnn(const RecurrentDirection& d, const float* from_input, RecurrentState& state) {
  std::vector<float> hidden;
  for (int64_t u = 0; u < d.extents.units; ++u) {
    hidden.push_back(static_cast<float>(d.activations[0](d.sum(u, from_input, state.hidden))));
  }
  state.hidden = std::move(hidden);
}

}  // namespace

const RecurrentForm& lstm_form() {
  static const RecurrentForm kForm{kLstmGates, 8, 2, {"Sigmoid", "Tanh", "Tanh"}};
  return kForm;
}

const RecurrentForm& gru_form() {
  static const RecurrentForm kForm{3, 6, 1, {"Sigmoid", "Tanh"}};
  return kForm;
}

const RecurrentForm& rnn_form() {
  static const RecurrentForm kForm{1, 6, 1, {"Tanh"}};
  return kForm;
}

RecurrentStep lstm_step(bool is_coupled) {
  return [is_coupled](const RecurrentDirection& d, const float* from_input, RecurrentState& state) {
    step_lstm(d, from_input, state, is_coupled);
  };
}

RecurrentStep gru_step(bool is_linear_first) {
  return
      [is_linear_first](const RecurrentDirection& d, const float* from_input,
                        RecurrentState& state) { step_gru(d, from_input, state, is_linear_first); };
}

RecurrentStep rnn_step() { return step_rnn; }

}  // namespace opbench

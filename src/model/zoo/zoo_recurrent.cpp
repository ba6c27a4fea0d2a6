#include "model/zoo/zoo_models.h"
#include "model/zoo/zoo_sequence.h"

// Stacked recurrent layers. The result is the last layer's hidden state at every step.

namespace opbench {
namespace {

constexpr int64_t kLayers = 8;
constexpr int64_t kUnits = 1024;
constexpr int64_t kSteps = 128;

/// A kind of layer: ONNX's operator, without peepholes, and the attributes that it needs.
struct Cell {
  std::string type;
  int64_t gates = 1;
  Attributes attributes = {};
};

/// One forward layer: x T x N x C, states 1 x N x hidden; the hidden states of all steps,
/// T x N x hidden.
std::string layer(ZooBuilder& b, const std::string& name, const Cell& cell, const std::string& x,
                  const std::vector<std::string>& states) {
  const Shape in = b.shape_of(x);
  const int64_t units = b.shape_of(states[0]).back();
  const int64_t rows = cell.gates * units;
  std::vector<std::string> inputs = {x, b.normal_weight(name + "_w", {1, rows, in[2]}, in[2]),
                                     b.normal_weight(name + "_r", {1, rows, units}, units),
                                     b.uniform_weight(name + "_b", {1, 2 * rows}, -0.05F, 0.05F),
                                     ""};
  inputs.insert(inputs.end(), states.begin(), states.end());
  b.count_multiply_adds(in[0] * in[1] * rows * (in[2] + units));
  Attributes attributes = cell.attributes;
  attributes["hidden_size"] = units;
  const std::string y = b.node(cell.type, name + "_states", std::move(inputs),
                               std::move(attributes), {in[0], 1, in[1], units});
  return reshape(b, name, y, {in[0], in[1], units});
}

std::string stack(ZooBuilder& b, const std::string& prefix, const Cell& cell,
                  const std::vector<std::string>& state_names) {
  const Dimension batch{b.batch_size(), ""};
  const Dimension units{kUnits, ""};
  std::string x = b.named_input("data", DataType::kFloat32, {sequence(kSteps), batch, units});
  for (const std::string& name : state_names) {
    b.named_input(name, DataType::kFloat32, {{kLayers, ""}, batch, units});
  }
  for (int64_t i = 0; i < kLayers; ++i) {
    const std::string name = prefix + std::to_string(i);
    std::vector<std::string> states;
    for (const std::string& state : state_names) {
      states.push_back(part(b, name + "_" + state, state, 0, i, true));
    }
    x = layer(b, name, cell, x, states);
  }
  return x;
}

std::string lstm(ZooBuilder& b) { return stack(b, "lstm", {"LSTM", 4}, {"hidden", "cell"}); }

/// As PyTorch exports it: the reset gate after the product.
std::string gru(ZooBuilder& b) {
  return stack(b, "gru", {"GRU", 3, {{"linear_before_reset", int64_t{1}}}}, {"hidden"});
}

std::string rnn(ZooBuilder& b) { return stack(b, "rnn", {"RNN", 1}, {"hidden"}); }

}  // namespace

std::vector<ZooModel> recurrent_models() {
  const std::vector<Dimension> dimensions = {sequence(kSteps)};
  return {
      {{"lstm", "transformers", "8 LSTM layers, 1024 wide, 128 steps, with initial states",
        dimensions},
       lstm},
      {{"gru", "transformers", "8 GRU layers, 1024 wide, 128 steps, with initial states",
        dimensions},
       gru},
      {{"rnn", "transformers", "8 RNN layers, 1024 wide, 128 steps, with initial states",
        dimensions},
       rnn},
  };
}

}  // namespace opbench

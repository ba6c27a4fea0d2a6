#include <array>
#include <utility>
#include <vector>

#include "model/zoo/sequence/zoo_sequence.h"
#include "model/zoo/zoo_models.h"

// Stacked recurrent layers. The result is the last layer's hidden state at every step.

namespace opbench {
namespace {

constexpr int64_t kZooRecurrentLayers = 8;
constexpr int64_t kZooRecurrentUnits = 1024;
constexpr int64_t kZooRecurrentSteps = 128;

/// A kind of layer: ONNX's operator, without peepholes, and the attributes that it needs.
struct Cell {
  std::string type;
  int64_t gates = 1;
  Attributes attributes = {};
  float gain = 2;  ///< of weights, see ZooBuilder::normal_weight
};

/// One forward layer: x T x N x C, states 1 x N x hidden; the hidden states of all steps,
/// T x N x hidden.
std::string zoo_recurrent_layer(ZooBuilder& b, const std::string& name, const Cell& cell,
                                const std::string& x, const std::vector<std::string>& states) {
  const Shape in = b.shape_of(x);
  const int64_t units = b.shape_of(states[0]).back();
  const int64_t rows = cell.gates * units;
  std::vector<std::string> inputs = {
      x, b.normal_weight(name + "_w", {1, rows, in[2]}, in[2], cell.gain),
      b.normal_weight(name + "_r", {1, rows, units}, units, cell.gain),
      b.uniform_weight(name + "_b", {1, 2 * rows}, -0.05F, 0.05F), ""};
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
  const Dimension units{kZooRecurrentUnits, ""};
  std::string x =
      b.named_input("data", DataType::kFloat32, {sequence(kZooRecurrentSteps), batch, units});
  for (const std::string& name : state_names) {
    b.named_input(name, DataType::kFloat32, {{kZooRecurrentLayers, ""}, batch, units});
  }
  for (int64_t i = 0; i < kZooRecurrentLayers; ++i) {
    const std::string name = prefix + std::to_string(i);
    std::vector<std::string> states;
    for (const std::string& state : state_names) {
      states.push_back(part(b, name + "_" + state, state, 0, i, true));
    }
    x = zoo_recurrent_layer(b, name, cell, x, states);
  }
  return x;
}

std::string lstm(ZooBuilder& b) { return stack(b, "lstm", {"LSTM", 4}, {"hidden", "cell"}); }

/// As PyTorch exports it: the reset gate after the product.
std::string gru(ZooBuilder& b) {
  return stack(b, "gru", {"GRU", 3, {{"linear_before_reset", int64_t{1}}}}, {"hidden"});
}

/// A gain above 1 makes layers of tanh without gates chaotic (Sompolinsky and others 1988): with 2,
/// roundings grow to 1.2e-4 of the largest value in 128 steps of 8 layers, with 1 to 1.2e-5.
std::string rnn(ZooBuilder& b) { return stack(b, "rnn", {"RNN", 1, {}, 1}, {"hidden"}); }

constexpr int64_t kCellLayers = 10;
constexpr int64_t kCellUnits = 256;
constexpr int64_t kCellSteps = 100;

constexpr std::array<const char*, 4> kGates = {"i", "g", "f", "o"};

/// Weights of a product, which all steps of a layer share: those of one gate, or of all side by
/// side.
struct CellWeights {
  int64_t columns = 0;
  std::string of_input, of_hidden, bias;
};

struct CellLayer {
  std::vector<CellWeights> products;
  std::string hidden, memory;  ///< the state after the last step so far, N x units
};

CellWeights cell_weights(ZooBuilder& b, const std::string& name, int64_t columns) {
  const Shape shape = {kCellUnits, columns};
  return {columns, b.normal_weight(name + "_w", shape, kCellUnits, 1),
          b.normal_weight(name + "_r", shape, kCellUnits, 1),
          b.uniform_weight(name + "_b", {columns}, -0.05F, 0.05F)};
}

/// x W + hidden R + bias
std::string gate_sum(ZooBuilder& b, const std::string& name, const CellWeights& weights,
                     const std::string& x, const std::string& hidden) {
  const Shape shape = {b.batch_size(), weights.columns};
  b.count_multiply_adds(2 * element_count(shape) * kCellUnits);
  const std::string y = b.node("MatMul", name + "_input", {x, weights.of_input}, {}, shape);
  const std::string z = b.node("MatMul", name + "_hidden", {hidden, weights.of_hidden}, {}, shape);
  return binary(b, "Add", name + "_biased", binary(b, "Add", name + "_sum", y, z), weights.bias);
}

/// One step of a layer (Hochreiter and Schmidhuber 1997, with the forget gate of Gers and others
/// 2000).
void cell(ZooBuilder& b, const std::string& name, const std::string& x, CellLayer& layer) {
  const bool is_joined = layer.products.size() == 1;
  std::string joined;
  if (is_joined) joined = gate_sum(b, name, layer.products[0], x, layer.hidden);
  const auto gate = [&](size_t index, const std::string& activation) {
    const std::string gate_name = name + "_" + kGates[index];
    const int64_t begin = static_cast<int64_t>(index) * kCellUnits;
    const std::string sum =
        is_joined ? slice(b, gate_name + "_part", joined, 1, begin, begin + kCellUnits)
                  : gate_sum(b, gate_name, layer.products[index], x, layer.hidden);
    return unary(b, activation, gate_name, sum);
  };
  const std::string input = gate(0, "Sigmoid");
  const std::string added = binary(b, "Mul", name + "_added", input, gate(1, "Tanh"));
  const std::string kept = binary(b, "Mul", name + "_kept", gate(2, "Sigmoid"), layer.memory);
  const std::string output = gate(3, "Sigmoid");
  layer.memory = binary(b, "Add", name + "_memory", kept, added);
  layer.hidden =
      binary(b, "Mul", name + "_state", output, unary(b, "Tanh", name + "_tanh", layer.memory));
}

/// Every cell of every step a few nodes of its own, as Rammer has them (Ma and others, OSDI 2020):
/// cells of one diagonal do not wait for each other.
std::string unrolled_cells(ZooBuilder& b, bool is_joined) {
  const Dimension batch{b.batch_size(), ""};
  const Dimension units{kCellUnits, ""};
  b.named_input("data", DataType::kFloat32, {{kCellSteps, ""}, batch, units});
  for (const char* state : {"hidden", "cell"}) {
    b.named_input(state, DataType::kFloat32, {{kCellLayers, ""}, batch, units});
  }
  std::vector<CellLayer> layers;
  for (int64_t i = 0; i < kCellLayers; ++i) {
    const std::string name = "layer" + std::to_string(i);
    CellLayer layer;
    if (is_joined) {
      layer.products = {cell_weights(b, name, std::ssize(kGates) * kCellUnits)};
    } else {
      for (const char* gate : kGates) {
        layer.products.push_back(cell_weights(b, name + "_" + gate, kCellUnits));
      }
    }
    layer.hidden = part(b, name + "_hidden", "hidden", 0, i);
    layer.memory = part(b, name + "_cell", "cell", 0, i);
    layers.push_back(std::move(layer));
  }
  for (int64_t step = 0; step < kCellSteps; ++step) {
    const std::string name = "step" + std::to_string(step);
    std::string x = part(b, name + "_data", "data", 0, step);
    for (size_t i = 0; i < layers.size(); ++i) {
      cell(b, name + "_" + std::to_string(i), x, layers[i]);
      x = layers[i].hidden;
    }
  }
  return layers.back().hidden;
}

std::string lstm_cells(ZooBuilder& b) { return unrolled_cells(b, false); }

std::string lstm_cells_joined(ZooBuilder& b) { return unrolled_cells(b, true); }

}  // namespace

std::vector<ZooModel> recurrent_models() {
  const std::vector<Dimension> dimensions = {sequence(kZooRecurrentSteps)};
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
      {{"lstm-cells", "transformers", "10 LSTM layers, 256 wide, 100 steps, cell by cell"},
       lstm_cells},
      {{"lstm-cells-joined", "transformers", "the same with one product for the four gates"},
       lstm_cells_joined},
  };
}

}  // namespace opbench

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "model/operators/element_type.h"
#include "model/operators/float32_run.h"
#include "model/operators/matrix_product.h"

namespace opbench {
namespace {

constexpr int64_t kGates = 4;  ///< input, output, forget, cell, in this order

enum Input : size_t { kData, kWeight, kRecurrence, kBias, kLengths, kHidden, kCell, kPeepholes };

/// Extents: X[steps, batch, in], W[directions, 4 units, in], R[directions, 4 units, units].
struct Extents {
  int64_t steps = 0;
  int64_t batch = 0;
  int64_t in = 0;
  int64_t units = 0;
  int64_t directions = 0;
  bool is_reversed = false;  ///< of the only direction
};

Extents extents_of(const OperatorCall& call) {
  const Shape& x = shape_of(call, kData);
  return {x[0],
          x[1],
          x[2],
          shape_of(call, kRecurrence)[2],
          shape_of(call, kRecurrence)[0],
          string_attribute(*call.node, "direction", "forward") == "reverse"};
}

Result<void> check_input(const OperatorCall& call, Input input, const char* what,
                         const Shape& shape) {
  if (!has_input(call, input) || shape_of(call, input) == shape) return {};
  return misfit(call, fmt::format("{} {} is not {}", what, shape_text(shape_of(call, input)),
                                  shape_text(shape)));
}

Result<void> check_forms(const OperatorCall& call) {
  OPBENCH_CHECK(
      choice_attribute(call, "direction", "forward", {"forward", "reverse", "bidirectional"}));
  for (const char* name : {"activations", "activation_alpha", "activation_beta", "clip"}) {
    if (call.node->attributes.contains(name)) {
      return misfit(call, fmt::format("attribute {} is not supported", name));
    }
  }
  for (const char* name : {"input_forget", "layout"}) {
    if (int_attribute(*call.node, name, 0) != 0) {
      return misfit(call, fmt::format("attribute {} of 1 is not supported", name));
    }
  }
  if (has_input(call, kLengths))
    return misfit(call, "sequences of several lengths are not supported");
  if (has_input(call, kPeepholes)) return misfit(call, "peepholes are not supported");
  return require_outputs(call, 1);
}

/// The states of all steps, Y[steps, directions, batch, units].
Result<std::vector<TensorType>> infer(const OperatorCall& call) {
  OPBENCH_CHECK(require_inputs(call, 3, 8));
  for (const Input input : {kData, kWeight, kRecurrence}) {
    OPBENCH_CHECK(require_rank(call, input, 3, 3));
  }
  OPBENCH_CHECK(check_forms(call));
  const Extents e = extents_of(call);
  const bool is_both = string_attribute(*call.node, "direction", "forward") == "bidirectional";
  if (e.directions != (is_both ? 2 : 1)) {
    return misfit(call, fmt::format("recurrence weights {} are of {} directions",
                                    shape_text(shape_of(call, kRecurrence)), e.directions));
  }
  const int64_t rows = kGates * e.units;
  OPBENCH_CHECK(check_input(call, kWeight, "weights", {e.directions, rows, e.in}));
  OPBENCH_CHECK(
      check_input(call, kRecurrence, "recurrence weights", {e.directions, rows, e.units}));
  OPBENCH_CHECK(check_input(call, kBias, "bias", {e.directions, 2 * rows}));
  const Shape state{e.directions, e.batch, e.units};
  OPBENCH_CHECK(check_input(call, kHidden, "initial state", state));
  OPBENCH_CHECK(check_input(call, kCell, "initial cell", state));
  if (int_attribute(*call.node, "hidden_size", e.units) != e.units) {
    return misfit(call, fmt::format("hidden_size {} is not {}",
                                    int_attribute(*call.node, "hidden_size", 0), e.units));
  }
  return std::vector<TensorType>{
      {call.inputs[kData]->data_type, {e.steps, e.directions, e.batch, e.units}}};
}

/// Two products a step and direction, 2 for every multiply-add; and 9 for each state: four
/// activations and the hyperbolic tangent of the cell, three products and a sum.
double flops(const OperatorCall& call, const std::vector<TensorType>& outputs) {
  const Extents e = extents_of(call);
  const auto states = static_cast<double>(outputs[0].size());
  return states * (2.0 * kGates * static_cast<double>(e.in + e.units) + 9);
}

/// Sum of products of two rows: in float over 64 of them, in double beyond.
float dot(const float* a, const float* b, int64_t count) {
  constexpr int64_t kDepth = 64;
  constexpr int64_t kLanes = 16;
  double sum = 0;
  int64_t i = 0;
  for (; i + kDepth <= count; i += kDepth) {
    std::array<float, kLanes> lanes{};
    for (int64_t k = 0; k < kDepth; k += kLanes) {
      for (int64_t j = 0; j < kLanes; ++j) {
        lanes[static_cast<size_t>(j)] += a[i + k + j] * b[i + k + j];
      }
    }
    for (const float lane : lanes) sum += static_cast<double>(lane);
  }
  for (; i < count; ++i) sum += static_cast<double>(a[i]) * static_cast<double>(b[i]);
  return static_cast<float>(sum);
}

double sigmoid(double x) { return 1 / (1 + std::exp(-x)); }

/// One direction: what stays the same over its steps.
struct Direction {
  Extents extents;
  std::vector<float> gates;  ///< [steps, batch, 4 units]: W x + both biases
  const float* recurrence;   ///< [4 units, units]
  std::vector<float> hidden;
  std::vector<float> cell;  ///< [batch, units], of the step before
};

/// c = f c + i g, h = o tanh(c), with i, o, f logistic and g tanh of the gates' sums.
void step(Direction& d, int64_t t) {
  const int64_t units = d.extents.units;
  std::vector<float> hidden(d.hidden.size());
  for (int64_t n = 0; n < d.extents.batch; ++n) {
    const float* before = d.hidden.data() + n * units;
    const float* gates = d.gates.data() + (t * d.extents.batch + n) * kGates * units;
    for (int64_t u = 0; u < units; ++u) {
      std::array<double, kGates> sums{};
      for (int64_t g = 0; g < kGates; ++g) {
        const int64_t row = g * units + u;
        sums[static_cast<size_t>(g)] =
            static_cast<double>(gates[row] + dot(d.recurrence + row * units, before, units));
      }
      float& cell = d.cell[static_cast<size_t>(n * units + u)];
      const double kept = sigmoid(sums[2]) * static_cast<double>(cell);
      const double next = kept + sigmoid(sums[0]) * std::tanh(sums[3]);
      cell = static_cast<float>(next);
      hidden[static_cast<size_t>(n * units + u)] =
          static_cast<float>(sigmoid(sums[1]) * std::tanh(next));
    }
  }
  d.hidden = std::move(hidden);
}

std::vector<float> initial_state(const OperatorCall& call, std::span<const TensorView> inputs,
                                 Input input, int64_t direction, size_t count) {
  std::vector<float> state(count);
  if (!has_input(call, input)) return state;
  std::ranges::copy(
      inputs[input].as<float>().subspan(static_cast<size_t>(direction) * count, count),
      state.begin());
  return state;
}

Direction direction_of(const OperatorCall& call, std::span<const TensorView> inputs,
                       int64_t direction) {
  const Extents e = extents_of(call);
  const int64_t rows = kGates * e.units;
  const auto states = static_cast<size_t>(e.batch * e.units);
  Direction d{e, std::vector<float>(static_cast<size_t>(e.steps * e.batch * rows)),
              inputs[kRecurrence].as<float>().data() + direction * rows * e.units,
              initial_state(call, inputs, kHidden, direction, states),
              initial_state(call, inputs, kCell, direction, states)};
  matrix_product({inputs[kData].as<float>().data(), e.in, 1},
                 {inputs[kWeight].as<float>().data() + direction * rows * e.in, 1, e.in},
                 d.gates.data(), rows, e.steps * e.batch, rows, e.in);
  if (!has_input(call, kBias)) return d;
  const float* bias = inputs[kBias].as<float>().data() + direction * 2 * rows;
  for (size_t i = 0; i < d.gates.size(); ++i) {
    const auto row = static_cast<int64_t>(i) % rows;
    d.gates[i] += bias[row] + bias[rows + row];
  }
  return d;
}

Result<void> run(const OperatorCall& call, std::span<const TensorView> inputs,
                 std::span<const TensorView> outputs) {
  OPBENCH_CHECK(require_float32(call, inputs));
  const Extents e = extents_of(call);
  float* y = outputs[0].as<float>().data();
  for (int64_t direction = 0; direction < e.directions; ++direction) {
    Direction d = direction_of(call, inputs, direction);
    const bool is_backward = e.is_reversed || direction == 1;
    for (int64_t i = 0; i < e.steps; ++i) {
      const int64_t t = is_backward ? e.steps - 1 - i : i;
      step(d, t);
      std::ranges::copy(d.hidden, y + (t * e.directions + direction) * e.batch * e.units);
    }
  }
  return {};
}

}  // namespace

OperatorDef lstm_operator() {
  return {
      .name = "lstm",
      .summary = "Long short-term memory over a sequence, forward, backward or both",
      .onnx_types = {"LSTM"},
      .infer = infer,
      .flops = flops,
      .run = run_in_float32<run>,
      .attributes = {{"direction", std::string("forward")}, {"hidden_size", int64_t{0}}},
  };
}

}  // namespace opbench

#include <array>

#include "model/operators/float32_run.h"
#include "model/operators/recurrent.h"

namespace opbench {
namespace {

constexpr int64_t kGates = 4;  ///< input, output, forget, cell, in this order

const RecurrentForm& form() {
  static const RecurrentForm kForm{kGates, 8, 2, {"Sigmoid", "Tanh", "Tanh"}};
  return kForm;
}

/// The states of all steps, Y[steps, directions, batch, units], and the last state and cell.
Result<std::vector<TensorType>> infer(const OperatorCall& call) {
  return infer_recurrent(call, form());
}

/// Two products a step and direction, 2 for every multiply-add; and 9 for each state: four
/// activations and the hyperbolic tangent of the cell, three products and a sum.
double flops(const OperatorCall& call, const std::vector<TensorType>&) {
  return recurrent_flops(call, form(), 9);
}

/// What a gate sees of the cell: of the order input, output, forget.
double peep(const RecurrentDirection& d, int64_t gate, int64_t unit, double cell) {
  if (d.peepholes == nullptr) return 0;
  return static_cast<double>(d.peepholes[gate * d.extents.units + unit]) * cell;
}

/// i = f(…), o = f(…), forget = f(…) or 1 - i where they are coupled, C = forget C + i g(…),
/// H = o h(C): the equations of ONNX LSTM.
void step(const RecurrentDirection& d, const float* from_input, RecurrentState& state,
          bool is_coupled) {
  const int64_t units = d.extents.units;
  const auto& [f, g, h] = std::array{d.activations[0], d.activations[1], d.activations[2]};
  std::vector<float> hidden(state.hidden.size());
  for (int64_t u = 0; u < units; ++u) {
    std::array<double, kGates> sums{};
    for (int64_t gate = 0; gate < kGates; ++gate) {
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

Result<void> run(const OperatorCall& call, std::span<const TensorView> inputs,
                 std::span<const TensorView> outputs) {
  const bool is_coupled = int_attribute(*call.node, "input_forget", 0) != 0;
  return run_recurrent(call, form(), inputs, outputs,
                       [&](const RecurrentDirection& d, const float* from_input,
                           RecurrentState& state) { step(d, from_input, state, is_coupled); });
}

Attributes normal_form(const OperatorCall& call) {
  Attributes result = normal_recurrent(call, form());
  if (int_attribute(*call.node, "input_forget", 0) != 0) result["input_forget"] = int64_t{1};
  return result;
}

}  // namespace

OperatorDef lstm_operator() {
  std::vector<AttributeDef> attributes = recurrent_attributes();
  attributes.push_back({"input_forget", int64_t{0}});
  return {
      .name = "lstm",
      .summary = "Long short-term memory over a sequence, forward, backward or both",
      .onnx_types = {"LSTM"},
      .infer = infer,
      .flops = flops,
      .run = run_in_float32<run>,
      .normal_form = normal_form,
      .attributes = attributes,
      .domains = {{"LSTM", kLengths, {0, 1}}},
  };
}

}  // namespace opbench

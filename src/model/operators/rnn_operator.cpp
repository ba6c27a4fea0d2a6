#include <vector>

#include "model/operators/float32_run.h"
#include "model/operators/recurrent.h"

namespace opbench {
namespace {

const RecurrentForm& form() {
  static const RecurrentForm kForm{1, 6, 1, {"Tanh"}};
  return kForm;
}

/// The states of all steps, Y[steps, directions, batch, units], and the last one.
Result<std::vector<TensorType>> infer(const OperatorCall& call) {
  return infer_recurrent(call, form());
}

/// And the activation of each state.
double flops(const OperatorCall& call, const std::vector<TensorType>&) {
  return recurrent_flops(call, form(), 1);
}

/// H = f(W x + R H + both biases): the equation of ONNX RNN.
void step(const RecurrentDirection& d, const float* from_input, RecurrentState& state) {
  std::vector<float> hidden;
  for (int64_t u = 0; u < d.extents.units; ++u) {
    hidden.push_back(static_cast<float>(d.activations[0](d.sum(u, from_input, state.hidden))));
  }
  state.hidden = std::move(hidden);
}

Result<void> run(const OperatorCall& call, std::span<const TensorView> inputs,
                 std::span<const TensorView> outputs) {
  return run_recurrent(call, form(), inputs, outputs, step);
}

Attributes normal_form(const OperatorCall& call) { return normal_recurrent(call, form()); }

}  // namespace

OperatorDef rnn_operator() {
  return {
      .name = "rnn",
      .summary = "A plain recurrent layer over a sequence, forward, backward or both",
      .onnx_types = {"RNN"},
      .infer = infer,
      .flops = flops,
      .run = run_in_float32<run>,
      .normal_form = normal_form,
      .attributes = recurrent_attributes(),
      .domains = {{"RNN", kLengths, {0, 1}}},
  };
}

}  // namespace opbench

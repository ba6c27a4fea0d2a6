#include <vector>

#include "model/operators/float32_run.h"
#include "model/operators/recurrent.h"

namespace opbench {
namespace {

constexpr int64_t kGates = 3;  ///< update, reset, hidden, in this order

const RecurrentForm& form() {
  static const RecurrentForm kForm{kGates, 6, 1, {"Sigmoid", "Tanh"}};
  return kForm;
}

/// The states of all steps, Y[steps, directions, batch, units], and the last one.
Result<std::vector<TensorType>> infer(const OperatorCall& call) {
  return infer_recurrent(call, form());
}

/// And 8 for each state: three activations, three products, a sum and a difference.
double flops(const OperatorCall& call, const std::vector<TensorType>&) {
  return recurrent_flops(call, form(), 8);
}

/// z = f(…), r = f(…), h = g(… + (r H) R + bias), H = (1 - z) h + z H: the equations of ONNX GRU.
/// With linear_before_reset, r scales H R + bias instead of H.
void step(const RecurrentDirection& d, const float* from_input, RecurrentState& state,
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

Result<void> run(const OperatorCall& call, std::span<const TensorView> inputs,
                 std::span<const TensorView> outputs) {
  const bool is_linear_first = int_attribute(*call.node, "linear_before_reset", 0) != 0;
  return run_recurrent(call, form(), inputs, outputs,
                       [&](const RecurrentDirection& d, const float* from_input,
                           RecurrentState& state) { step(d, from_input, state, is_linear_first); });
}

Attributes normal_form(const OperatorCall& call) {
  Attributes result = normal_recurrent(call, form());
  if (int_attribute(*call.node, "linear_before_reset", 0) != 0) {
    result["linear_before_reset"] = int64_t{1};
  }
  return result;
}

}  // namespace

OperatorDef gru_operator() {
  std::vector<AttributeDef> attributes = recurrent_attributes();
  attributes.push_back({"linear_before_reset", int64_t{0}});
  return {
      .name = "gru",
      .summary = "Gated recurrent units over a sequence, forward, backward or both",
      .onnx_types = {"GRU"},
      .infer = infer,
      .flops = flops,
      .run = run_in_float32<run>,
      .normal_form = normal_form,
      .attributes = attributes,
      .domains = {{"GRU", kLengths, {0, 1}}},
  };
}

}  // namespace opbench

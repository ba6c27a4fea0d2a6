#include "model/operators/elements/float32_run.h"
#include "model/operators/recurrent/recurrent_cells.h"

namespace opbench {
namespace {

/// The states of all steps, Y[steps, directions, batch, units], and the last state and cell.
Result<std::vector<TensorType>> infer_lstm(const OperatorCall& call) {
  return infer_recurrent(call, lstm_form());
}

/// Two products a step and direction, 2 for every multiply-add; and 9 for each state: four
/// activations and the hyperbolic tangent of the cell, three products and a sum.
double lstm_flops(const OperatorCall& call, const std::vector<TensorType>&) {
  return recurrent_flops(call, lstm_form(), kLstmOthers);
}

Result<void> run_lstm(const OperatorCall& call, std::span<const TensorView> inputs,
                      std::span<const TensorView> outputs) {
  const bool is_coupled = int_attribute(*call.node, "input_forget", 0) != 0;
  return run_recurrent(call, lstm_form(), inputs, outputs, lstm_step(is_coupled));
}

Attributes lstm_normal_form(const OperatorCall& call) {
  Attributes result = normal_recurrent(call, lstm_form());
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
      .infer = infer_lstm,
      .flops = lstm_flops,
      .run = run_in_float32<run_lstm>,
      .normal_form = lstm_normal_form,
      .attributes = attributes,
      .domains = {{"LSTM", kLengths, {0, 1}}},
  };
}

}  // namespace opbench

#include <vector>

#include "model/operators/elements/float32_run.h"
#include "model/operators/recurrent/recurrent_cells.h"

namespace opbench {
namespace {

/// The states of all steps, Y[steps, directions, batch, units], and the last one.
Result<std::vector<TensorType>> infer_rnn(const OperatorCall& call) {
  return infer_recurrent(call, rnn_form());
}

/// And the activation of each state.
double rnn_flops(const OperatorCall& call, const std::vector<TensorType>&) {
  return recurrent_flops(call, rnn_form(), kRnnOthers);
}

Result<void> run_rnn(const OperatorCall& call, std::span<const TensorView> inputs,
                     std::span<const TensorView> outputs) {
  return run_recurrent(call, rnn_form(), inputs, outputs, rnn_step());
}

Attributes rnn_normal_form(const OperatorCall& call) { return normal_recurrent(call, rnn_form()); }

}  // namespace

OperatorDef rnn_operator() {
  return {
      .name = "rnn",
      .summary = "A plain recurrent layer over a sequence, forward, backward or both",
      .onnx_types = {"RNN"},
      .infer = infer_rnn,
      .flops = rnn_flops,
      .run = run_in_float32<run_rnn>,
      .normal_form = rnn_normal_form,
      .attributes = recurrent_attributes(),
      .domains = {{"RNN", kLengths, {0, 1}}},
  };
}

}  // namespace opbench

#include <vector>

#include "model/operators/elements/float32_run.h"
#include "model/operators/recurrent/recurrent_cells.h"

namespace opbench {
namespace {

/// The states of all steps, Y[steps, directions, batch, units], and the last one.
Result<std::vector<TensorType>> infer_gru(const OperatorCall& call) {
  return infer_recurrent(call, gru_form());
}

/// And 8 for each state: three activations, three products, a sum and a difference.
double gru_flops(const OperatorCall& call, const std::vector<TensorType>&) {
  return recurrent_flops(call, gru_form(), kGruOthers);
}

Result<void> run_gru(const OperatorCall& call, std::span<const TensorView> inputs,
                     std::span<const TensorView> outputs) {
  const bool is_linear_first = int_attribute(*call.node, "linear_before_reset", 0) != 0;
  return run_recurrent(call, gru_form(), inputs, outputs, gru_step(is_linear_first));
}

Attributes gru_normal_form(const OperatorCall& call) {
  Attributes result = normal_recurrent(call, gru_form());
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
      .infer = infer_gru,
      .flops = gru_flops,
      .run = run_in_float32<run_gru>,
      .normal_form = gru_normal_form,
      .attributes = attributes,
      .domains = {{"GRU", kLengths, {0, 1}}},
  };
}

}  // namespace opbench

#include <fmt/format.h>

#include <algorithm>

#include "model/operators/elements/element_type.h"
#include "model/operators/elements/float32_run.h"
#include "model/operators/recurrent/recurrent_cells.h"
#include "model/operators/recurrent/recurrent_steps.h"

namespace opbench {
namespace {

struct Cell {
  RecurrentForm form;
  RecurrentStep step;
  double others = 0;  ///< operations of a state beside its product
};

Cell cell_of(const Node& node) {
  if (node.type == "LstmSteps") return {lstm_form(), lstm_step(false), kLstmOthers};
  if (node.type == "RnnSteps") return {rnn_form(), rnn_step(), kRnnOthers};
  return {gru_form(), gru_step(is_linear_before_reset(node)), kGruOthers};
}

RecurrentStepsExtents extents_of_recurrent_steps(const OperatorCall& call) {
  return recurrent_steps_extents(shape_of(call, kSums), shape_of(call, kRecurrentWeight));
}

bool has_cell(const OperatorCall& call) { return call.node->type == "LstmSteps"; }

size_t recurrent_steps_operands_of(const OperatorCall& call) {
  return has_cell(call) || is_linear_before_reset(*call.node) ? 4 : 3;
}

Result<void> check_shape(const OperatorCall& call, size_t index, const Shape& shape) {
  if (shape_of(call, index) == shape) return {};
  return misfit(call, fmt::format("operand {} is {}, not {}", index,
                                  shape_text(shape_of(call, index)), shape_text(shape)));
}

/// Y[steps, 1, batch, units], and of LSTM the last cell[1, batch, units].
Result<std::vector<TensorType>> infer_recurrent_steps(const OperatorCall& call) {
  OPBENCH_CHECK(
      require_inputs(call, recurrent_steps_operands_of(call), recurrent_steps_operands_of(call)));
  OPBENCH_CHECK(require_rank(call, kSums, 3, 3));
  OPBENCH_CHECK(require_rank(call, kRecurrentWeight, 2, 2));
  OPBENCH_CHECK(choice_attribute(call, "direction", "forward", {"forward", "reverse"}));
  const auto [steps, batch, gates, units] = extents_of_recurrent_steps(call);
  const RecurrentForm form = cell_of(*call.node).form;
  OPBENCH_CHECK(activations_of(call, form.activations, 1));
  OPBENCH_CHECK(check_shape(call, kRecurrentWeight, {form.gates * units, units}));
  OPBENCH_CHECK(check_shape(call, kSums, {steps, batch, form.gates * units}));
  OPBENCH_CHECK(check_shape(call, kInitialHidden, {1, batch, units}));
  const Shape last = has_cell(call) ? Shape{1, batch, units} : Shape{units};
  if (recurrent_steps_operands_of(call) > kCellOrBias)
    OPBENCH_CHECK(check_shape(call, kCellOrBias, last));
  OPBENCH_CHECK(require_outputs(call, has_cell(call) ? 2 : 1));
  const DataType type = call.inputs[kSums]->data_type;
  std::vector<TensorType> types = {{type, {steps, 1, batch, units}}};
  if (call.node->outputs.size() > 1) types.push_back({type, {1, batch, units}});
  return types;
}

/// The product of a state with the recurrent weights, 2 for every multiply-add, and what an
/// element-wise step needs.
double recurrent_steps_flops(const OperatorCall& call, const std::vector<TensorType>&) {
  const auto [steps, batch, gates, units] = extents_of_recurrent_steps(call);
  const double each = 2 * static_cast<double>(gates * units) + cell_of(*call.node).others;
  return static_cast<double>(steps * batch * units) * each;
}

std::vector<float> bias_of(const OperatorCall& call, std::span<const TensorView> inputs) {
  const auto [steps, batch, gates, units] = extents_of_recurrent_steps(call);
  std::vector<float> bias(static_cast<size_t>(gates * units));
  if (is_linear_before_reset(*call.node)) {
    std::ranges::copy(inputs[kCellOrBias].as<float>(), bias.end() - units);
  }
  return bias;
}

std::vector<float> recurrent_steps_row_of(const TensorView& state, int64_t row, int64_t units) {
  const auto from = state.as<float>().begin() + row * units;
  return {from, from + units};
}

Result<void> run_recurrent_steps(const OperatorCall& call, std::span<const TensorView> inputs,
                                 std::span<const TensorView> outputs) {
  OPBENCH_CHECK(require_float32(call, inputs));
  const auto [steps, batch, gates, units] = extents_of_recurrent_steps(call);
  const Cell cell = cell_of(*call.node);
  const std::vector<float> bias = bias_of(call, inputs);
  RecurrentDirection direction;
  direction.extents = {.steps = steps, .batch = batch, .units = units, .directions = 1};
  direction.recurrence = inputs[kRecurrentWeight].as<float>().data();
  direction.bias = bias.data();
  OPBENCH_TRY(direction.activations, activations_of(call, cell.form.activations, 1));
  for (int64_t n = 0; n < batch; ++n) {
    RecurrentState state{recurrent_steps_row_of(inputs[kInitialHidden], n, units), {}};
    if (has_cell(call)) state.cell = recurrent_steps_row_of(inputs[kCellOrBias], n, units);
    for (int64_t i = 0; i < steps; ++i) {
      const int64_t row = (goes_backward(*call.node) ? steps - 1 - i : i) * batch + n;
      cell.step(direction, inputs[kSums].as<float>().data() + row * gates * units, state);
      std::ranges::copy(state.hidden, outputs[0].as<float>().begin() + row * units);
    }
    const bool gives_cell = outputs.size() > 1 && outputs[1].data != nullptr;
    if (gives_cell) std::ranges::copy(state.cell, outputs[1].as<float>().begin() + n * units);
  }
  return {};
}

Attributes recurrent_steps_normal_form(const OperatorCall& call) {
  Attributes result;
  if (goes_backward(*call.node)) result["direction"] = std::string("reverse");
  if (is_linear_before_reset(*call.node)) result["linear_before_reset"] = int64_t{1};
  const std::vector<std::string> names = step_activations(*call.node);
  if (names != cell_of(*call.node).form.activations) result["activations"] = names;
  return result;
}

}  // namespace

RecurrentStepsExtents recurrent_steps_extents(const Shape& sums, const Shape& weights) {
  const int64_t units = weights[1];
  return {sums[0], sums[1], units == 0 ? 0 : weights[0] / units, units};
}

std::vector<std::string> step_activations(const Node& node) {
  const auto it = node.attributes.find("activations");
  const auto* names =
      it == node.attributes.end() ? nullptr : std::get_if<std::vector<std::string>>(&it->second);
  return names != nullptr ? *names : cell_of(node).form.activations;
}

bool goes_backward(const Node& node) {
  return string_attribute(node, "direction", "forward") == "reverse";
}

bool is_linear_before_reset(const Node& node) {
  return node.type == "GruSteps" && int_attribute(node, "linear_before_reset", 0) != 0;
}

OperatorDef recurrent_steps_operator() {
  return {
      .name = "recurrent_steps",
      .summary = "The steps of a recurrent layer whose input product is known, in one direction",
      .onnx_types = {"LstmSteps", "GruSteps", "RnnSteps"},
      .infer = infer_recurrent_steps,
      .flops = recurrent_steps_flops,
      .run = run_in_float32<run_recurrent_steps>,
      .normal_form = recurrent_steps_normal_form,
      .attributes = {{"activations", std::vector<std::string>{}},
                     {"direction", std::string("forward")},
                     {"linear_before_reset", int64_t{0}}},
  };
}

}  // namespace opbench

#include "model/operators/recurrent/recurrent.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>

#include "model/operators/elements/element_type.h"
#include "model/operators/products/matrix_product.h"

namespace opbench {
namespace {

Result<void> check_input(const OperatorCall& call, RecurrentInput input, const char* what,
                         const Shape& shape) {
  if (!has_input(call, input)) return {};
  if (shape_of(call, input) != shape) {
    return misfit(call, fmt::format("{} {} is not {}", what, shape_text(shape_of(call, input)),
                                    shape_text(shape)));
  }
  const DataType type = call.inputs[input]->data_type;
  const DataType wanted = input == kLengths ? DataType::kInt32 : call.inputs[kData]->data_type;
  if (type == wanted) return {};
  return misfit(call, fmt::format("{} are {}, not {}", what, name_of(type), name_of(wanted)));
}

Result<void> check_recurrent_attributes(const OperatorCall& call, const RecurrentForm& form) {
  OPBENCH_CHECK(
      choice_attribute(call, "direction", "forward", {"forward", "reverse", "bidirectional"}));
  const int64_t layout = int_attribute(*call.node, "layout", 0);
  if (layout != 0 && layout != 1) {
    return misfit(call, fmt::format("layout {} is not 0 or 1", layout));
  }
  const RecurrentExtents e = recurrent_extents(call);
  const bool is_both = string_attribute(*call.node, "direction", "forward") == "bidirectional";
  if (e.directions != (is_both ? 2 : 1)) {
    return misfit(call, fmt::format("recurrence weights {} are of {} directions",
                                    shape_text(shape_of(call, kRecurrence)), e.directions));
  }
  OPBENCH_CHECK(activations_of(call, form.activations, e.directions));
  return require_outputs(call, 1 + form.states);
}

Shape state_shape(const RecurrentExtents& e) {
  if (e.is_batch_first) return {e.batch, e.directions, e.units};
  return {e.directions, e.batch, e.units};
}

Result<void> check_recurrent_operands(const OperatorCall& call, const RecurrentForm& form) {
  const RecurrentExtents e = recurrent_extents(call);
  const int64_t rows = form.gates * e.units;
  OPBENCH_CHECK(check_input(call, kWeight, "weights", {e.directions, rows, e.in}));
  OPBENCH_CHECK(
      check_input(call, kRecurrence, "recurrence weights", {e.directions, rows, e.units}));
  OPBENCH_CHECK(check_input(call, kBias, "bias", {e.directions, 2 * rows}));
  OPBENCH_CHECK(check_input(call, kLengths, "sequence lengths", {e.batch}));
  OPBENCH_CHECK(check_input(call, kHidden, "initial state", state_shape(e)));
  OPBENCH_CHECK(check_input(call, kCell, "initial cell", state_shape(e)));
  OPBENCH_CHECK(check_input(call, kPeepholes, "peepholes", {e.directions, 3 * e.units}));
  const int64_t wanted = int_attribute(*call.node, "hidden_size", e.units);
  if (wanted != e.units) {
    return misfit(call, fmt::format("hidden_size {} is not {}", wanted, e.units));
  }
  return {};
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

/// The data of an optional operand from `offset` on; null where it is omitted.
const float* recurrent_part_of(std::span<const TensorView> inputs, RecurrentInput input,
                               int64_t offset) {
  const bool is_there = input < inputs.size() && inputs[input].data != nullptr;
  return is_there ? inputs[input].as<float>().data() + offset : nullptr;
}

RecurrentDirection direction_of(const OperatorCall& call, const RecurrentForm& form,
                                std::span<const TensorView> inputs, int64_t direction,
                                const std::vector<Activation>& activations) {
  const RecurrentExtents e = recurrent_extents(call);
  const int64_t rows = form.gates * e.units;
  RecurrentDirection d;
  d.extents = e;
  d.sums.resize(static_cast<size_t>(e.steps * e.batch * rows));
  d.recurrence = recurrent_part_of(inputs, kRecurrence, direction * rows * e.units);
  d.peepholes = recurrent_part_of(inputs, kPeepholes, direction * 3 * e.units);
  const auto first =
      activations.begin() + direction * static_cast<std::ptrdiff_t>(form.activations.size());
  d.activations.assign(first, first + static_cast<std::ptrdiff_t>(form.activations.size()));
  matrix_product({inputs[kData].as<float>().data(), e.in, 1},
                 {recurrent_part_of(inputs, kWeight, direction * rows * e.in), 1, e.in},
                 d.sums.data(), rows, e.steps * e.batch, rows, e.in);
  const float* bias = recurrent_part_of(inputs, kBias, direction * 2 * rows);
  if (bias == nullptr) return d;
  d.bias = bias + rows;
  for (size_t i = 0; i < d.sums.size(); ++i) d.sums[i] += bias[static_cast<int64_t>(i) % rows];
  return d;
}

/// Where one sequence lies in one direction's part of the states and of Y.
struct Place {
  int64_t direction = 0;
  int64_t sequence = 0;
  int64_t state(const RecurrentExtents& e) const {
    const int64_t row =
        e.is_batch_first ? sequence * e.directions + direction : direction * e.batch + sequence;
    return row * e.units;
  }
  /// Of step `t` in data of shape [steps, batch] or [batch, steps].
  int64_t row(const RecurrentExtents& e, int64_t t) const {
    return e.is_batch_first ? sequence * e.steps + t : t * e.batch + sequence;
  }
  int64_t result(const RecurrentExtents& e, int64_t t) const {
    const int64_t at = e.is_batch_first ? (sequence * e.steps + t) * e.directions + direction
                                        : (t * e.directions + direction) * e.batch + sequence;
    return at * e.units;
  }
};

std::vector<float> initial_state(std::span<const TensorView> inputs, RecurrentInput input,
                                 int64_t offset, int64_t units) {
  std::vector<float> state(static_cast<size_t>(units));
  if (const float* from = recurrent_part_of(inputs, input, offset))
    std::copy_n(from, units, state.begin());
  return state;
}

void store_recurrent(std::span<const TensorView> outputs, size_t output, int64_t offset,
                     const std::vector<float>& state) {
  if (output >= outputs.size() || outputs[output].data == nullptr) return;
  std::ranges::copy(state, outputs[output].as<float>().begin() + offset);
}

Result<Integers> recurrent_lengths_of(const OperatorCall& call, std::span<const TensorView> inputs,
                                      const RecurrentExtents& e) {
  Integers lengths(static_cast<size_t>(e.batch), e.steps);
  if (!has_input(call, kLengths)) return lengths;
  std::ranges::copy(inputs[kLengths].as<int32_t>(), lengths.begin());
  for (const int64_t length : lengths) {
    if (length < 0 || length > e.steps) {
      return misfit(call, fmt::format("sequence length {} is outside {} steps", length, e.steps));
    }
  }
  return lengths;
}

}  // namespace

RecurrentExtents recurrent_extents(const OperatorCall& call) {
  const bool is_batch_first = int_attribute(*call.node, "layout", 0) != 0;
  const Shape& x = shape_of(call, kData);
  return {x[is_batch_first ? 1 : 0],
          x[is_batch_first ? 0 : 1],
          x[2],
          shape_of(call, kRecurrence)[2],
          shape_of(call, kRecurrence)[0],
          string_attribute(*call.node, "direction", "forward") == "reverse",
          is_batch_first};
}

Result<std::vector<TensorType>> infer_recurrent(const OperatorCall& call,
                                                const RecurrentForm& form) {
  OPBENCH_CHECK(require_inputs(call, 3, form.inputs));
  for (const RecurrentInput input : {kData, kWeight, kRecurrence}) {
    OPBENCH_CHECK(require_rank(call, input, 3, 3));
  }
  OPBENCH_CHECK(check_recurrent_attributes(call, form));
  OPBENCH_CHECK(check_recurrent_operands(call, form));
  const RecurrentExtents e = recurrent_extents(call);
  const DataType type = call.inputs[kData]->data_type;
  std::vector<TensorType> types{{type, {e.steps, e.directions, e.batch, e.units}}};
  if (e.is_batch_first) types[0].shape = {e.batch, e.steps, e.directions, e.units};
  while (types.size() < call.node->outputs.size()) types.push_back({type, state_shape(e)});
  return types;
}

float RecurrentDirection::product(int64_t row, std::span<const float> state) const {
  return dot(recurrence + row * extents.units, state.data(), extents.units);
}

double RecurrentDirection::sum(int64_t row, const float* from_input,
                               std::span<const float> state) const {
  const double from_bias = bias == nullptr ? 0.0 : static_cast<double>(bias[row]);
  return static_cast<double>(from_input[row]) + from_bias +
         static_cast<double>(product(row, state));
}

Result<void> run_recurrent(const OperatorCall& call, const RecurrentForm& form,
                           std::span<const TensorView> inputs, std::span<const TensorView> outputs,
                           const RecurrentStep& step) {
  for (size_t i = 0; i < inputs.size(); ++i) {
    if (i != kLengths) OPBENCH_CHECK(require_float32(call, inputs.subspan(i, 1)));
  }
  const RecurrentExtents e = recurrent_extents(call);
  OPBENCH_TRY(const Integers lengths, recurrent_lengths_of(call, inputs, e));
  OPBENCH_TRY(const auto activations, activations_of(call, form.activations, e.directions));
  const bool has_y = outputs[0].data != nullptr;
  if (has_y) std::ranges::fill(outputs[0].as<float>(), 0.0F);
  for (int64_t direction = 0; direction < e.directions; ++direction) {
    const RecurrentDirection d = direction_of(call, form, inputs, direction, activations);
    const bool is_backward = e.is_reversed || direction == 1;
    for (int64_t n = 0; n < e.batch; ++n) {
      const Place place{direction, n};
      RecurrentState state{initial_state(inputs, kHidden, place.state(e), e.units),
                           initial_state(inputs, kCell, place.state(e), e.units)};
      const int64_t length = lengths[static_cast<size_t>(n)];
      for (int64_t i = 0; i < length; ++i) {
        const int64_t t = is_backward ? length - 1 - i : i;
        step(d, d.sums.data() + place.row(e, t) * form.gates * e.units, state);
        store_recurrent(outputs, 0, place.result(e, t), state.hidden);
      }
      store_recurrent(outputs, 1, place.state(e), state.hidden);
      store_recurrent(outputs, 2, place.state(e), state.cell);
    }
  }
  return {};
}

double recurrent_flops(const OperatorCall& call, const RecurrentForm& form, double others) {
  const RecurrentExtents e = recurrent_extents(call);
  const auto states = static_cast<double>(e.steps * e.directions * e.batch * e.units);
  const auto gates = static_cast<double>(form.gates);
  return states * (2 * gates * static_cast<double>(e.in + e.units) + others);
}

std::vector<AttributeDef> recurrent_attributes() {
  return {{"activation_alpha", std::vector<float>{}},
          {"activation_beta", std::vector<float>{}},
          {"activations", std::vector<std::string>{}},
          {"clip", 0.0F},
          {"direction", std::string("forward")},
          {"hidden_size", int64_t{0}},
          {"layout", int64_t{0}}};
}

/// Activations and their scaling values go where they are the default.
Attributes normal_recurrent(const OperatorCall& call, const RecurrentForm& form) {
  const Attributes& given = call.node->attributes;
  Attributes result;
  for (const AttributeDef& attribute : recurrent_attributes()) {
    const auto it = given.find(attribute.name);
    if (it != given.end() && it->second != attribute.otherwise) result.insert(*it);
  }
  const int64_t directions = recurrent_extents(call).directions;
  std::vector<std::string> usual;
  for (int64_t i = 0; i < directions; ++i) {
    usual.insert(usual.end(), form.activations.begin(), form.activations.end());
  }
  if (activation_names(call, form.activations, directions) == usual) {
    for (const char* name : {"activations", "activation_alpha", "activation_beta"}) {
      result.erase(name);
    }
  }
  return result;
}

}  // namespace opbench

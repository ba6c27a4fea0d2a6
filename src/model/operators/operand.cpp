#include "model/operators/operand.h"

#include <fmt/format.h>

#include <algorithm>

namespace opbench {

Error misfit(const OperatorCall& call, const std::string& reason) {
  return Error{ErrorCode::kInvalidInput,
               fmt::format("{} \"{}\": {}", call.node->type, call.node->name, reason)};
}

bool has_input(const OperatorCall& call, size_t index) {
  return index < call.inputs.size() && call.inputs[index] != nullptr;
}

const Shape& shape_of(const OperatorCall& call, size_t index) { return call.inputs[index]->shape; }

int64_t rank_of(const OperatorCall& call, size_t index) {
  return static_cast<int64_t>(shape_of(call, index).size());
}

Result<void> require_inputs(const OperatorCall& call, size_t least, size_t most) {
  for (size_t i = 0; i < least; ++i) {
    if (!has_input(call, i)) return misfit(call, fmt::format("operand {} is missing", i));
  }
  if (call.inputs.size() > most) {
    return misfit(call, fmt::format("has {} operands, takes at most {}", call.inputs.size(), most));
  }
  return {};
}

Result<void> require_rank(const OperatorCall& call, size_t index, int64_t least, int64_t most) {
  const int64_t rank = rank_of(call, index);
  if (rank >= least && rank <= most) return {};
  return misfit(call, fmt::format("operand {} of shape {} has rank {}, not {}", index,
                                  shape_text(shape_of(call, index)), rank,
                                  least == most ? fmt::format("{}", least)
                                                : fmt::format("{} to {}", least, most)));
}

Result<void> require_outputs(const OperatorCall& call, size_t most) {
  const auto& outputs = call.node->outputs;
  for (size_t i = most; i < outputs.size(); ++i) {
    if (!outputs[i].empty()) {
      return misfit(call, fmt::format("output {} (\"{}\") is not supported", i, outputs[i]));
    }
  }
  return {};
}

Result<std::string> choice_attribute(const OperatorCall& call, const std::string& name,
                                     const std::string& otherwise,
                                     const std::vector<std::string>& known) {
  const std::string value = string_attribute(*call.node, name, otherwise);
  if (std::ranges::find(known, value) == known.end()) {
    Error error = unknown_name(name, value, known);
    error.message = misfit(call, error.message).message;
    return error;
  }
  return value;
}

Result<int64_t> axis_of(const OperatorCall& call, int64_t axis, int64_t rank) {
  if (axis < -rank || axis >= rank) {
    return misfit(call, fmt::format("axis {} is outside rank {}", axis, rank));
  }
  return axis < 0 ? axis + rank : axis;
}

Result<Integers> known_integers(const OperatorCall& call, size_t index, std::string_view what) {
  const Tensor* tensor = index < call.constants.size() ? call.constants[index] : nullptr;
  if (tensor == nullptr) {
    return misfit(call,
                  fmt::format("its {} (operand {}) must be known before the run", what, index));
  }
  Integers values = integers(*tensor);
  if (static_cast<int64_t>(values.size()) != tensor->type.size()) {
    return misfit(call, fmt::format("its {} must be integers, not {}", what,
                                    name_of(tensor->type.data_type)));
  }
  return values;
}

Result<std::vector<float>> known_floats(const OperatorCall& call, size_t index,
                                        std::string_view what) {
  const Tensor* tensor = index < call.constants.size() ? call.constants[index] : nullptr;
  if (tensor == nullptr) {
    return misfit(call,
                  fmt::format("its {} (operand {}) must be known before the run", what, index));
  }
  if (tensor->type.data_type != DataType::kFloat32) {
    return misfit(
        call, fmt::format("its {} must be float32, not {}", what, name_of(tensor->type.data_type)));
  }
  const auto values = tensor->as<float>();
  return std::vector<float>(values.begin(), values.end());
}

Result<std::optional<Integers>> integers_of(const OperatorCall& call, const std::string& name,
                                            size_t index) {
  if (call.node->attributes.contains(name)) {
    return std::optional(ints_attribute(*call.node, name, {}));
  }
  if (!has_input(call, index)) return std::optional<Integers>();
  OPBENCH_TRY(Integers values, known_integers(call, index, name));
  return std::optional(std::move(values));
}

Result<std::vector<TensorType>> same_as_first(const OperatorCall& call) {
  OPBENCH_CHECK(require_inputs(call, 1, call.inputs.size()));
  OPBENCH_CHECK(require_outputs(call, 1));
  return std::vector<TensorType>{*call.inputs[0]};
}

double one_per_result(const OperatorCall&, const std::vector<TensorType>& outputs) {
  return static_cast<double>(outputs[0].size());
}

double no_flops(const OperatorCall&, const std::vector<TensorType>&) { return 0; }

Tensor integer_tensor(const Integers& values) {
  return Tensor::of<int64_t>(DataType::kInt64, {static_cast<int64_t>(values.size())}, values);
}

Tensor float_scalar(float value) {
  return Tensor::of<float>(DataType::kFloat32, {}, std::span(&value, 1));
}

void set_constant_input(Node& node, size_t index, Tensor value,
                        std::map<std::string, Tensor>& constants) {
  if (node.inputs.size() <= index) node.inputs.resize(index + 1);
  node.inputs[index] = fmt::format("{}/operand{}", node.outputs.at(0), index + 1);
  constants.insert_or_assign(node.inputs[index], std::move(value));
}

void move_to_input(const OperatorCall& call, Node& node, const std::string& name, size_t index,
                   std::map<std::string, Tensor>& constants) {
  if (!call.node->attributes.contains(name)) return;
  set_constant_input(node, index, integer_tensor(ints_attribute(*call.node, name, {})), constants);
  node.attributes.erase(name);
}

}  // namespace opbench

#include "model/operators/modern_form/node_parts.h"

#include <utility>

#include "model/operators/operand.h"

namespace opbench {

std::string NodeParts::operand(size_t index) const {
  return index < node_.inputs.size() ? node_.inputs[index] : std::string();
}

std::string NodeParts::result(size_t index) const {
  return index < node_.outputs.size() ? node_.outputs[index] : std::string();
}

std::string NodeParts::constant(const std::string& part, Tensor tensor) {
  std::string name = fresh_(node_.name + "/" + part);
  constants_.emplace(name, std::move(tensor));
  return name;
}

std::string NodeParts::scalar(const std::string& part, float value) {
  return constant(part, float_scalar(value));
}

std::string NodeParts::add(const std::string& part, const std::string& type,
                           std::vector<std::string> inputs, Attributes attributes,
                           const std::string& result) {
  const std::string name = node_.name + "/" + part;
  nodes_.push_back({name,
                    type,
                    "",
                    std::move(inputs),
                    {result.empty() ? fresh_(name) : result},
                    std::move(attributes)});
  return nodes_.back().outputs.front();
}

std::string NodeParts::reshape(const std::string& part, const std::string& value,
                               const Shape& shape, const std::string& result) {
  return add(part, "Reshape", {value, constant(part + "/shape", integer_tensor(shape))}, {},
             result);
}

std::string NodeParts::transpose(const std::string& part, const std::string& value,
                                 std::vector<int64_t> order, const std::string& result) {
  return add(part, "Transpose", {value}, {{"perm", std::move(order)}}, result);
}

std::string NodeParts::concat(const std::string& part, std::vector<std::string> values,
                              int64_t axis, const std::string& result) {
  return add(part, "Concat", std::move(values), {{"axis", axis}}, result);
}

std::string NodeParts::reduce(const std::string& part, const std::string& type,
                              const std::string& value, int64_t axis) {
  constexpr int64_t kAxesAreOperands = 18;
  if (opset_ < kAxesAreOperands)
    return add(part, type, {value}, {{"axes", std::vector<int64_t>{axis}}});
  return add(part, type, {value, constant(part + "/axes", integer_tensor({axis}))});
}

std::string NodeParts::add_microsoft(const std::string& part, const std::string& type,
                                     std::vector<std::string> inputs, Attributes attributes) {
  std::string value = add(part, type, std::move(inputs), std::move(attributes));
  nodes_.back().domain = "com.microsoft";
  return value;
}

}  // namespace opbench

#include "kernels/schedules/operands/free_axes.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "kernels/schedules/operands/workload_operands.h"

namespace opbench {
namespace {

bool is_axes_of(const Json& numbers, const Shape& shape) {
  if (!numbers.is_array() || numbers.size() != shape.size()) return false;
  return std::ranges::all_of(numbers, [](const Json& number) {
    return number.is_number_integer() && number.get<int64_t>() >= 0 &&
           number.get<int64_t>() <= 1000;
  });
}

/// The inputs, then the output.
std::vector<const TensorType*> tensors_of(const Workload& workload) {
  std::vector<const TensorType*> tensors;
  for (const Value& input : workload.graph.inputs)
    tensors.push_back(&type_of(workload, input.name));
  tensors.push_back(&output_type(workload));
  return tensors;
}

bool is_same_step(const Node& a, const Node& b) {
  return a.type == b.type && a.domain == b.domain && a.inputs == b.inputs &&
         a.outputs == b.outputs && a.attributes == b.attributes;
}

/// True if two workloads differ in extents at most, and have as many inputs of the same ranks.
bool is_same_but_extents(const Workload& a, const Workload& b) {
  if (a.opset != b.opset || a.weights != b.weights || a.graph.constants != b.graph.constants)
    return false;
  if (!std::ranges::equal(a.graph.nodes, b.graph.nodes, is_same_step)) return false;
  return std::ranges::equal(
      tensors_of(a), tensors_of(b), [](const TensorType* left, const TensorType* right) {
        return left->data_type == right->data_type && left->shape.size() == right->shape.size();
      });
}

}  // namespace

bool has_free_axis(const KernelSpec& spec, size_t tensor) {
  return !spec.free.empty() &&
         std::ranges::any_of(spec.free.at(tensor), [](int number) { return number > 0; });
}

bool is_free(const KernelSpec& spec, size_t operand, size_t axis) {
  if (spec.free.empty()) return false;
  const auto index = input_index(spec.workload, 0, operand);
  return index && spec.free.at(*index).at(axis) > 0;
}

bool are_free_axes_read(const KernelSpec& spec) {
  const Workload& workload = spec.workload;
  std::set<int> read = {0};
  for (size_t i = 0; i < workload.graph.inputs.size(); ++i) {
    if (workload.is_weight(workload.graph.inputs[i].name)) continue;
    read.insert(spec.free.at(i).begin(), spec.free.at(i).end());
  }
  return std::ranges::all_of(spec.free, [&](const std::vector<int>& axes) {
    return std::ranges::all_of(axes, [&](int number) { return read.contains(number); });
  });
}

std::optional<FreeAxes> differing_axes(const Workload& least, const Workload& other) {
  if (!is_same_but_extents(least, other)) return std::nullopt;
  const auto tensors = tensors_of(least);
  const auto others = tensors_of(other);
  std::map<std::pair<int64_t, int64_t>, int> numbers;
  FreeAxes free;
  for (size_t i = 0; i < tensors.size(); ++i) {
    std::vector<int>& axes = free.emplace_back();
    for (size_t axis = 0; axis < tensors[i]->shape.size(); ++axis) {
      const std::pair extents(tensors[i]->shape[axis], others[i]->shape[axis]);
      const bool is_constant = extents.first == extents.second;
      const int next = static_cast<int>(numbers.size()) + 1;
      axes.push_back(is_constant ? 0 : numbers.emplace(extents, next).first->second);
    }
  }
  return free;
}

bool fits_free_axes(const KernelSpec& spec, const Workload& workload) {
  if (!is_same_but_extents(spec.workload, workload)) return false;
  const auto tensors = tensors_of(spec.workload);
  const auto others = tensors_of(workload);
  std::map<int, int64_t> extents;
  for (size_t i = 0; i < tensors.size(); ++i) {
    for (size_t axis = 0; axis < tensors[i]->shape.size(); ++axis) {
      const int64_t least = tensors[i]->shape[axis];
      const int64_t extent = others[i]->shape[axis];
      const int number = spec.free.empty() ? 0 : spec.free[i][axis];
      if (number == 0 && extent != least) return false;
      if (number == 0) continue;
      if (extent < least || extents.emplace(number, extent).first->second != extent) return false;
    }
  }
  return true;
}

Result<FreeAxes> parse_free_axes(const Json& spec, const Workload& workload) {
  const auto field = spec.find("free");
  if (field == spec.end()) return FreeAxes{};
  const Graph& graph = workload.graph;
  bool is_right = field->is_array() && field->size() == graph.inputs.size() + 1;
  for (size_t i = 0; is_right && i < field->size(); ++i) {
    const std::string& name =
        i < graph.inputs.size() ? graph.inputs[i].name : graph.outputs.front().name;
    is_right = is_axes_of((*field)[i], graph.types.at(name).shape);
  }
  if (!is_right) {
    return Error{ErrorCode::kInvalidInput,
                 "kernel spec: field \"free\" does not fit the workload: " + field->dump()};
  }
  return field->get<FreeAxes>();
}

}  // namespace opbench

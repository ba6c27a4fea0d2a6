#include "records/record/benchmark_inputs.h"

#include <nlohmann/json.hpp>

#include <string>
#include <utility>

#include "records/json/json_member.h"

namespace opbench {
namespace {

bool is_list_of_shapes(const Json& shape) {
  return shape.is_array() && !shape.empty() && shape.front().is_array();
}

Json input(const Json& name, const Json& shape) { return {{"name", name}, {"shape", shape}}; }

/// One shape or a list of them; each gets the next name.
void add_shapes(const Json& shapes, const Json& names, Json& inputs) {
  if (shapes.is_null()) return;
  for (const Json& shape : is_list_of_shapes(shapes) ? shapes : Json::array({shapes})) {
    const size_t number = inputs.size();
    const bool is_named = number < names.size();
    inputs.push_back(
        input(is_named ? names[number] : Json("input" + std::to_string(number)), shape));
  }
}

}  // namespace

Json inputs_of(const Json& workload_args) {
  Json inputs = Json::array();
  const Json shapes = member(workload_args, "input_shape_dict");
  if (shapes.is_object()) {
    const Json types = member(workload_args, "input_type_dict");
    for (const auto& [name, shape] : shapes.items()) {
      inputs.push_back(input(name, shape));
      if (types.is_object() && types.contains(name)) inputs.back()["dtype"] = types[name];
    }
    return inputs;
  }
  Json names = member(workload_args, "input_name");
  if (names.is_string()) names = Json::array({names});
  if (!names.is_array()) names = Json::array();
  add_shapes(member(workload_args, "input_shape"), names, inputs);
  add_shapes(member(workload_args, "args_shape"), names, inputs);
  const Json layout = member(workload_args, "data_layout");
  if (!inputs.empty() && layout.is_string()) inputs.front()["layout"] = layout;
  return inputs;
}

Json workload_args_of(const Json& inputs) {
  Json shapes = Json::object();
  Json types = Json::object();
  for (const Json& entry : inputs) {
    const Json name = member(entry, "name");
    if (!name.is_string()) continue;
    shapes[name.get<std::string>()] = member(entry, "shape");
    if (entry.contains("dtype")) types[name.get<std::string>()] = entry["dtype"];
  }
  return {{"input_shape_dict", shapes}, {"input_type_dict", types}};
}

}  // namespace opbench

#include "kernels/schedules/schedule.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <utility>

#include "base/json/json.h"
#include "kernels/schedules/operands/free_axes.h"
#include "machine/target/parse_target.h"
#include "machine/target/target_text.h"

namespace opbench {
namespace {

constexpr int kLargestBlock = 4096;

Result<Layout> parse_layout(const Json& json) {
  if (!json.is_number_integer() || json.get<int>() < 0 || json.get<int>() > kLargestBlock)
    return Error{ErrorCode::kInvalidInput, "kernel spec: bad layout " + json.dump()};
  return Layout{json.get<int>()};
}

Result<Json> field(const Json& json, const std::string& name, Json::value_t type) {
  const auto it = json.find(name);
  const bool is_fit =
      it != json.end() &&
      (it->type() == type || (type == Json::value_t::number_integer && it->is_number_integer()));
  if (!is_fit)
    return Error{ErrorCode::kInvalidInput,
                 "kernel spec: field \"" + name + "\" is missing or of a wrong type"};
  return *it;
}

/// Halide counts the elements of a tensor in 32 bits, those that fill up a block among them.
bool has_narrow_indices(const KernelSpec& spec) {
  const Graph& graph = spec.workload.graph;
  constexpr int64_t kMost = std::numeric_limits<int32_t>::max();
  const bool is_dense = std::ranges::all_of(
      graph.types, [](const auto& entry) { return entry.second.size() <= kMost; });
  if (!is_dense) return false;
  for (size_t i = 0; i < spec.layouts.size(); ++i) {
    const std::string& name =
        i < graph.inputs.size() ? graph.inputs[i].name : graph.outputs.front().name;
    const Shape physical = physical_shape(graph.types.at(name).shape, spec.layouts[i]);
    if (element_count(physical) > kMost) return false;
  }
  return true;
}

/// Constants become part of the code, where Halide lets LLVM take infinities and NaN for anything.
bool has_finite_constants(const KernelSpec& spec) {
  return std::ranges::all_of(spec.workload.graph.constants, [](const auto& entry) {
    if (entry.second.type.data_type != DataType::kFloat32) return true;
    return std::ranges::all_of(entry.second.template as<float>(),
                               [](float value) { return std::isfinite(value); });
  });
}

bool takes_schedule_free(const ScheduleDef& def, const KernelSpec& spec) {
  if (spec.free.empty()) return true;
  return def.takes_free != nullptr && def.takes_free(spec);
}

int priority_of(const ScheduleDef& def, bool is_on_cuda) {
  return is_on_cuda ? def.priority_on_cuda.value_or(def.priority) : def.priority;
}

/// Those that a unit may get by default, the best first.
std::vector<const ScheduleDef*> schedules_by_priority(bool is_on_cuda) {
  std::vector<const ScheduleDef*> result;
  for (const ScheduleDef& def : schedule_table().all()) {
    if (priority_of(def, is_on_cuda) >= 0) result.push_back(&def);
  }
  std::ranges::stable_sort(result, std::greater(),
                           [&](const ScheduleDef* def) { return priority_of(*def, is_on_cuda); });
  return result;
}

}  // namespace

std::vector<int> blocks_of(const KernelSpec& spec) {
  std::vector<int> blocks;
  for (const Layout& layout : spec.layouts) blocks.push_back(layout.block);
  return blocks;
}

std::string text_of(const KernelSpec& spec) {
  Json json;
  json["workload"] = text_of(spec.workload);
  json["layouts"] = blocks_of(spec);
  json["target"] = Json::parse(canonical_text(spec.target));
  json["schedule"] = spec.schedule;
  json["config"] = Json::object();
  for (const auto& [knob, value] : spec.config) json["config"][knob] = value;
  if (!spec.free.empty()) json["free"] = spec.free;
  json["schedule_version"] = schedule_version();
  return canonical_text(json);
}

Result<KernelSpec> parse_kernel_spec(const std::string& text) {
  OPBENCH_TRY(const Json json, parse_json(text, "kernel spec"));
  if (!json.is_object())
    return Error{ErrorCode::kInvalidInput, "kernel spec: not a JSON object: " + text};
  using Type = Json::value_t;
  KernelSpec spec;
  OPBENCH_TRY(const Json workload, field(json, "workload", Type::string));
  OPBENCH_TRY(spec.workload, parse_workload(workload.get<std::string>()));
  OPBENCH_TRY(const Json layouts, field(json, "layouts", Type::array));
  for (const Json& item : layouts) {
    OPBENCH_TRY(const Layout layout, parse_layout(item));
    spec.layouts.push_back(layout);
  }
  if (spec.layouts.size() != spec.workload.graph.inputs.size() + 1)
    return Error{ErrorCode::kInvalidInput,
                 "kernel spec: " + std::to_string(spec.layouts.size()) + " layouts for " +
                     std::to_string(spec.workload.graph.inputs.size()) + " inputs and an output"};
  OPBENCH_TRY(const Json target, field(json, "target", Type::object));
  OPBENCH_TRY(spec.target, parse_target(target.dump()));
  OPBENCH_TRY(const Json schedule, field(json, "schedule", Type::string));
  spec.schedule = schedule.get<std::string>();
  OPBENCH_TRY(const Json config, field(json, "config", Type::object));
  for (const auto& [knob, value] : config.items()) {
    if (!value.is_number_integer())
      return Error{ErrorCode::kInvalidInput,
                   "kernel spec: knob \"" + knob + "\" is no integer: " + value.dump()};
    spec.config[knob] = value.get<int64_t>();
  }
  OPBENCH_TRY(spec.free, parse_free_axes(json, spec.workload));
  return spec;
}

std::filesystem::path unfinished_object(const std::filesystem::path& object, int pid) {
  return object.string() + ".part" + std::to_string(pid);
}

bool choose_schedule(KernelSpec& spec, const std::set<std::string>& refused) {
  if (!has_narrow_indices(spec) || !has_finite_constants(spec)) return false;
  static const std::vector<const ScheduleDef*> kByPriority = schedules_by_priority(false);
  static const std::vector<const ScheduleDef*> kOnCuda = schedules_by_priority(true);
  const bool is_on_cuda = device_type(spec.target) == DeviceType::kCuda;
  for (const ScheduleDef* def : is_on_cuda ? kOnCuda : kByPriority) {
    if (!makes_kernels_for(*def, spec.target) || !gives_outputs(*def, spec.workload)) continue;
    std::optional<Config> config = def->default_config(spec);
    if (!config || !takes_schedule_free(*def, spec)) continue;
    KernelSpec chosen = spec;
    chosen.schedule = def->name;
    chosen.config = *std::move(config);
    if (!refused.empty() && refused.contains(text_of(chosen))) continue;
    spec = std::move(chosen);
    return true;
  }
  return false;
}

CallRepeat repeat_of(const KernelSpec& spec) {
  const auto schedule = schedule_table().find(spec.schedule);
  const bool is_repeated = schedule && (*schedule)->repeat != nullptr;
  return is_repeated ? (*schedule)->repeat(spec) : CallRepeat{};
}

int priority_for(const ScheduleDef& schedule, const Target& target) {
  return priority_of(schedule, device_type(target) == DeviceType::kCuda);
}

bool makes_kernels_for(const ScheduleDef& schedule, const Target& target) {
  return std::ranges::count(schedule.device_types, device_type(target)) > 0;
}

bool gives_outputs(const ScheduleDef& schedule, const Workload& workload) {
  return schedule.has_all_outputs || workload.graph.outputs.size() == 1;
}

Result<void> check_spec(const KernelSpec& spec) {
  OPBENCH_TRY(const ScheduleDef* schedule, schedule_table().find(spec.schedule));
  if (schedule->check_config == nullptr) return {};
  return schedule->check_config(spec);
}

Result<Tensor> pack_weight(const KernelSpec& spec, size_t index, const Tensor& weight) {
  OPBENCH_CHECK(check_spec(spec));
  const ScheduleDef& schedule = **schedule_table().find(spec.schedule);
  return schedule.pack == nullptr ? weight : schedule.pack(spec, index, weight);
}

}  // namespace opbench

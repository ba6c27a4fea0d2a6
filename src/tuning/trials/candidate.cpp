#include "tuning/trials/candidate.h"

#include <fmt/format.h>

#include <algorithm>

#include "engines/package/layout_plan.h"
#include "tuning/trials/own_task.h"
#include "tuning/trials/task_workload.h"

namespace opbench {
namespace {

/// conv2d_NCHWc.x86: conv2d_nchwc_x86
std::string schedule_name(std::string name) {
  std::ranges::transform(name, name.begin(),
                         [](char c) { return c >= 'A' && c <= 'Z' ? char(c - 'A' + 'a') : c; });
  std::ranges::replace(name, '.', '_');
  return name;
}

Result<int64_t> integer_of(const KnobValue& knob, const Argument& value) {
  if (value.kind == ArgumentKind::kInt) return value.integer;
  if (value.kind == ArgumentKind::kBool) return int64_t{value.flag};
  return Error{ErrorCode::kInvalidInput, "knob \"" + knob.name + "\" is no number"};
}

/// The number of a word of an annotation.
Result<int64_t> number_of_word(const KnobValue& knob, const Argument& word) {
  for (int64_t number = 0; const char* known : {"none", "unroll", "vec"}) {
    if (word.kind == ArgumentKind::kString && word.text == known) return number;
    ++number;
  }
  return Error{ErrorCode::kInvalidInput, "knob \"" + knob.name + "\" has an unknown word"};
}

/// A split is its last size, and `k_1`, `k_2` those between first and last. A permutation and an
/// annotation are one knob `k_0`, `k_1`, … for every position. Other knobs are their value.
Result<Config> schedule_config(const KnobConfig& config) {
  Config result;
  for (const KnobValue& knob : config.knobs) {
    if (knob.value.kind != ArgumentKind::kTuple) {
      OPBENCH_TRY(result[knob.name], integer_of(knob, knob.value));
      continue;
    }
    const std::vector<Argument>& items = knob.value.items;
    const bool is_split = knob.kind == "sp" && items.size() >= 2;
    if (!is_split && knob.kind != "re" && knob.kind != "an") {
      return Error{ErrorCode::kInvalidInput, "knob \"" + knob.name + "\" has no form here"};
    }
    for (size_t i = is_split ? 1 : 0; i < items.size(); ++i) {
      const bool is_last = is_split && i + 1 == items.size();
      const std::string name = is_last ? knob.name : knob.name + "_" + std::to_string(i);
      const bool is_word = knob.kind == "an";
      OPBENCH_TRY(result[name],
                  is_word ? number_of_word(knob, items[i]) : integer_of(knob, items[i]));
    }
  }
  return result;
}

int block_of(const Config& config, const std::string& knob) {
  const auto found = config.find(knob);
  return found == config.end() ? 0 : static_cast<int>(found->second);
}

/// The config whose knobs have these values; nothing when the space lacks one.
std::optional<uint64_t> number_of(const ConfigSpace& space, const Config& config) {
  KnobConfig whole;
  for (const Knob& knob : space.knobs) {
    whole.knobs.push_back(
        {knob.name, std::string(tag_of(knob.kind)), Argument::of_int(config.at(knob.name))});
  }
  const auto index = index_of(space, whole);
  return index ? std::optional(*index) : std::nullopt;
}

/// The default config, then the seed configs.
Result<std::vector<uint64_t>> opening_configs(const KernelSpec& spec, const ConfigSpace& space) {
  OPBENCH_TRY(const ScheduleDef* schedule, schedule_table().find(spec.schedule));
  std::vector<Config> configs = {spec.config};
  if (schedule->alternatives != nullptr) {
    const std::vector<Config> others = schedule->alternatives(spec);
    configs.insert(configs.end(), others.begin(), others.end());
  }
  std::vector<uint64_t> numbers;
  for (const Config& config : configs) {
    const std::optional<uint64_t> index = number_of(space, config);
    if (index && std::ranges::find(numbers, *index) == numbers.end()) numbers.push_back(*index);
  }
  return numbers;
}

Result<TunableTask> own_tunable_task(const Task& task, size_t number, int threads) {
  OPBENCH_TRY(const KernelSpec spec, spec_of_task(task, threads));
  TunableTask tunable{.number = number,
                      .task = task,
                      .workload = spec.workload,
                      .schedule = spec.schedule,
                      .layouts = spec.layouts,
                      .threads = threads};
  OPBENCH_TRY(tunable.space, own_space(spec));
  OPBENCH_TRY(tunable.size, size_of(tunable.space));
  tunable.flops = flops_of(spec.workload);
  OPBENCH_TRY(tunable.opening, opening_configs(spec, tunable.space));
  OPBENCH_TRY(const KernelSpec of_one_thread, spec_of_task(task));
  if (const auto index = number_of(tunable.space, of_one_thread.config)) {
    OPBENCH_TRY(tunable.default_config, config_at(tunable.space, *index));
  }
  return tunable;
}

}  // namespace

Task recorded_task(const TuningRecord& record, const Target& target) {
  Task task{.name = record.task, .target = target};
  for (const NamedArgument& argument : record.arguments) task.arguments.push_back(argument.value);
  return task;
}

Result<TunableTask> tunable_task(const Task& task, size_t number, int threads) {
  if (is_own_task(task.name)) return own_tunable_task(task, number, threads);
  TunableTask tunable{
      .number = number, .task = task, .schedule = schedule_name(task.name), .threads = threads};
  const std::vector<std::string> schedules = schedule_table().names();
  if (std::ranges::find(schedules, tunable.schedule) == schedules.end()) {
    return Error{ErrorCode::kInvalidInput, "no schedule of template \"" + task.name + "\" here"};
  }
  OPBENCH_TRY(const ScheduleDef* schedule, schedule_table().find(tunable.schedule));
  if (!makes_kernels_for(*schedule, task.target)) {
    const bool is_of_cpu = std::ranges::count(schedule->device_types, DeviceType::kCpu) > 0;
    return Error{ErrorCode::kInvalidInput,
                 fmt::format("the schedule of template \"{}\" is for {}, not for target \"{}\"",
                             task.name, is_of_cpu ? "CPUs" : "GPUs", display_text(task.target))};
  }
  OPBENCH_TRY(tunable.space, space_of(task));
  OPBENCH_TRY(tunable.size, size_of(tunable.space));
  OPBENCH_TRY(tunable.workload, workload_of_task(task));
  tunable.flops = flops_of(tunable.workload);
  return tunable;
}

KnobConfig with_new_knobs(const TunableTask& task, KnobConfig config) {
  if (config.knobs.size() >= task.space.knobs.size()) return config;
  for (const KnobValue& knob : task.default_config.knobs) {
    if (std::ranges::find(config.knobs, knob.name, &KnobValue::name) == config.knobs.end()) {
      config.knobs.push_back(knob);
    }
  }
  return config;
}

Result<KernelSpec> candidate_of(const TunableTask& task, const KnobConfig& config) {
  KernelSpec spec{.workload = task.workload, .target = task.task.target, .schedule = task.schedule};
  OPBENCH_TRY(spec.config, schedule_config(config));
  spec.layouts = task.layouts;
  if (spec.layouts.empty()) {
    spec.layouts.resize(task.workload.graph.inputs.size() + 1);
    spec.layouts.front().block = block_of(spec.config, "tile_ic");
    spec.layouts.back().block = block_of(spec.config, "tile_oc");
  }
  OPBENCH_TRY(const ScheduleDef* schedule, schedule_table().find(task.schedule));
  if (!schedule->default_config(spec)) {
    return Error{ErrorCode::kInvalidInput,
                 fmt::format("schedule \"{}\" does not take these layouts", task.schedule)};
  }
  OPBENCH_CHECK(check_spec(spec));
  return spec;
}

std::optional<KernelSpec> default_kernel(const TunableTask& task, const KernelSpec& chosen) {
  KernelSpec spec{.workload = chosen.workload,
                  .layouts = chosen.layouts,
                  .target = chosen.target,
                  .threads = task.threads};
  const int lanes = float_lanes(chosen.target);
  const bool is_usual = std::ranges::all_of(chosen.layouts, [&](const Layout& layout) {
    return layout.block == 0 || layout.block == lanes;
  });
  if (is_usual && choose_schedule(spec)) return spec;
  spec.layouts.clear();
  for (const int block : blocks_alone(chosen.workload, chosen.target))
    spec.layouts.push_back({block});
  if (spec.layouts.empty() || !choose_schedule(spec)) return std::nullopt;
  return spec;
}

std::function<double(uint64_t)> estimate_of(const TunableTask& task) {
  const auto schedule = schedule_table().find(task.schedule);
  if (!schedule || (*schedule)->estimate == nullptr) return {};
  return [&task, estimate = (*schedule)->estimate](uint64_t index) {
    const Result<KnobConfig> config = config_at(task.space, index);
    if (!config) return 0.0;
    const Result<KernelSpec> spec = candidate_of(task, *config);
    return spec ? estimate(*spec) : 0.0;
  };
}

}  // namespace opbench

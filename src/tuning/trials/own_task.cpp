#include "tuning/trials/own_task.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>

#include "engines/package/layout_plan.h"
#include "kernels/space/space_builder.h"

namespace opbench {
namespace {

constexpr std::string_view kSuffix = ".opbench";

std::vector<Argument> arguments_of(const KernelSpec& spec) {
  std::vector<Argument> blocks;
  for (const int block : blocks_of(spec)) blocks.push_back(Argument::of_int(block));
  return {Argument::of_string(text_of(spec.workload)), Argument::of_tuple(std::move(blocks))};
}

Error bad_arguments(const Task& task, const std::string& reason) {
  return Error{ErrorCode::kInvalidInput, fmt::format("task \"{}\": bad arguments", task.name)}.with(
      "reason", reason);
}

Result<std::vector<Layout>> layouts_of(const Task& task) {
  if (task.arguments.size() != 2 || task.arguments[0].kind != ArgumentKind::kString ||
      task.arguments[1].kind != ArgumentKind::kTuple) {
    return bad_arguments(task, "wanted are a workload's text and a list of channel blocks");
  }
  constexpr int64_t kLargestBlock = 4096;
  std::vector<Layout> layouts;
  for (const Argument& block : task.arguments[1].items) {
    const bool is_block = block.kind == ArgumentKind::kInt && block.integer >= 0;
    if (!is_block || block.integer > kLargestBlock) {
      return bad_arguments(task, "a channel block is a number from 0 to 4096");
    }
    layouts.push_back({static_cast<int>(block.integer)});
  }
  return layouts;
}

/// Those with knobs, by falling priority.
std::vector<const ScheduleDef*> schedules_with_knobs(const Target& target) {
  std::vector<const ScheduleDef*> result;
  for (const ScheduleDef& schedule : schedule_table().all()) {
    if (schedule.knobs != nullptr) result.push_back(&schedule);
  }
  std::ranges::stable_sort(result, std::greater(), [&](const ScheduleDef* schedule) {
    return priority_for(*schedule, target);
  });
  return result;
}

}  // namespace

bool is_own_task(std::string_view name) { return name.ends_with(kSuffix); }

Result<std::vector<ModelTask>> own_tasks(Model model, const Target& target, int threads) {
  OPBENCH_TRY(const std::vector<Unit> units, lower(model));
  OPBENCH_TRY(const std::vector<PlannedStep> steps,
              plan_layouts(model, units, target, {}, {}, {}, threads));
  const std::vector<const ScheduleDef*> schedules = schedules_with_knobs(target);
  std::vector<ModelTask> tasks;
  std::map<std::pair<std::string, std::vector<int>>, std::vector<size_t>> known;
  for (const PlannedStep& step : steps) {
    if (step.identity.is_layout_change() || !step.has_kernel()) continue;
    const auto [place, is_new] =
        known.try_emplace({text_of(step.workload()), step.identity.blocks});
    for (const size_t task : place->second) ++tasks[task].uses;
    if (!is_new) continue;
    const KernelSpec kernel = step.kernel();
    for (const ScheduleDef* schedule : schedules) {
      if (!makes_kernels_for(*schedule, target) || !schedule->default_config(kernel)) continue;
      place->second.push_back(tasks.size());
      tasks.push_back({{schedule->name + std::string(kSuffix), arguments_of(kernel), target}});
    }
  }
  return tasks;
}

Result<KernelSpec> spec_of_task(const Task& task, int threads) {
  KernelSpec spec{.target = task.target, .schedule = task.name, .threads = threads};
  if (is_own_task(task.name)) spec.schedule.resize(task.name.size() - kSuffix.size());
  OPBENCH_TRY(const ScheduleDef* schedule, schedule_table().find(spec.schedule));
  OPBENCH_TRY(spec.layouts, layouts_of(task));
  OPBENCH_TRY(spec.workload, parse_workload(task.arguments[0].text));
  if (spec.layouts.size() != spec.workload.graph.inputs.size() + 1) {
    return bad_arguments(task, "a channel block for every operand and the output is wanted");
  }
  std::optional<Config> config = schedule->default_config(spec);
  if (!config || schedule->knobs == nullptr) {
    return Error{ErrorCode::kInvalidInput,
                 fmt::format("schedule \"{}\" does not take this workload", spec.schedule)};
  }
  spec.config = *std::move(config);
  return spec;
}

Result<ConfigSpace> own_space(const KernelSpec& spec) {
  OPBENCH_TRY(const ScheduleDef* schedule, schedule_table().find(spec.schedule));
  SpaceBuilder builder;
  for (const KnobRange& knob : schedule->knobs(spec)) builder.define_option(knob.name, knob.values);
  return std::move(builder).finish();
}

}  // namespace opbench

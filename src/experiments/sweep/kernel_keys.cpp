#include "experiments/sweep/kernel_keys.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/errors/suggestion.h"
#include "engines/package/layout_plan.h"
#include "machine/target/parse_target.h"

namespace opbench {
namespace {

Result<KernelSpec> spec_of(const ProfileRequest& request) {
  KernelSpec spec;
  OPBENCH_TRY(spec.workload, parse_workload(request.model.workload));
  OPBENCH_TRY(spec.target, parse_target(request.settings.target));
  const std::vector<int> blocks = blocks_alone(spec.workload, spec.target);
  for (const int block : blocks) spec.layouts.push_back({block});
  if (spec.layouts.size() != spec.workload.graph.inputs.size() + 1) {
    return Error{ErrorCode::kInvalidInput, "no schedule takes \"" + request.model.workload + "\""};
  }
  spec.threads = request.threads.front();
  return spec;
}

std::vector<std::string> takers_of(const KernelSpec& spec) {
  std::vector<std::string> names;
  for (const ScheduleDef& schedule : schedule_table().all()) {
    const bool takes = schedule.priority >= 0 && makes_kernels_for(schedule, spec.target) &&
                       schedule.default_config(spec).has_value() &&
                       gives_outputs(schedule, spec.workload);
    if (takes) names.push_back(schedule.name);
  }
  return names;
}

Result<void> set_schedule(KernelSpec& spec, const std::string& name) {
  if (name.empty()) {
    if (choose_schedule(spec)) return {};
    return Error{ErrorCode::kInvalidInput, "no schedule takes \"" + text_of(spec.workload) + "\""};
  }
  const std::vector<std::string> takers = takers_of(spec);
  if (std::ranges::find(takers, name) == takers.end()) {
    return unknown_name("schedule of this workload", name, takers);
  }
  OPBENCH_TRY(const ScheduleDef* schedule, schedule_table().find(name));
  spec.schedule = name;
  spec.config = schedule->default_config(spec).value_or(Config{});
  return {};
}

/// Sets a knob to one of the values that a tuner may give it.
Result<void> set_knob(KernelSpec& spec, const std::vector<KnobRange>& ranges,
                      const std::string& name, int64_t value) {
  const auto range = std::ranges::find(ranges, name, &KnobRange::name);
  if (range == ranges.end()) {
    std::vector<std::string> known;
    for (const KnobRange& each : ranges) known.push_back(each.name);
    return unknown_name("knob of schedule " + spec.schedule + ":", name, known);
  }
  if (std::ranges::find(range->values, value) == range->values.end()) {
    return Error{ErrorCode::kInvalidInput, fmt::format("knob {} cannot be {}", name, value)}
        .with("valid", fmt::format("{}", fmt::join(range->values, ", ")))
        .with("schedule", spec.schedule);
  }
  spec.config[name] = value;
  return {};
}

/// The options of `sweep` that choose the kernel again.
std::string options_of(const KernelKeys& keys) {
  std::vector<std::string> options;
  if (!keys.schedule.empty()) options.push_back("--over schedule=" + keys.schedule);
  for (const auto& [name, value] : keys.knobs) {
    options.push_back(fmt::format("--over knob.{}={}", name, value));
  }
  return join(options, " ");
}

}  // namespace

Result<KernelChoice> kernel_of(const ProfileRequest& request, const KernelKeys& keys) {
  OPBENCH_TRY(KernelSpec spec, spec_of(request));
  OPBENCH_CHECK(set_schedule(spec, keys.schedule));
  OPBENCH_TRY(const ScheduleDef* schedule, schedule_table().find(spec.schedule));
  const std::vector<KnobRange> ranges =
      schedule->knobs == nullptr ? std::vector<KnobRange>() : schedule->knobs(spec);
  for (const auto& [knob, value] : keys.knobs) {
    OPBENCH_CHECK(set_knob(spec, ranges, knob, value));
  }
  if (const Result<void> checked = check_spec(spec); !checked) {
    return Error(checked.error()).with("schedule", spec.schedule);
  }
  return KernelChoice{.workload = text_of(spec.workload),
                      .blocks = blocks_of(spec),
                      .schedule = spec.schedule,
                      .config = spec.config,
                      .origin = options_of(keys),
                      .threads = spec.threads};
}

}  // namespace opbench

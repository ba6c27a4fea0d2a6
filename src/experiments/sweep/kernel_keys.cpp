#include "experiments/sweep/kernel_keys.h"

#include <algorithm>

#include "base/errors/suggestion.h"
#include "engines/package/layout_plan.h"
#include "machine/target/parse_target.h"

namespace opbench {
namespace {

Result<KernelSpec> spec_of(const ProfileRequest& request) {
  KernelSpec spec;
  OPBENCH_TRY(spec.workload, parse_workload(request.workload));
  OPBENCH_TRY(spec.target, parse_target(request.target));
  const std::vector<int> blocks =
      request.layouts.empty() ? blocks_alone(spec.workload, spec.target) : request.layouts;
  for (const int block : blocks) spec.layouts.push_back({block});
  if (spec.layouts.size() != spec.workload.graph.inputs.size() + 1) {
    return Error{ErrorCode::kInvalidInput, "no schedule takes \"" + request.workload + "\""};
  }
  spec.threads = request.threads.front();
  return spec;
}

std::vector<std::string> takers_of(const KernelSpec& spec) {
  std::vector<std::string> names;
  for (const ScheduleDef& schedule : schedule_table().all()) {
    const bool takes = schedule.priority >= 0 && schedule.by_rule(spec).has_value() &&
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
  spec.config = schedule->by_rule(spec).value_or(Config{});
  return {};
}

std::vector<std::string> knobs_of(const Config& config) {
  std::vector<std::string> names;
  for (const auto& [name, value] : config) names.push_back(name);
  return names;
}

}  // namespace

Result<KernelChoice> kernel_of(const ProfileRequest& request, const KernelKeys& keys) {
  OPBENCH_TRY(KernelSpec spec, spec_of(request));
  OPBENCH_CHECK(set_schedule(spec, keys.schedule));
  for (const auto& [knob, value] : keys.knobs) {
    if (!spec.config.contains(knob)) {
      return unknown_name("knob of schedule " + spec.schedule + ":", knob, knobs_of(spec.config));
    }
    spec.config[knob] = value;
  }
  if (const Result<void> checked = check_spec(spec); !checked) {
    return Error(checked.error()).with("schedule", spec.schedule);
  }
  return KernelChoice{.workload = text_of(spec.workload),
                      .blocks = blocks_of(spec),
                      .schedule = spec.schedule,
                      .config = spec.config,
                      .origin = "--over",
                      .threads = spec.threads};
}

}  // namespace opbench

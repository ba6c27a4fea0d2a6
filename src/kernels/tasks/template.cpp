#include "kernels/tasks/template.h"

#include <fmt/format.h>

#include "kernels/space/fallback_config.h"

namespace opbench {

Result<ConfigSpace> space_of(const Task& task) {
  OPBENCH_TRY(const TemplateDef* found, template_table().find(task.name));
  auto space = found->space(task.arguments, task.target);
  if (!space) {
    Error error = std::move(space).error();
    error.message = fmt::format("task \"{}\": {}", task.name, error.message);
    return error;
  }
  return space;
}

Result<KnobConfig> fallback_of(const Task& task) {
  OPBENCH_TRY(const ConfigSpace space, space_of(task));
  OPBENCH_TRY(const TemplateDef* found, template_table().find(task.name));
  if (found->fallback == nullptr) return config_at(space, 0);
  KnobConfig config;
  OPBENCH_TRY(config.knobs, found->fallback(task.arguments, task.target));
  return with_index(space, std::move(config));
}

}  // namespace opbench

#include "opbench/tasks/template.h"

#include <fmt/format.h>

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

}  // namespace opbench

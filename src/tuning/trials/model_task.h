#pragma once

#include <cstdint>

#include "kernels/tasks/template.h"

namespace opbench {

/// A task with how often a model has it.
struct ModelTask {
  Task task;
  int64_t uses = 1;
};

}  // namespace opbench

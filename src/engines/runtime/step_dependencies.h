#pragma once

#include "engines/runtime/program.h"
#include "engines/runtime/step_order.h"

namespace opbench {

/// What a program's steps wait for, read off the memory that they touch.
struct StepDependencies {
  StepWaits needs;   ///< steps whose results a step reads
  StepWaits reuses;  ///< further steps that use memory which the step overwrites
};

/// The dependencies of steps that may run as soon as no memory is in their way. `reuses` leaves out
/// what other waits imply already.
StepDependencies find_dependencies(const Program& program);

}  // namespace opbench

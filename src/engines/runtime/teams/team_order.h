#pragma once

#include <cstddef>

#include "base/errors/error.h"
#include "engines/runtime/program.h"
#include "engines/runtime/step_order.h"

namespace opbench {

/// Which steps have ended when another starts, by what the programs of the workers alone force. A
/// step happens after all that its leader did, helped with or waited for before. A helper may come
/// late, and the leader may end the step alone: so a step does not happen after what its helpers
/// did. `kInvalidInput` that names the step for: steps that are missing, unknown or run twice,
/// workers that do not exist or stand twice in a team, and waits that lead in a circle.
Result<StepOrder> order_of_teams(const TeamProgram& teams, size_t steps);

/// Whether the programs of the workers keep all steps off memory that others use: what a step
/// reads was written before, and what it overwrites nobody uses any more. Reads that off the
/// program's memory alone, whoever planned it. `kInvalidInput` that names the steps; also those of
/// order_of_teams.
Result<void> check_teams(const Program& program);

}  // namespace opbench

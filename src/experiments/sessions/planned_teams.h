#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/errors/error.h"
#include "engines/catalog/engine.h"
#include "experiments/sessions/engine_run.h"
#include "experiments/sessions/request/run_settings.h"
#include "kernels/schedules/kernel_choice.h"
#include "planning/plans/plan_file.h"

namespace opbench {

/// That several threads cannot run a model by this executor without a plan.
Error no_plan(const std::string& executor);

/// `kInvalidInput` unless the plan is of this model. `what` names it.
Result<void> check_plan_of_model(const PlanFile& plan, const std::string& what, const Model& model);

/// The plan of that choice; nothing when it names none. `kInvalidInput` for a file that is
/// no plan, is of another model or has changed since its SHA-256 was taken, and for a plan that
/// merges units, which no kernel here computes.
Result<std::optional<PlanFile>> chosen_plan(const PlanChoice& choice, const Model& model);

/// Kernels that the plan takes in place of the default ones. `kInvalidInput` naming the plan as
/// `what` for a choice that cannot be read.
Result<std::vector<KernelChoice>> planned_kernels(const PlanFile& plan, const std::string& what);

/// The programs of the plan's workers as packages have them: unit i is step i. Empty for a
/// sequential plan, which needs none.
TeamProgram team_program_of(const PlanFile& plan);

/// `kInvalidInput` unless the engine run has the units and CPUs that the plan is for. `what` names
/// it.
Result<void> check_plan_of_run(const PlanFile& plan, const std::string& what,
                               const EngineRun& engine_run);

}  // namespace opbench

#pragma once

#include <vector>

#include "base/errors/error.h"
#include "machine/target/target.h"
#include "model/graph/graph.h"
#include "presentation/cli/arguments.h"
#include "presentation/cli/terminal.h"

namespace opbench {

/// --target, and what a model is bound and downloaded with, of commands about a model's tasks.
std::vector<OptionDef> task_model_options();

/// --target, where `pynq` stands for the board's long name.
Result<Target> task_target(const Arguments& arguments);

/// The same, which must run on this machine: `kInvalidInput` saying what is missing.
Result<Target> task_target_here(const Arguments& arguments);

/// The MODEL|WORKLOAD argument with complete types, constants folded. The terminal shows how far a
/// model from a URL has come.
Result<Model> task_model(const Arguments& arguments, Terminal& terminal);

/// --task, which must be given: one of `count` tasks, counted from 0. `kInvalidInput` with the
/// numbers there are.
Result<size_t> task_number(const Arguments& arguments, size_t count);

/// `kNoMatch`: the model has no task for the target; says why.
Error no_task(const std::string& model, const Target& target);

}  // namespace opbench

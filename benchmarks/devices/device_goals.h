#pragma once

#include <map>
#include <string>
#include <vector>

#include "benchmarks/common/benchmark.h"
#include "benchmarks/common/program_run.h"

// The goals that devices have, each part by the commands that a user has. A bar names its goal.
// Goals that need a driver of CUDA are a part of their own.

namespace opbench {

/// What a program answered, as one bar: how many of `wanted` it does not say, or ends with another
/// code.
Bar answer_bar(const std::string& bar, const ProgramCommand& command, int exit_code,
               const std::string& wanted);

/// Goal 1: how long `list devices` takes, and the reasons why a device is not there.
Result<void> add_listing(Report& report);

/// Goals 2, 3 and 5: whole models on the first OpenCL device. `budget_s` is of each model.
Result<void> add_models(const std::vector<std::string>& models, double budget_s, Report& report);

/// Goal 2: random configs of AutoTVM's templates for GPUs, by the tests that draw them.
Result<void> add_points(Report& report);

/// Goal 6: the engine for arm64, built anew on one CPU, and models in the emulator.
Result<void> add_emulated(const std::vector<std::string>& models, Report& report);

/// Which operators of the built-in models have no kernel for OpenCL: units, and models with them.
Result<void> add_units_on_host(Report& report);

/// The figure of a check in a report of `profile`, as a bar.
Bar check_bar(const std::string& bar, const Result<ProgramRun>& run);

}  // namespace opbench

#pragma once

#include <string>

#include "engines/catalog/engine.h"

namespace opbench {

/// Whether its code runs on the CPU. Others are no peers of CPU engines, and run only where a
/// target wants their device.
bool runs_on_cpu(const EngineDef& engine);

/// The engine that runs packages of our kernels on the CPU.
const EngineDef& package_engine();

/// The engine that runs packages of kernels for the target; `package_engine` where there is none.
const EngineDef& package_engine_for(const Target& target);

/// True if the built-in engine with this name takes packages; false for an engine of the user's.
bool takes_packages(const std::string& name);

/// Whether the engine offers this executor and it runs what a plan says.
bool follows_plan(const EngineDef& engine, const std::string& executor);

/// The executor of our own engine that follows plans.
std::string planned_executor();

/// The name of the engine to check results against where the user names none: an available
/// reference that runs models. Without one: `reference`, the operators' own loops.
std::string engine_to_check_against();

}  // namespace opbench

#pragma once

#include <string>

#include "engines/catalog/engine.h"
#include "engines/catalog/package_keeper.h"
#include "experiments/sessions/engine_run.h"
#include "experiments/sessions/request/run_hooks.h"

namespace opbench {

/// Builds what the engine needs (package, ONNX files) and finds its units. `kInvalidInput`,
/// `kEnvironment` as the engine's preparation says. `keeper`: keeps packages for free extents from
/// run to run; null: nothing is kept.
Result<EngineRun> make_engine_run(const EngineDef& definition, EngineOptions options,
                                  const RunInputs& inputs, PackageKeeper* keeper = nullptr);

/// The engine of that name: a shipped one, or one of the user's. `kInvalidInput` with a
/// guess, `kEnvironment` with the reason and remedy when it cannot be used here.
Result<EngineDef> find_engine(const std::vector<UserEngine>& user_engines, const std::string& name);

/// Puts what `[engine.NAME]` says into the options of the engine `name`.
void add_settings(const std::vector<UserEngine>& user_engines, const std::string& name,
                  EngineOptions& options);

}  // namespace opbench

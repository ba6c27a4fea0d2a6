#pragma once

#include "engines/catalog/engine.h"

namespace opbench {

/// A user's engine, `[engine.NAME] command = […]` in opbench.toml: any program that speaks the
/// engine protocol. It receives models and single workloads as ONNX files. It is started with
/// `EngineOptions::command`, which must be this one; `settings` become environment variables
/// `OPBENCH_SETTING_<KEY>` in upper case.
/// `kInvalidInput` if the name is a built-in engine's or no plain word, or the command is empty.
Result<EngineDef> engine_of_command(const std::string& name,
                                    const std::vector<std::string>& command);

}  // namespace opbench

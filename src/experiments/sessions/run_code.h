#pragma once

#include <filesystem>
#include <string>

#include "experiments/sessions/engine_run.h"

namespace opbench {

/// Keeps the hash of the program that the engine was given; that of the model where the engine
/// makes its own. Adds a fault that is asked for (UNIT=FAULT) to the unit's and the program's.
void note_program(std::string code_hash, const RunInputs& inputs, EngineRun& engine_run);

/// A hash of the files that the engine's process executes, and of those that its command names;
/// without the kernels of `cache` and what the run's `folder` holds. `cache` keeps hashes of files.
/// Empty where the process is not on this machine, or its files cannot be read.
std::string hash_of_engine(int pid, const EngineRun& engine_run, const std::filesystem::path& cache,
                           const std::filesystem::path& folder);

/// Sets `code_hash` of the result and of its rows, of all that runs in a timed call: the engine
/// with its settings, and the program. Rows hold the hash of their part of the program, or nothing.
/// Empty where that of the engine's files is.
void finish_code_hashes(EngineRun& engine_run);

/// Of the equal units of a row; empty where none is known.
std::string code_of_group(const EngineRun& engine_run, const UnitGroup& group);

}  // namespace opbench

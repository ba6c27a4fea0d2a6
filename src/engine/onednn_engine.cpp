#include <fmt/format.h>

#include "opbench/base/file.h"
#include "opbench/base/suggestion.h"
#include "opbench/engine/engine.h"

namespace opbench {
namespace {

std::filesystem::path executable() { return executable_folder() / "opbench-engine-onednn"; }

std::optional<std::string> unavailable() {
  if (std::filesystem::exists(executable())) return std::nullopt;
  return "its executable is missing: " + executable().string() + "; run ./dev build";
}

/// OpenMP's workers are bound one to a CPU. They spin for some milliseconds between two calls, and
/// sleep when an answer has been given.
EngineCommand command(const EngineOptions& options) {
  EngineCommand command;
  command.argv = {executable().string()};
  command.environment["OMP_NUM_THREADS"] = std::to_string(options.threads);
  command.environment["OMP_DYNAMIC"] = "false";
  command.environment["GOMP_SPINCOUNT"] = "1000000";
  if (!options.cpus.empty()) {
    command.environment["OMP_PLACES"] = fmt::format("{{{}}}", fmt::join(options.cpus, "},{"));
    command.environment["OMP_PROC_BIND"] = "true";
  }
  command.cpus = options.cpus;
  command.log = options.folder / "onednn.log";
  return command;
}

}  // namespace

EngineDef onednn_engine() {
  return {.name = "onednn",
          .summary = "oneDNN's primitives, one operator with what follows it",
          .runs_models = false,
          .unavailable = unavailable,
          .command = command};
}

}  // namespace opbench

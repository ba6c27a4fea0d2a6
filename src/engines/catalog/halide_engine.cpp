#include "base/files/file.h"
#include "engines/catalog/engine.h"
#include "engines/catalog/prepare_package.h"
#include "engines/runtime/executor.h"

namespace opbench {
namespace {

std::filesystem::path engine_executable() { return executable_folder() / "opbench-engine-halide"; }

std::optional<std::string> halide_unavailable() {
  if (std::filesystem::exists(engine_executable())) return std::nullopt;
  return "its executable is missing; run ./dev build";
}

EngineCommand halide_command(const EngineOptions& options) {
  return {{engine_executable().string()}, {}, options.cpus, options.folder / "halide.log"};
}

}  // namespace

EngineDef halide_engine() {
  return {.name = "halide",
          .summary = "OpBench's own kernels, scheduled with Halide, compiled ahead",
          .takes_packages = true,
          .injects_faults = true,
          .follows_cpu_cap = true,
          .executors = executor_table().names(),
          .unavailable = halide_unavailable,
          .command = halide_command,
          .prepare_model = prepare_package};
}

}  // namespace opbench

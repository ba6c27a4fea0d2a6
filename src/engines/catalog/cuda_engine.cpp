#include "base/files/file.h"
#include "engines/catalog/engine.h"
#include "engines/catalog/prepare_package.h"
#include "engines/runtime/executor.h"

namespace opbench {
namespace {

std::filesystem::path cuda_executable() { return executable_folder() / "opbench-engine-cuda"; }

/// Whether there is a device is another question (machine/devices/device.h).
std::optional<std::string> cuda_unavailable() {
  std::error_code ignored;
  if (std::filesystem::exists(cuda_executable(), ignored)) return std::nullopt;
  return "its executable is missing; run ./dev build";
}

/// The driver keeps what it has compiled in the cache folder: without one of its own it would use
/// the user's, of which it throws old kernels out.
EngineCommand cuda_command(const EngineOptions& options) {
  EngineCommand command;
  command.argv = {cuda_executable().string(), std::to_string(options.device)};
  command.cpus = options.cpus;
  command.log = options.folder / "cuda.log";
  const std::filesystem::path& cache = options.cache.empty() ? options.folder : options.cache;
  command.environment["CUDA_CACHE_PATH"] = (cache / "cuda").string();
  return command;
}

}  // namespace

EngineDef cuda_engine() {
  return {.name = "cuda",
          .summary = "OpBench's own kernels on an NVIDIA GPU",
          .takes_packages = true,
          .device_kinds = {"cuda", "nvptx"},
          .executors = {kDefaultExecutor},
          .unavailable = cuda_unavailable,
          .command = cuda_command,
          .prepare_model = prepare_package};
}

}  // namespace opbench

#include "engines/catalog/opencl_command.h"

#include <string>

#include "base/files/file.h"

namespace opbench {
namespace {

std::filesystem::path opencl_executable() { return executable_folder() / "opbench-engine-opencl"; }

}  // namespace

EngineCommand opencl_command(const EngineOptions& options) {
  EngineCommand command;
  command.argv = {opencl_executable().string(), std::to_string(options.device),
                  std::to_string(options.device_units)};
  command.cpus = options.cpus;
  command.log = options.folder / "opencl.log";
  // PoCL finds no device where it cannot write; the run's folder can be written.
  const std::filesystem::path& cache = options.cache.empty() ? options.folder : options.cache;
  command.environment["POCL_CACHE_DIR"] = (cache / "pocl").string();
  // Beside the host's worker the device has the last CPU.
  const bool has_sides = options.placement.is_given();
  if (has_sides) command.argv.push_back(std::to_string(options.cpus.back()));
  command.environment["POCL_MAX_PTHREAD_COUNT"] = std::to_string(has_sides ? 1 : options.threads);
  return command;
}

std::optional<std::string> opencl_unavailable() {
  std::error_code ignored;
  if (std::filesystem::exists(opencl_executable(), ignored)) return std::nullopt;
  return "its executable is missing; run ./dev build";
}

}  // namespace opbench

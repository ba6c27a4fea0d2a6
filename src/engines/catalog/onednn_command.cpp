#include "engines/catalog/onednn_command.h"

#include <fmt/format.h>

#include "base/files/file.h"

namespace opbench {
namespace {

std::filesystem::path onednn_command_executable() {
  return executable_folder() / "opbench-engine-onednn";
}

/// oneDNN's word for the most that it may use; empty for all that the machine has.
std::string most_isa(const Target& target) {
  switch (vector_isa(target)) {
    case VectorIsa::kScalar:  // it has nothing below
    case VectorIsa::kSse41:
      return "SSE41";
    case VectorIsa::kAvx2:
      return "AVX2";
    default:
      return "";
  }
}

}  // namespace

std::optional<std::string> onednn_unavailable() {
  if (std::filesystem::exists(onednn_command_executable())) return std::nullopt;
  return "its executable is missing: " + onednn_command_executable().string() + "; run ./dev build";
}

/// OpenMP's workers are bound one to a CPU. They spin for some milliseconds between two calls, and
/// sleep when an answer has been given.
EngineCommand onednn_command(const EngineOptions& options, OnednnChoice choice) {
  EngineCommand command;
  command.argv = {onednn_command_executable().string()};
  if (choice == OnednnChoice::kDefault) command.argv.emplace_back("--default");
  command.environment["OMP_NUM_THREADS"] = std::to_string(options.threads);
  command.environment["OMP_DYNAMIC"] = "false";
  command.environment["GOMP_SPINCOUNT"] = "1000000";
  if (const std::string isa = most_isa(options.target); !isa.empty()) {
    command.environment["ONEDNN_MAX_CPU_ISA"] = isa;
  }
  if (!options.cpus.empty()) {
    command.environment["OMP_PLACES"] = fmt::format("{{{}}}", fmt::join(options.cpus, "},{"));
    command.environment["OMP_PROC_BIND"] = "true";
  }
  command.cpus = options.cpus;
  command.log = options.folder / "onednn.log";
  return command;
}

}  // namespace opbench

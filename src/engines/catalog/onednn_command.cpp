#include "engines/catalog/onednn_command.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/files/file.h"
#include "machine/target/cpu_cap.h"
#include "machine/target/cpu_features.h"

namespace opbench {
namespace {

/// By the processor of $OPBENCH_CPU, which has AVX-512 here; empty without one.
std::string most_isa_of_cap() {
  const auto cap = cpu_cap();
  if (!cap) return "";
  const std::vector<std::string> features = features_of_processor(*cap);
  const auto has = [&](const char* word) { return std::ranges::count(features, word) > 0; };
  if (has("amx-bf16")) return "AVX512_CORE_AMX";
  if (has("avx512bf16")) return "AVX512_CORE_BF16";
  return has("avx512vnni") ? "AVX512_CORE_VNNI" : "AVX512_CORE";
}

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
      return most_isa_of_cap();
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

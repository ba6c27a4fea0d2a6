#pragma once

#include <array>
#include <cstdio>
#include <string>

#include "base/files/file.h"
#include "kernel_harness.h"

namespace opbench {

inline std::string disassembly(const std::filesystem::path& object) {
  const std::string command = "objdump -d --no-show-raw-insn " + object.string();
  std::FILE* pipe = ::popen(command.c_str(), "r");
  if (pipe == nullptr) return "";
  std::string text;
  std::array<char, 4096> part{};
  while (const size_t bytes = std::fread(part.data(), 1, part.size(), pipe)) {
    text.append(part.data(), bytes);
  }
  return ::pclose(pipe) == 0 ? text : "";
}

/// The instructions of the kernel by `schedule` for AVX-512, its default config but for `knobs`; or
/// why there are none.
inline std::string code_of(const std::string& workload, const std::string& schedule,
                           const Config& knobs) {
  auto spec = kernel_spec(workload, "llvm -mcpu=skylake-avx512", schedule);
  const auto folder = TemporaryFolder::make();
  if (!spec || !folder) return to_text(spec ? folder.error() : spec.error());
  for (const auto& [name, value] : knobs) spec->config[name] = value;
  const std::filesystem::path object = folder->path() / "kernel.o";
  const Result<void> compiled = compile_kernel(*spec, "kernel", object);
  return compiled ? disassembly(object) : to_text(compiled.error());
}

}  // namespace opbench

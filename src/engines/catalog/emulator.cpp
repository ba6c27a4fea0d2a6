#include "engines/catalog/emulator.h"

#include <fmt/format.h>

#include <array>
#include <cstdio>
#include <memory>

#include "base/files/file.h"

namespace opbench {
namespace {

constexpr const char* kQemu = "qemu-aarch64-static";
constexpr const char* kLibraries = "/usr/aarch64-linux-gnu";

std::filesystem::path arm64_engine() {
  return executable_folder() / "arm64" / "opbench-engine-halide";
}

/// `7.2.22` of `qemu-aarch64 version 7.2.22 (Debian …)`; empty: it does not run.
std::string version_of_qemu() {
  const std::string question = std::string(kQemu) + " --version 2>/dev/null";
  const std::unique_ptr<FILE, int (*)(FILE*)> answer(::popen(question.c_str(), "r"), ::pclose);
  std::array<char, 256> line = {};
  if (!answer || std::fgets(line.data(), line.size(), answer.get()) == nullptr) return "";
  std::array<char, 64> version = {};
  const bool is_known = std::sscanf(line.data(), "qemu-aarch64 version %63s", version.data()) == 1;
  return is_known ? version.data() : "";
}

Error missing(const std::string& what, const std::string& help) {
  return Error{ErrorCode::kEnvironment, "code for arm64 cannot be emulated here"}
      .with("missing", what)
      .with("help", help);
}

Result<Emulator> find_arm64_emulator() {
  const std::string version = version_of_qemu();
  if (version.empty()) {
    return missing(fmt::format("the program {} (package qemu-user-static)", kQemu),
                   "./dev setup --tests installs it");
  }
  if (!std::filesystem::exists(std::filesystem::path(kLibraries) / "lib/ld-linux-aarch64.so.1")) {
    return missing(
        fmt::format("arm64's C library in {} (package g++-aarch64-linux-gnu)", kLibraries),
        "./dev setup --tests installs it");
  }
  if (!std::filesystem::exists(arm64_engine())) {
    return missing("the engine " + arm64_engine().string(), "./dev build arm64 builds it");
  }
  return Emulator{.name = "qemu-aarch64 " + version,
                  .command = {kQemu, "-L", kLibraries, arm64_engine().string()}};
}

}  // namespace

Result<std::optional<Emulator>> emulator_of(const Target& target) {
#if defined(__aarch64__)
  (void)target;
  return std::optional<Emulator>();
#else
  if (!is_arm64(target)) return std::optional<Emulator>();
  static const Result<Emulator> found = find_arm64_emulator();
  if (!found) return found.error();
  return std::optional(*found);
#endif
}

}  // namespace opbench

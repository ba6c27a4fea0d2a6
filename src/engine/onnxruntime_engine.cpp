#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <sstream>

#include "opbench/base/file.h"
#include "opbench/engine/engine.h"

namespace opbench {
namespace {

namespace fs = std::filesystem;

constexpr int kOldestNode = 18;

/// The build puts links to the sources where an installation has the files.
fs::path library_folder() {
  return (executable_folder() / ".." / "lib" / "opbench").lexically_normal();
}

fs::path script() { return library_folder() / "engines" / "onnxruntime" / "engine.mjs"; }

/// The path of `name` in $PATH; empty when it is not there.
fs::path find_program(const std::string& name) {
  const char* path = std::getenv("PATH");
  std::istringstream folders(path == nullptr ? "/usr/local/bin:/usr/bin:/bin" : path);
  for (std::string folder; std::getline(folders, folder, ':');) {
    fs::path candidate = fs::path(folder) / name;
    if (::access(candidate.c_str(), X_OK) == 0) return candidate;
  }
  return {};
}

/// The major number that `node --version` prints; 0 when it prints none.
int node_version(const fs::path& node) {
  FILE* output = ::popen(("'" + node.string() + "' --version 2>/dev/null").c_str(), "re");
  if (output == nullptr) return 0;
  std::array<char, 64> text{};
  const bool has_text = std::fgets(text.data(), text.size(), output) != nullptr;
  ::pclose(output);
  return has_text && text[0] == 'v' ? std::atoi(text.data() + 1) : 0;
}

std::optional<std::string> unavailable() {
  const fs::path node = find_program("node");
  if (node.empty())
    return fmt::format("Node.js {} or newer is missing; run ./dev setup", kOldestNode);
  if (const int version = node_version(node); version < kOldestNode) {
    return fmt::format("{} is Node.js {}, needed is {} or newer; run ./dev setup", node.string(),
                       version, kOldestNode);
  }
  std::error_code ignored;
  if (!fs::exists(script(), ignored)) return "its script is missing: " + script().string();
  if (!fs::exists(library_folder() / "node_modules/onnxruntime-node/package.json", ignored)) {
    return "the npm package onnxruntime-node is missing; run ./dev setup";
  }
  return std::nullopt;
}

EngineCommand command(const EngineOptions& options) {
  EngineCommand command;
  command.argv = {"node", script().string()};
  command.cpus = options.cpus;
  command.log = options.folder / "onnxruntime.log";
  command.environment["TMPDIR"] = options.folder.string();  // its profiles go with the run
  return command;
}

}  // namespace

EngineDef onnxruntime_engine() {
  return {.name = "onnxruntime",
          .summary = "ONNX Runtime on the CPU, through its Node.js package",
          .unavailable = unavailable,
          .command = command};
}

}  // namespace opbench

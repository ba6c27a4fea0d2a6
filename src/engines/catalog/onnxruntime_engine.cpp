#include "base/files/file.h"
#include "engines/catalog/engine.h"

namespace opbench {
namespace {

namespace fs = std::filesystem;

fs::path onnxruntime_executable() { return executable_folder() / "opbench-engine-onnxruntime"; }

/// In node_modules, to which the build has a link where an installation has the folder.
fs::path library() {
  constexpr auto kPlace =
      "../lib/opbench/node_modules/onnxruntime-node/bin/napi-v6/linux/x64/libonnxruntime.so.1";
  return (executable_folder() / kPlace).lexically_normal();
}

std::optional<std::string> onnxruntime_unavailable() {
  std::error_code ignored;
  if (!fs::exists(onnxruntime_executable(), ignored)) {
    return "its executable is missing: " + onnxruntime_executable().string() + "; run ./dev build";
  }
  if (!fs::exists(library(), ignored)) {
    return "the library of the npm package onnxruntime-node is missing: " + library().string() +
           "; run ./dev setup";
  }
  return std::nullopt;
}

EngineCommand onnxruntime_command(const EngineOptions& options) {
  EngineCommand command;
  command.argv = {onnxruntime_executable().string(), library().string()};
  command.cpus = options.cpus;
  command.log = options.folder / "onnxruntime.log";
  command.environment["TMPDIR"] = options.folder.string();  // its profiles go with the run
  return command;
}

}  // namespace

EngineDef onnxruntime_engine() {
  return {.name = "onnxruntime",
          .summary = "ONNX Runtime on the CPU, through its C interface",
          .is_reference = true,
          .unavailable = onnxruntime_unavailable,
          .command = onnxruntime_command};
}

}  // namespace opbench

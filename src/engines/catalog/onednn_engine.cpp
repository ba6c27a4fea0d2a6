#include "engines/catalog/engine.h"
#include "engines/catalog/onednn_command.h"

namespace opbench {
namespace {

EngineCommand onednn_engine_command(const EngineOptions& options) {
  return onednn_command(options, OnednnChoice::kFastest);
}

}  // namespace

EngineDef onednn_engine() {
  return {
      .name = "onednn",
      .summary = "oneDNN's primitives, one operator with what follows it; its fastest algorithm",
      .runs_models = false,
      .follows_cpu_cap = true,
      .unavailable = onednn_unavailable,
      .command = onednn_engine_command};
}

}  // namespace opbench

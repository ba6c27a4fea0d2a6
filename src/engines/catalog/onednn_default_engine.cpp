#include "engines/catalog/engine.h"
#include "engines/catalog/onednn_command.h"

namespace opbench {
namespace {

EngineCommand onednn_default_command(const EngineOptions& options) {
  return onednn_command(options, OnednnChoice::kDefault);
}

}  // namespace

EngineDef onednn_default_engine() {
  return {.name = "onednn-default",
          .summary = "oneDNN's primitives with the algorithm that it takes when nobody names one",
          .runs_models = false,
          .follows_cpu_cap = true,
          .unavailable = onednn_unavailable,
          .command = onednn_default_command};
}

}  // namespace opbench

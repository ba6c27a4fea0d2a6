#pragma once

#include <optional>
#include <string>

#include "engines/catalog/engine.h"

namespace opbench {

/// Which of oneDNN's algorithms the engine takes: the fastest of all that it has, or the one that
/// oneDNN takes when nobody names one.
enum class OnednnChoice { kFastest, kDefault };

/// The process of the onednn engine. With a target that lacks what this machine has, oneDNN uses no
/// more than the target names.
EngineCommand onednn_command(const EngineOptions& options, OnednnChoice choice);

/// Why it cannot be used here; nothing if it can.
std::optional<std::string> onednn_unavailable();

}  // namespace opbench

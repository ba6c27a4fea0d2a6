#pragma once

#include <atomic>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "base/errors/error.h"

namespace opbench {

/// A program that is run to its end, its output in a file.
struct LoggedCommand {
  std::vector<std::string> argv;  ///< the program is sought in PATH
  std::filesystem::path folder;   ///< where it runs; empty: here
  std::filesystem::path output;   ///< appended to: stdout and stderr
  std::function<void()> wait;     ///< called several times a second meanwhile; may be empty
  const std::atomic<bool>* cancel = nullptr;
};

/// Its exit code, 128 and the signal if one ended it. It reads nothing, and it is a process group
/// of its own, which is ended when cancelled. `kSystem` when it cannot be started, `kInterrupted`.
Result<int> run_logged(const LoggedCommand& command);

}  // namespace opbench

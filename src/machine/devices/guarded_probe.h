#pragma once

#include <chrono>
#include <functional>
#include <string>

#include "base/errors/error.h"

namespace opbench {

/// What `probe` returns in a process of its own, so that a driver which crashes, prints or never
/// answers does no harm here, and its libraries stay out of this process. `kEnvironment` when it
/// ends by a signal, takes longer than `limit`, or answers nothing; `kSystem` when no process can
/// be started.
Result<std::string> probe_in_child(const std::function<std::string()>& probe,
                                   std::chrono::milliseconds limit);

}  // namespace opbench

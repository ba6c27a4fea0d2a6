#pragma once

#include <functional>
#include <memory>
#include <string>

#include "base/errors/error.h"
#include "engines/runtime/device_api.h"

namespace opbench {

/// The engine that a process is.
struct PackageHost {
  std::string name;  ///< the engine's
  /// The device that its kernels run on, opened when the engine is greeted; empty: the host.
  std::function<Result<std::unique_ptr<DeviceApi>>()> open_device = {};
};

/// The main loop of an engine that loads packages and runs them: answers the engine protocol until
/// the requests end. No compiler and no LLVM inside. Returns the process's exit code.
int serve_packages(const PackageHost& host);

}  // namespace opbench

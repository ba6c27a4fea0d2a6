#pragma once

#include <atomic>
#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "base/errors/failure.h"
#include "engines/client/engine_process.h"
#include "engines/package/kernel_cache.h"

namespace opbench {

/// The main loop of a build worker: this program, started anew, which compiles one kernel a request
/// (`compile` with `spec`, `function`, `object`, over the engine protocol's descriptors; of tests
/// `fault`: crash, hang, out-of-memory). Returns
/// the exit code.
int serve_builds();

/// What a failure of kind kUnsupported means: the worker could not load Halide. `kEnvironment`.
Error no_compiler(const Failure& failure);

struct BuildOptions {
  std::vector<std::string> worker;  ///< command of a build worker
  int workers = 1;                  ///< processes at once
  std::filesystem::path logs;  ///< folder for what they print; a failure quotes it; empty: nowhere
  Seconds time_limit{60};      ///< for one kernel
  std::function<void(size_t done, size_t total)> progress;  ///< on the caller's thread
  const std::atomic<bool>* cancel = nullptr;                ///< when true: stop at once
};

struct KernelBuild {
  KernelSpec spec;
  KernelKey key;
};

/// Compiles the kernels whose objects do not exist, in worker processes: a kernel that crashes or
/// hangs the compiler costs itself alone. Returns the failures by function name. `kInterrupted`
/// when cancelled: the workers have then ended, and what they finished lies in the cache.
/// `kEnvironment` when a worker finds no compiler.
Result<std::map<std::string, Failure>> build_kernels(const std::vector<KernelBuild>& kernels,
                                                     const BuildOptions& options);

}  // namespace opbench

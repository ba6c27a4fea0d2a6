#pragma once

#include <memory>
#include <span>
#include <string>

#include "base/tables/table.h"
#include "engines/runtime/loaded_package.h"

namespace opbench {

/// Runs all steps of a loaded package: one run of the model.
class Executor {
 public:
  virtual ~Executor() = default;

  /// Returns 0, or the first error code of a kernel.
  virtual int run() = 0;

  /// The same with clock readings: `step_s[i]` receives the seconds of step i.
  virtual int run_timed(std::span<double> step_s) = 0;
};

/// A way to run packages.
struct ExecutorDef {
  std::string name;
  std::string summary;
  /// Its packages are made of kernels that leave the model's free dimensions open.
  bool has_free_extents = false;
  /// It runs the programs of workers where the package has them; else one step after the other.
  bool follows_plan = false;
  /// The package must outlive the executor. `kInvalidInput` if a step cannot be bound.
  Result<std::unique_ptr<Executor>> (*make)(LoadedPackage& package) = nullptr;
};

/// Every executor, from the files `<x>_executor.cpp`.
const Table<ExecutorDef>& executor_table();

/// Runs the steps one after the other.
Result<std::unique_ptr<Executor>> make_sequential_executor(LoadedPackage& package);

/// Runs the programs of the package's workers; there are some. Waits for the device after each step
/// on it, so that who waits for the step finds what it made. A step does not run after one has
/// failed.
Result<std::unique_ptr<Executor>> make_team_executor(LoadedPackage& package);

/// The name of the executor that runs where the user names none.
inline constexpr const char* kDefaultExecutor = "sequential";

}  // namespace opbench

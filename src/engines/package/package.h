#pragma once

#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "engines/package/build_worker.h"
#include "engines/package/free_forms.h"
#include "engines/package/memory_plan.h"
#include "engines/package/package_weights.h"
#include "engines/package/unit_placement.h"
#include "model/graph/graph.h"
#include "model/operators/workloads/unit_identity.h"

namespace opbench {

/// What packages of one model find out once, whatever its extents.
struct PackageFindings {
  std::set<std::string> checked_steps;       ///< whose references take their types
  std::map<std::string, KernelFacts> facts;  ///< of kernels, by function
};

struct PackageOptions {
  Target target;
  int threads = 1;               ///< of the engine that will run it
  MemoryBoundaries boundaries;   ///< of the host and the device that it will run on
  std::filesystem::path folder;  ///< where the package is made
  std::filesystem::path cache;   ///< of compiled kernels
  BuildOptions build;
  GivenLayouts layouts;             ///< of graph inputs and outputs
  KernelChoices choices;            ///< in place of the default kernels
  const FreeForms* free = nullptr;  ///< kernels leave these extents free where they can; null: none
  PackageWeights* weights = nullptr;    ///< shared with other packages; null: the package's own
  PackageFindings* findings = nullptr;  ///< of other packages of the model; null: there are none
  TeamProgram teams = {};  ///< which workers run which step: its kernel is that for a team of its
                           ///< size, and memory is planned for what overlaps; no steps: none
  UnitPlacement placement = {};  ///< beside a device: the package then has programs of two workers
};

/// One step of a package, as reports name it.
struct PackagedUnit {
  UnitIdentity identity;  ///< with a workload
  UnitValues values;
  KernelFacts kernel;          ///< zeros where references run
  std::string code_hash = {};  ///< of its step (program_code.h)
};

/// A kernel that could not be built. Units of this workload have another schedule.
struct RefusedKernel {
  KernelSpec kernel;
  Failure failure;
};

struct Package {
  std::filesystem::path folder;
  Program program;
  int64_t live_bytes = 0;                        ///< largest live set, see live_set.h
  std::vector<PackagedUnit> units;               ///< one a step
  std::map<std::string, RefusedKernel> refused;  ///< by function name
  std::vector<std::string> remarks;              ///< of the model's passes
  std::string code_hash = {};                    ///< of its program (program_code.h)
};

/// Compiles a model with complete types into a package: layouts, kernels, memory, packed weights.
/// A kernel that cannot be built is listed, and replaced by that of the next schedule that takes
/// the unit, at the end by its operators' references. `kInterrupted` when the build is cancelled.
Result<Package> build_package(const Model& model, const std::vector<Unit>& units,
                              const PackageOptions& options);

/// The package of a model whose only step has this kernel, which is compiled already. Of the
/// options folder, cache and layouts count.
Result<Package> package_kernel(const Model& model, PlannedStep step, const KernelKey& kernel,
                               const PackageOptions& options);

}  // namespace opbench

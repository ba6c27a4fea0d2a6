#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/json/json.h"
#include "base/tensors/tensor.h"
#include "engines/runtime/executor.h"
#include "engines/runtime/loaded_package.h"
#include "engines/runtime/unit_bench.h"

namespace opbench {

using TensorsByName = std::vector<std::pair<std::string, Tensor>>;

/// A package with what runs it as a whole and by single steps.
struct LoadedModel {
  const ExecutorDef* definition = nullptr;
  std::unique_ptr<LoadedPackage> package;
  std::unique_ptr<UnitBench> bench;
  std::unique_ptr<Executor> executor;
};

/// Loads the package of a `prepare` request with what its params ask for.
Result<LoadedModel> load_model(const Json& params, LoadOptions options);

/// The tensors of a request's files, in the order given: a unit's operands have no names.
Result<std::vector<Tensor>> read_in_order(const Json& descriptions);

/// Gives the first inputs other values, as many as there are tensors; the others stay.
Result<void> set_inputs(LoadedPackage& package, const std::vector<Tensor>& tensors);

/// Fills the outputs that a step makes with ones in every bit.
void overwrite_results(LoadedPackage& package);
TensorsByName named_outputs(const LoadedPackage& package);

/// Throws what a failed call has said.
[[noreturn]] void throw_failure(LoadedPackage& package, int code);
/// The same for a call that may have failed; stands between calls that are timed.
inline void check_call(LoadedPackage& package, int code) {
  if (code != 0) throw_failure(package, code);
}

}  // namespace opbench

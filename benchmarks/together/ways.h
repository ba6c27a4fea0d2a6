#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "benchmarks/together/pool.h"
#include "engines/runtime/executor.h"
#include "experiments/sessions/model/model_source.h"
#include "experiments/sessions/request/profile_request.h"
#include "planning/plans/execution_plan.h"

namespace opbench {

/// A model's package with what runs it.
struct LoadedWay {
  std::unique_ptr<LoadedPackage> package;
  std::unique_ptr<Executor> executor;
};

/// A package whose steps run one after the other, on either pool.
struct InOrder {
  LoadedPackage* package = nullptr;
  std::unique_ptr<Executor> spinning;
  std::vector<BoundStep> on_condition_pool;
};

/// The model for one thread, for a thread on each of two CPUs, and for a plan on both. All of it
/// belongs to the thread that makes it, which has the first CPU.
class ModelWays {
 public:
  ModelWays(std::string model, std::vector<int> cpus)
      : model_(std::move(model)), cpus_(std::move(cpus)) {}

  /// Makes the packages for one and for both threads.
  Result<void> open(const std::filesystem::path& folder);

  /// Its units, with the medians of their times inside the model on one thread and on both. Where
  /// both have the same kernel, it takes the shorter one: they differ by where memory lies.
  Result<TimedGraph> graph();

  /// Makes the package of a plan. Where it has the kernels that the package for both threads has,
  /// the model runs in order from it too, so that no way is faster by where its memory lies.
  Result<void> add_plan(const ExecutionPlan& plan);

  /// Whether the plan and the default kernels in order run from one package.
  bool share_memory() const { return in_order_.package == planned_.package.get(); }

  /// The steps whose kernels share a loop among threads.
  Result<std::vector<bool>> steps_with_loops();

  // Runs of the model: 0, or the error code of a kernel.

  int run_alone() { return alone_.executor->run(); }
  int run_spinning() { return in_order_.spinning->run(); }
  int run_plan() { return planned_.executor->run(); }
  int run_on_condition_pool() { return run_all(in_order_.on_condition_pool); }

  /// Whether the outputs are those of the same kernels in order, bit for bit, for inputs of several
  /// seeds: of the plan, and on the pool that waits with a condition variable.
  Result<bool> are_outputs_right();

 private:
  Result<LoadedWay> load(const std::string& name, int threads, const TeamProgram& teams);
  Result<InOrder> in_order(LoadedPackage& package);
  static int run_all(std::vector<BoundStep>& steps);
  Result<void> set_inputs(uint64_t seed);

  std::string model_;
  std::vector<int> cpus_;
  std::filesystem::path folder_;
  ProfileRequest request_;
  std::unique_ptr<RequestedModel> requested_;
  std::unique_ptr<ConditionPool> pool_;
  std::unique_ptr<KernelContext> context_;
  LoadedWay alone_, together_, planned_;
  InOrder in_order_;
  std::unique_ptr<Executor> reference_;  ///< the plan's kernels in order
};

}  // namespace opbench

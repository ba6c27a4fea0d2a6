#pragma once

#include <atomic>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "base/errors/failure.h"
#include "base/json/json.h"
#include "base/tensors/tensor.h"
#include "engines/catalog/engine.h"
#include "measuring/results/profile_result.h"

namespace opbench {

struct TrialRunnerOptions {
  EngineDef engine;
  EngineOptions engine_options;            ///< threads, CPUs, folder
  Seconds time_limit{10};                  ///< of one request
  uint64_t memory_bytes = 8ULL << 30;      ///< address space of the engine
  double contender = 1.1;                  ///< times the best: what is measured at full precision
  std::map<uint64_t, std::string> faults;  ///< tests only: by config (fault.h)
  const std::atomic<bool>* cancel = nullptr;
};

/// What every config of a task is run on, and what has to come out.
struct TrialCase {
  std::shared_ptr<const Model> model;  ///< the workload, its weights constants
  std::vector<Tensor> inputs;          ///< of the model, in order
  std::vector<Tensor> fresh_inputs;    ///< others, for calls that are timed; empty: none
  Tensor expected;                     ///< its first output
  bool has_cold_weights = false;       ///< before every call the caches forget the weights
  bool is_on_device = false;           ///< copies of the inputs to a device stand before the kernel
};

/// Runs built kernels in an engine process: checks the result, then takes times. A kernel that ends
/// the process or does not return costs itself; the next gets a new process.
class TrialRunner {
 public:
  explicit TrialRunner(TrialRunnerOptions options);
  TrialRunner(const TrialRunner&) = delete;
  TrialRunner& operator=(const TrialRunner&) = delete;
  ~TrialRunner();

  /// Kernels of another task from now on. `kSystem` when the inputs cannot be written.
  Result<void> set_case(TrialCase trial_case);

  /// Makes a kernel ready and compares its result with what is expected. `package` as
  /// package_kernel made it for the config. Returns the CPU seconds that this first call took, as
  /// kernels may be built on the same CPU meanwhile.
  Outcome<double> prepare(const std::filesystem::path& package, uint64_t index);

  /// Seconds a call of the prepared trial, one for each repeat. How much is measured depends on how
  /// near the time is to the best so far (`best_s`; 0: none):
  /// - only `first_s` (from prepare), if that is already far from the best;
  /// - one call more, if that took half as long again as the best;
  /// - else three repeats, or ten if these are within `contender` of the best, or up to thirty
  ///   where few of them were undisturbed.
  ///
  /// Disturbed repeats are left out, then the fastest and the slowest, as in AutoTVM. What is
  /// measured at full precision also makes a timed call on inputs that it has not seen:
  /// kWrongResult as audit_calls says.
  Outcome<std::vector<double>> measure(double first_s, double best_s);

  /// The same with as many repeats of at least so long as say it precisely: for the winner.
  Outcome<std::vector<double>> measure_precisely();

  /// Whether the last time limit passed while this program was stopped, so that nothing is known.
  bool was_stopped() const { return was_stopped_; }

  /// Frees what is ready.
  void release();

 private:
  Outcome<void> start();
  Outcome<Json> call(const std::string& method, Json params, Seconds limit);
  Outcome<void> check(const Json& reply) const;
  Outcome<void> look_at_timed_calls();
  Outcome<std::vector<Sample>> samples(int64_t number, int repeats);
  /// Samples of `number` calls each.
  struct Repeats {
    int64_t number = 0;
    std::vector<Sample> samples = {};
  };
  /// Completes `so_far` to so many repeats that last `repeat_s` when a call takes `call_s`, or
  /// replaces them when theirs are of other lengths.
  Outcome<void> repeat(double call_s, double repeat_s, size_t repeats, Repeats& so_far);
  /// Seconds a call of those that nothing disturbed.
  std::vector<double> undisturbed(const Repeats& taken) const;
  /// These, or all if they are few, without the extremes.
  std::vector<double> costs_of(const Repeats& taken) const;

  TrialRunnerOptions options_;
  TrialCase case_;
  std::unique_ptr<Json> input_files_, fresh_files_;
  std::unique_ptr<EngineProcess> process_;
  int cases_ = 0;
  bool was_stopped_ = false;
};

}  // namespace opbench

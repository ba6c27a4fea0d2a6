#pragma once

#include <atomic>
#include <condition_variable>
#include <deque>
#include <filesystem>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <shared_mutex>
#include <string>
#include <thread>
#include <vector>

#include "base/errors/failure.h"
#include "engines/client/engine_process.h"
#include "engines/package/kernel_cache.h"
#include "engines/package/layout_plan.h"
#include "model/graph/graph.h"

namespace opbench {

struct TrialBuilderOptions {
  std::vector<std::string> worker;         ///< command of a build worker
  std::vector<int> cpus;                   ///< a worker on each
  std::set<int> measured;                  ///< of these, where kernels are timed too
  std::filesystem::path packages;          ///< for packages and logs; may forbid to run code
  std::filesystem::path objects;           ///< for objects and libraries
  Seconds time_limit{10};                  ///< to compile one
  uint64_t memory_bytes = 4ULL << 30;      ///< address space of a worker
  std::map<uint64_t, std::string> faults;  ///< tests only: by config (build_worker.h)
  const std::atomic<bool>* cancel = nullptr;
};

/// A kernel on its way to be measured.
struct BuildOrder {
  uint64_t index = 0;  ///< the config
  KernelSpec spec;
  std::shared_ptr<const Model> model;  ///< its workload as a model, weights as constants
};

struct BuiltTrial {
  uint64_t index = 0;
  std::filesystem::path package;  ///< empty when it failed
  std::filesystem::path objects;  ///< of this trial alone
  std::optional<Failure> failure;
  double seconds = 0;
};

/// Compiles candidates ahead of the one that is measured, in worker processes, each into a package
/// of its own. A candidate that crashes a worker, hangs or takes too much memory costs itself.
class TrialBuilder {
 public:
  explicit TrialBuilder(TrialBuilderOptions options);
  TrialBuilder(const TrialBuilder&) = delete;
  TrialBuilder& operator=(const TrialBuilder&) = delete;
  ~TrialBuilder();

  void add(BuildOrder order);

  /// The next that is done, in whatever order; waits for one. Nothing when none was added that was
  /// not yet taken, and when cancelled.
  std::optional<BuiltTrial> take();

  /// Waits until everything that was added is built, or it is cancelled.
  void wait_until_built();

  /// Removes what a trial left on disk.
  static void discard(const BuiltTrial& trial);

  /// While it lives, nothing is built on the CPUs where kernels are timed.
  class Quiet {
   public:
    explicit Quiet(TrialBuilder& builder);
    Quiet(const Quiet&) = delete;
    Quiet& operator=(const Quiet&) = delete;
    ~Quiet();

   private:
    TrialBuilder& builder_;
    std::unique_lock<std::shared_mutex> lock_;
    double begin_s_;
  };

 private:
  struct Worker;
  void serve(Worker& worker);
  BuiltTrial build(Worker& worker, const BuildOrder& order);
  std::optional<Failure> compile(Worker& worker, const BuildOrder& order, const KernelKey& key);
  std::optional<Failure> compile_once(Worker& worker, const BuildOrder& order,
                                      const KernelKey& key);
  Outcome<void> start(Worker& worker);
  static void end(Worker& worker);
  void signal_workers(int signal);
  bool is_cancelled() const { return options_.cancel != nullptr && *options_.cancel; }

  TrialBuilderOptions options_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<BuildOrder> orders_;
  std::deque<BuiltTrial> done_;
  size_t open_ = 0;  ///< added and not taken
  bool ends_ = false;
  std::atomic<double> paused_s_ = 0;  ///< workers that share CPUs with what is timed, in all
  std::shared_mutex quiet_;           ///< shared: what this process does for a build; alone: timing
  std::vector<std::unique_ptr<Worker>> workers_;
};

}  // namespace opbench

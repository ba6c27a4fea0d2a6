#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/files/file.h"
#include "base/json/json.h"
#include "experiments/sessions/check/reference.h"
#include "experiments/sessions/check/run_check.h"
#include "experiments/sessions/engine_run.h"
#include "experiments/sessions/model/model_source.h"
#include "experiments/sessions/request/variant.h"
#include "experiments/sessions/variant_device.h"
#include "machine/facts/topology.h"

namespace opbench {

class PackageKeeper;
struct PlanFile;

/// How a session prepares its variants.
struct SessionOptions {
  UnitKind units = UnitKind::kOwn;
  std::filesystem::path folder;     ///< for the files of the run; empty: one of its own, removed at
                                    ///< the end
  PackageKeeper* keeper = nullptr;  ///< outlives the session: see make_engine_run
  /// Looks at the model before anything is built; its error ends make(). May be empty.
  std::function<Result<void>(const Model&)> accept = {};
};

/// A variant whose engine cannot run the model, because it needs types that the model does not
/// have.
struct RefusedVariant {
  Variant variant;
  std::vector<int> cpus;
  Error error;
};

/// The CPUs that so many threads run on: of the settings' CPUs, else of those that this process
/// may use. choose_cpus' errors.
Result<std::vector<int>> cpus_of(const Topology& topology, const RunSettings& settings,
                                 int threads);

/// A model with its inputs, and an engine run for each variant, which is built. Nothing is timed
/// here.
class Session {
 public:
  /// Reads the model and plans, makes the inputs and builds what the engines need. It is an error
  /// if every variant is refused(). `kInvalidInput`, `kEnvironment` as run_profile says.
  static Result<std::unique_ptr<Session>> make(ModelSpec spec, std::vector<Variant> variants,
                                               MeasureOptions measure, RunHooks hooks,
                                               SessionOptions options = {});
  ~Session();
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  /// Computes what the engine runs are checked against, and checks each. Returns why nothing can
  /// check them; empty where something does, or where no check was asked for. make_reference's
  /// errors.
  Result<std::string> check();

  /// Version, call overhead and library versions of every engine run's engine, as it says itself,
  /// and a hash of the files that it executes.
  void describe_engines();

  const ModelSpec& spec() const { return spec_; }
  const MeasureOptions& measure() const { return measure_; }
  const RunHooks& hooks() const { return hooks_; }
  /// Of the first variant.
  const Target& target() const { return targets_.front(); }
  const RequestedModel& model() const { return model_; }
  const NamedTensors& inputs() const { return inputs_; }
  const Topology& topology() const { return topology_; }
  const std::filesystem::path& cache() const { return cache_; }
  const std::filesystem::path& folder() const { return folder_; }
  const std::vector<RefusedVariant>& refused() const { return refused_; }
  std::vector<EngineRun>& engine_runs() { return engine_runs_; }
  const std::vector<EngineRun>& engine_runs() const { return engine_runs_; }
  EngineRunner& runner() { return *runner_; }
  std::vector<std::string>& warnings() { return warnings_; }
  bool is_cancelled() const { return hooks_.is_cancelled(); }

  /// Tells the listener, if there is one.
  void report(const std::string& stage, const std::string& engine, const std::string& item,
              int64_t done, int64_t total) const;

 private:
  Session(ModelSpec spec, MeasureOptions measure, RunHooks hooks, SessionOptions options);
  Result<void> open(const std::vector<Variant>& variants);
  Result<void> read_targets(const std::vector<Variant>& variants);
  Result<void> read_model();
  Result<void> make_inputs();
  Result<void> choose_cache();
  Result<void> add(const Variant& variant, const EngineDef& definition, size_t index,
                   const std::vector<int>& cpus, const std::optional<PlanFile>& plan);
  EngineOptions options_for(const Variant& variant, const Target& target,
                            const std::vector<int>& cpus) const;
  void write_fresh_inputs();
  void check_runs();

  ModelSpec spec_;
  MeasureOptions measure_;
  RunHooks hooks_;
  SessionOptions options_;
  std::filesystem::path folder_;
  std::optional<TemporaryFolder> own_folder_;
  std::vector<Target> targets_;       ///< by variant
  std::vector<FoundDevice> devices_;  ///< that run the targets' code
  RequestedModel model_;
  NamedTensors inputs_;
  std::unique_ptr<Json> input_files_;
  std::unique_ptr<Json> fresh_files_;  ///< of other inputs than `inputs_`; null: all are given
  std::optional<Error> types_error_;   ///< nothing: the types of all values are known
  Topology topology_;
  std::filesystem::path cache_;
  std::vector<RefusedVariant> refused_;
  std::vector<EngineRun> engine_runs_;
  Reference reference_;
  std::unique_ptr<EngineRunner> runner_;
  std::vector<std::string> warnings_;
};

}  // namespace opbench

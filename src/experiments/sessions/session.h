#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/files/file.h"
#include "base/json/json.h"
#include "experiments/sessions/lane.h"
#include "experiments/sessions/lane_check.h"
#include "experiments/sessions/model_source.h"
#include "experiments/sessions/profile_request.h"
#include "machine/facts/topology.h"

namespace opbench {

class PackageKeeper;
struct PlanFile;

/// What every run stands on: the request's model and inputs, lanes of engines that are built and
/// checked. Nothing is timed here. The members are filled in the order of the functions.
class Session {
 public:
  /// `request` outlives it. `folder`: for the files of the run; empty: one of its own, removed at
  /// the end. `keeper` outlives it too: see make_lane.
  explicit Session(const ProfileRequest& request, std::filesystem::path folder = {},
                   PackageKeeper* keeper = nullptr);
  ~Session();
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  /// Reads target, model and plan, makes the inputs, finds the engines `engines` and a cache that
  /// can be written. `kInvalidInput`, `kEnvironment` as run_profile says.
  Result<void> open(const std::vector<std::string>& engines);

  /// The CPUs that `threads` threads run on. choose_cpus' errors.
  Result<std::vector<int>> cpus_of(int threads) const;

  /// Why an engine of open() cannot run the model: it needs types that the model does not have.
  std::optional<Error> refusal_of(const std::string& engine) const;

  /// Builds what an engine of open() needs on these CPUs, a thread on each. make_lane's errors; the
  /// model's own error when the engine needs types that it does not have.
  Result<void> add_lane(const std::string& engine, const std::vector<int>& cpus,
                        UnitKind units = UnitKind::kOwn);

  /// Computes what the lanes are checked against. Its reason when nothing can check them; empty
  /// where something does, or where no check was asked for. make_reference's errors.
  Result<std::string> compute_reference();

  /// Starts a runner for all lanes and checks each lane against the reference.
  void check_lanes();

  /// Version, call overhead and library versions of every lane's engine, as it says itself.
  void describe_engines();

  const ProfileRequest& request() const { return request_; }
  const Target& target() const { return target_; }
  const Model& model() const { return model_; }
  const NamedTensors& inputs() const { return inputs_; }
  const Topology& topology() const { return topology_; }
  const std::filesystem::path& cache() const { return cache_; }
  const std::filesystem::path& folder() const { return folder_; }
  std::vector<Lane>& lanes() { return lanes_; }
  EngineRunner& runner() { return *runner_; }
  std::vector<std::string>& warnings() { return warnings_; }
  bool is_cancelled() const { return request_.hooks.cancel != nullptr && *request_.hooks.cancel; }

  /// Tells the request's listener, if it has one.
  void report(const std::string& stage, const std::string& engine, const std::string& item,
              int64_t done, int64_t total) const;

 private:
  Result<void> choose_cache();
  void write_fresh_inputs();
  EngineOptions options_for(const std::string& engine, const std::vector<int>& cpus) const;

  const ProfileRequest& request_;
  std::filesystem::path folder_;
  PackageKeeper* keeper_;
  std::optional<TemporaryFolder> own_folder_;
  std::unique_ptr<const PlanFile> plan_;  ///< null: the request names none
  std::vector<KernelChoice> planned_kernels_;
  Target target_;
  std::map<std::string, EngineDef> definitions_;
  RequestedModel model_;
  NamedTensors inputs_;
  std::unique_ptr<Json> input_files_;
  std::unique_ptr<Json> fresh_files_;  ///< of other inputs than `inputs_`; null: all are given
  bool has_types_ = false;
  Error types_error_;
  Topology topology_;
  std::filesystem::path cache_;
  std::vector<Lane> lanes_;
  Reference reference_;
  std::unique_ptr<EngineRunner> runner_;
  std::vector<std::string> warnings_;
};

}  // namespace opbench

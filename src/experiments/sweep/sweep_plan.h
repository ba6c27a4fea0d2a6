#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "base/errors/error.h"
#include "experiments/sessions/make_engine_run.h"
#include "experiments/sessions/request/profile_request.h"
#include "experiments/sweep/sweep_key.h"
#include "measuring/results/sweep_result.h"
#include "model/operators/workloads/workload.h"

namespace opbench {

/// Points of a sweep that one run measures: they differ in engine and threads only.
struct SweepGroup {
  std::vector<size_t> points;  ///< their numbers, ascending
};

/// All points of a sweep, checked before anything is measured.
class SweepPlan {
 public:
  static constexpr size_t kMostPoints = 10'000;

  /// Several engines or thread counts of `base` become keys before the others. `kInvalidInput`: no
  /// key, an unknown key or value, two keys for one thing, too many points, a workload or model
  /// that cannot be read, or one that fits neither the first point nor the last.
  static Result<SweepPlan> make(ProfileRequest base, std::vector<SweepKey> keys);

  const ProfileRequest& base() const { return base_; }
  const std::vector<SweepKey>& keys() const { return keys_; }
  size_t size() const { return point_count(keys_); }

  /// The point's values, workload, engine, threads and batch; no result.
  SweepPoint point(size_t index) const;

  /// What measures the point alone. `kInvalidInput` when the values fit no operands.
  Result<ProfileRequest> request(size_t index) const;

  /// The points in groups, in the order in which they are measured.
  std::vector<SweepGroup> groups() const;

 private:
  SweepPlan(ProfileRequest base, std::vector<SweepKey> keys)
      : base_(std::move(base)), keys_(std::move(keys)) {}
  Result<void> read_subject();
  Result<void> add_settings();
  Result<void> check_kernel_keys() const;
  Result<void> check_extents() const;
  void apply(size_t key, const std::string& value, ProfileRequest& request,
             std::vector<ExtentChange>& changes) const;
  void bind_input(const SweepSetting& setting, int64_t extent, ProfileRequest& request) const;
  void replace_batch(ProfileRequest& request) const;
  Result<void> complete_shapes(ProfileRequest& request) const;
  int64_t model_batch(const ProfileRequest& request) const;
  Result<void> choose_kernel(const std::vector<std::string>& values, ProfileRequest& request) const;
  void add_command(const std::vector<std::string>& values, ProfileRequest& request) const;

  ProfileRequest base_;
  std::vector<SweepKey> keys_;
  std::vector<SweepSetting> settings_;  ///< one a key
  std::optional<Workload> workload_;
  std::vector<Value> inputs_;  ///< of a model
};

}  // namespace opbench

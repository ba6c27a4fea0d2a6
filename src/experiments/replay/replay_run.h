#pragma once

#include <atomic>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "experiments/sessions/request/profile_request.h"
#include "machine/facts/environment.h"
#include "records/record/replay.h"
#include "records/record/replay_result.h"

namespace opbench {

struct ReplayOptions {
  bool measures_elsewhere = false;  ///< measure what is not comparable too
  std::optional<double> budget_s;   ///< instead of the recorded one
  ReplayMargin margin;
  std::vector<UserEngine> user_engines;
  std::function<void(const Progress&)> progress;  ///< may be empty
  const std::atomic<bool>* cancel = nullptr;
};

/// What a replay does to the world; tests put their own in its place.
struct ReplayHooks {
  std::function<Result<ProfileResult>(const ProfileRequest&)> profile;
  /// SHA-256 of the model that a request names, as it is now.
  std::function<Result<std::string>(const ProfileRequest&)> model_sha256;
};

/// The real ones.
ReplayHooks replay_hooks();

/// Runs again what the rows (number and item set) hold, all records of one run in one run, and
/// judges each. Records of another machine and of a model that has changed are not comparable and,
/// unless the options want it, not measured. A run that cannot be repeated makes its records
/// `failed`, with the reason.
ReplayResult run_replay(std::vector<ReplayRow> rows, const Environment& environment_now,
                        const ReplayOptions& options, const ReplayHooks& hooks);

}  // namespace opbench

#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "experiments/sessions/request/run_request.h"
#include "experiments/together/task_configs.h"
#include "tuning/trials/trial_machine.h"

namespace opbench {

/// All that determines a `tune --together`.
struct TogetherRequest {
  RunRequest run;                      ///< of the two units; budget_s for all that is measured
  std::vector<std::string> workloads;  ///< texts of two units
  size_t configs = 12;                 ///< that are tried of each
  size_t list = 4;                     ///< of these the most that are combined
  std::filesystem::path log;           ///< trials on one thread; those on two have one beside it
  bool continues = false;              ///< goes on where the logs end
  std::filesystem::path store;         ///< where the choice is kept; empty: nowhere
  KnownConfig known;                   ///< from trials elsewhere; may be empty
  /// What builds and times configs for so many threads.
  std::function<Result<std::unique_ptr<TrialMachine>>(int threads)> machine;
};

/// The log of trials on two threads that belongs to one of trials on one: `a.log`,
/// `a.2-threads.log`.
std::filesystem::path two_thread_log(const std::filesystem::path& log);

}  // namespace opbench

#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "experiments/fusion/operator_pairs.h"
#include "experiments/sessions/request/profile_request.h"

namespace opbench {

/// Which pairs are timed, where and for how long.
struct FusionRequest {
  std::vector<std::string> engines;
  std::vector<UserEngine> user_engines;
  std::vector<OperatorPair> pairs;
  int threads = 1;
  double budget_s = 4;  ///< of pure measuring, for each pair and engine
  uint64_t seed = 0;
  std::function<void(const Progress&)> progress;  ///< may be empty
  const std::atomic<bool>* cancel = nullptr;
};

}  // namespace opbench

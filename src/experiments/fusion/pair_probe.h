#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <vector>

#include "experiments/fusion/fusion_decision.h"
#include "experiments/fusion/fusion_request.h"
#include "experiments/sessions/session.h"

namespace opbench {

/// The models of one pair in one engine, each in processes of its own, ready to be timed.
class PairProbe {
 public:
  /// Writes the models to `folder`, builds them and starts their processes. Errors of sessions.
  static Result<std::unique_ptr<PairProbe>> make(const FusionRequest& request,
                                                 const std::string& engine,
                                                 const OperatorPair& pair,
                                                 const std::filesystem::path& folder);

  /// Adds `rounds` rounds to every process. The failure of an engine otherwise.
  Outcome<void> measure(int rounds, PairRounds& into);

  /// Whether the pair runs in fewer kernels than its operators by themselves, by what the engine
  /// says of itself; nothing: it says nothing.
  std::optional<bool> says_fused();

  static constexpr int kProcesses = 3;

 private:
  PairProbe() = default;
  Outcome<void> calibrate(size_t model);
  Outcome<double> time_of(size_t model, int process);
  std::optional<size_t> kernels_of(size_t model);

  std::vector<std::unique_ptr<Session>> sessions_;  ///< by model, in the order of PairRound
  std::unique_ptr<EngineRunner> runner_;
  std::vector<int64_t> numbers_;  ///< calls of a repeat, by model
  uint64_t seed_ = 0;
};

}  // namespace opbench

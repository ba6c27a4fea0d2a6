#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "experiments/together/group_forecast.h"
#include "measuring/results/compare_result.h"
#include "model/operators/workloads/unit_identity.h"

namespace opbench {

/// One of the two units, and the configs of it that are worth combining.
struct TogetherUnit {
  UnitIdentity identity;  ///< without schedule and origin: those are of its configs
  size_t tried = 0, failed = 0, resumed = 0;
  std::vector<UnitConfig> list;
  std::vector<std::optional<double>> pressures;  ///< by config: slow-down of the probe beside it
};

/// One way to run both.
struct TogetherCandidate {
  GroupForecast forecast;
  std::string baseline;             ///< `sequential`, `isolated best side by side`; empty: none
  std::optional<Measurement> time;  ///< until both have ended
  std::optional<Ratio> ratio;       ///< over the first candidate; nothing: it is that, or unknown
  std::optional<Verdict> verdict;   ///< likewise
  std::string reason;               ///< of the verdict, or why there is none
};

/// The best candidate beside the better baseline, measured afresh.
struct TogetherJudgement {
  size_t candidate = 0;
  std::optional<Ratio> ratio;      ///< its time over the baseline's
  std::optional<Verdict> verdict;  ///< nothing: `reason` says why
  std::string reason;
};

/// All that one `tune --together` found out.
struct TogetherResult {
  std::string timestamp;
  std::string target;
  std::vector<int> cpus;
  uint64_t seed = 0;
  std::array<TogetherUnit, 2> units;
  bool has_pressures = false;  ///< slow-downs were forecast from measured curves; else none
  size_t forecasts = 0;        ///< combinations that were predicted
  std::vector<TogetherCandidate> candidates;  ///< both baselines, then the best by prediction
  size_t baseline = 0;                        ///< the better one
  std::optional<TogetherJudgement> judgement;
  size_t chosen = 0;
  std::string reason;  ///< of the choice
  std::string key;     ///< under which it is kept
  std::string kept;    ///< file; empty: not kept
  double spent_s = 0;  ///< on all that was measured
  Environment environment;
  std::vector<std::string> warnings;

  /// The baseline's time over the choice's, as judged; 1 where the baseline is the choice.
  double speedup() const;
};

}  // namespace opbench

#pragma once

#include <span>
#include <string>
#include <vector>

#include "opbench/analysis/compare_plan.h"
#include "opbench/analysis/compare_request.h"
#include "opbench/measure/aa_floor.h"
#include "opbench/measure/compare_result.h"

namespace opbench {

/// What judging needs besides the times.
struct JudgeInputs {
  const std::vector<Side>& sides;
  const ComparePlan& plan;
  const PairedResult& times;
  const FloorRun& twins;           ///< this run's A/A pairs
  std::span<const FloorRun> kept;  ///< of earlier runs on this machine
  double margin = 0.02;
};

/// The A/A pairs among the times.
FloorRun twins_of(const std::vector<Side>& sides, const ComparePlan& plan,
                  const PairedResult& times, std::string timestamp, std::string noise_class);

/// Under which name a row's A/A difference is kept.
FloorKey floor_key(const CompareRow& row, const std::vector<Side>& sides);

/// ln(new / base) of one side in a row, per batch item where batch sizes differ.
Estimate log_ratio_in(const CompareRow& row, size_t side, const std::vector<Side>& sides,
                      const PairedTimes& times);

/// The verdicts on one side against the base, units by the base's total time. A unit with a time
/// below 20 call floors of its engine has no verdict (docs/engine-protocol.md).
Comparison compare_with_base(size_t side, const JudgeInputs& inputs);

}  // namespace opbench

#pragma once

#include <span>
#include <string>
#include <vector>

#include "experiments/compare/compare_plan.h"
#include "experiments/compare/compare_request.h"
#include "measuring/results/compare_result.h"
#include "measuring/sampling/aa_floor.h"

namespace opbench {

/// What judging needs besides the times.
struct JudgeInputs {
  const std::vector<PreparedVariant>& sides;
  const ComparePlan& plan;
  const PairedResult& times;
  const FloorRun& control;         ///< this run's A/A pairs
  std::span<const FloorRun> kept;  ///< of earlier runs on this machine
  double margin = 0.02;
  uint64_t seed = 0;  ///< of the measurement
};

/// The A/A pairs among the times.
FloorRun control_of(const std::vector<PreparedVariant>& sides, const ComparePlan& plan,
                    const PairedResult& times, std::string timestamp, std::string noise_class);

/// Under which name a row's A/A difference is kept.
FloorKey floor_key(const CompareRow& row, const std::vector<PreparedVariant>& sides);

/// ln(new / base) of a side and the first one in a row, per batch item where batch sizes differ.
Estimate log_ratio_in(const CompareRow& row, size_t side, const std::vector<PreparedVariant>& sides,
                      const PairedTimes& times);

/// The verdicts on one side against the base, units by the base's total time. A unit with a time
/// below 20 call overheads of its engine has no verdict (docs/reference/engine-protocol.md).
Comparison compare_with_base(size_t side, const JudgeInputs& inputs);

/// The same of two new sides, from the same rounds.
Comparison compare_new_sides(size_t first, size_t second, const JudgeInputs& inputs);

}  // namespace opbench

#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "base/errors/failure.h"
#include "records/record/tuning_record.h"
#include "tuning/trials/candidate.h"

namespace opbench {

/// Now, as logs have it: seconds since 1970.
double unix_time_s();

/// One config that was built and measured.
struct Trial {
  KnobConfig config;
  std::vector<double> costs_s;     ///< seconds a call, one a repeat; empty: it failed
  std::optional<Failure> failure;  ///< exactly one of the two
  double spent_s = 0;              ///< building and measuring
  double finished_at = 0;          ///< seconds since 1970
};

/// What records of the task's trials have in common: target, name and arguments.
TuningRecord record_of(const Task& task);

/// The trial as logs have it.
TuningRecord record_of(const TunableTask& task, const Trial& trial);

/// Operations a second; 0 for a failure.
double score_of(const TunableTask& task, const Trial& trial);

}  // namespace opbench

#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "base/errors/error.h"
#include "experiments/analysis/swept_times.h"
#include "experiments/analysis/trial_rows.h"
#include "prediction/analysis/correlate.h"

namespace opbench {

/// What is to depend on the factors.
enum class CorrelationOf {
  kTime,     ///< the time of a trial that succeeded
  kFailure,  ///< whether a trial failed
};

struct CorrelationRequest {
  CorrelationOf of = CorrelationOf::kTime;
  bool is_across = false;  ///< compares times of different workloads as they are
  CorrelationOptions options;
};

/// The factors of one task, or of a sweep.
struct TaskCorrelation {
  std::string task, target;  ///< empty for a sweep
  size_t rows = 0;           ///< that count
  size_t failed = 0;         ///< trials without a time
  size_t workloads = 0;      ///< with trials that count
  size_t left_out = 0;       ///< trials of workloads with too few of them
  CorrelationTable table;
  std::string failure;  ///< why nothing could be said
};

struct CorrelationReport {
  std::string source;
  CorrelationOf of = CorrelationOf::kTime;
  bool is_across = false;
  std::vector<TaskCorrelation> tasks;
  std::vector<std::string> notes;
};

/// Of trials. Times are taken within each workload, as ln(time / the workload's mean): sizes differ
/// more than configs do. Workloads with fewer than 8 trials are left out. With `is_across`, times
/// are as they are.
TaskCorrelation correlate_trials(const TrialRows& rows, const CorrelationRequest& request);

/// Of a sweep: its keys are the factors.
TaskCorrelation correlate_sweep(const SweptTimes& table, const CorrelationRequest& request);

}  // namespace opbench

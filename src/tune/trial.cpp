#include "opbench/tune/trial.h"

namespace opbench {

int error_number(FailureKind kind) {
  switch (kind) {
    case FailureKind::kInvalidConfig:
      return 1;
    case FailureKind::kBuildError:
      return 2;
    case FailureKind::kRunError:
      return 4;
    case FailureKind::kWrongResult:
      return 5;
    case FailureKind::kBuildTimeout:
      return 6;
    case FailureKind::kRunTimeout:
      return 7;
    case FailureKind::kDeviceLost:
    case FailureKind::kUnsupported:
      break;
  }
  return 8;
}

TuningRecord record_of(const TunableTask& task, const Trial& trial) {
  TuningRecord record;
  record.target = display_text(task.task.target);
  record.task = task.task.name;
  for (const Argument& argument : task.task.arguments) record.arguments.push_back({"", argument});
  record.config = trial.config;
  record.result.costs_s = trial.costs_s;
  if (trial.failure) {
    record.result.error_no = error_number(trial.failure->kind);
    record.result.error_message = trial.failure->text;
  }
  record.result.all_cost_s = trial.spent_s;
  record.result.timestamp = trial.finished_at;
  record.tvm_version = "0.8.0";  // whose numbering the index has
  return record;
}

double score_of(const TunableTask& task, const Trial& trial) {
  return trial.costs_s.empty() ? 0 : task.flops / mean_cost(trial.costs_s);
}

}  // namespace opbench

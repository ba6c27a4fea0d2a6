#include "tuning/trials/trial.h"

#include <chrono>

#include "machine/facts/build_info.h"
#include "records/record/error_number.h"
#include "records/record/own_trial.h"

namespace opbench {

double unix_time_s() {
  return std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count();
}

TuningRecord record_of(const Task& task) {
  TuningRecord record;
  record.target = display_text(task.target);
  record.task = task.name;
  for (const Argument& argument : task.arguments) record.arguments.push_back({"", argument});
  return record;
}

TuningRecord record_of(const TunableTask& task, const Trial& trial) {
  TuningRecord record = record_of(task.task);
  record.config = trial.config;
  record.result.costs_s = trial.costs_s;
  if (trial.failure) {
    record.result.error_no = error_number(trial.failure->kind);
    record.result.error_message = trial.failure->text;
  }
  record.result.all_cost_s = trial.spent_s;
  record.result.timestamp = trial.finished_at;
  record.tvm_version = own_tvm_version(build_info().version);
  return record;
}

double score_of(const TunableTask& task, const Trial& trial) {
  return trial.costs_s.empty() ? 0 : task.flops / mean_cost(trial.costs_s);
}

}  // namespace opbench

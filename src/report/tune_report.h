#pragma once

#include <optional>
#include <string>

#include "opbench/report/text_table.h"
#include "opbench/tune/tune_run.h"

/// What tuning found out, as text and data.
namespace opbench {

/// A row a task: number, task, points, trials, failures (`4: 2`: two with AutoTVM's number 4),
/// index of the best point, its time, GFLOP/s, seconds spent.
TextTable tune_table(const TuneResult& result);

/// {"schema": "opbench.tune/1", "task", "name", "args", "size", "wanted", "trials", "resumed",
/// "refused", "failures": {"4": 2}, "best_index", "best_s", "logged_best_s", "gflops_per_s",
/// "seconds"}: one line, ended; null for what is not known. `best_s` was measured afresh.
std::string tuned_task_json(const TunedTask& task);

/// {"schema": "opbench.tune.summary/1", "log", "target", "tasks", "finished", "trials", "failures",
/// "seconds", "interrupted", "out_of_time", "untuned": [{"task", "name", "reason"}],
/// "warnings": ["…"]}: one line, ended.
std::string tune_summary_json(const TuneResult& result, const std::string& log,
                              const std::string& target);

/// The time of the best point as it was measured afresh, else as its trial says, in seconds.
std::optional<double> best_s_of(const TunedTask& task);

}  // namespace opbench

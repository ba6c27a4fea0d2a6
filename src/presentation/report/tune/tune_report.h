#pragma once

#include <optional>
#include <string>
#include <vector>

#include "measuring/results/tune_result.h"
#include "presentation/report/tables/text_table.h"

/// What tuning found out, as text and data.
namespace opbench {

/// A row a task: number, task, configs, trials, failures (`4: 2`: two with AutoTVM's number 4),
/// index of the best config, its time, that of the default config, how many times as fast it is,
/// GFLOP/s, seconds spent.
TextTable tune_table(const TuneResult& result);

/// {"schema": "opbench.tune/1", "task", "name", "args", "size", "wanted", "trials", "resumed",
/// "refused", "failures": {"4": 2}, "best_index", "best_s", "logged_best_s", "default_s",
/// "times_as_fast", "gflops_per_s", "seconds"}: one line, ended; null for what is not known.
/// `best_s` was measured afresh, `default_s` of the default config right after it.
std::string tuned_task_json(const TunedTask& task);

/// {"schema": "opbench.tune.summary/1", "log", "target", "tasks", "finished", "trials", "failures",
/// "seconds", "interrupted", "out_of_time", "model": {"default_s", "tuned_s", "times_as_fast"},
/// "untuned": [{"task", "name", "reason"}], "warnings": ["…"]}: one line, ended.
std::string tune_summary_json(const TuneResult& result, const std::string& log,
                              const std::string& target);

/// What tuning brought to a model: its tuned units, each as often as the model has it. A unit whose
/// best config is no faster than its default config counts with that, as --tuning-log keeps it.
struct ModelGain {
  double default_s = 0, tuned_s = 0;
  size_t units = 0;   ///< that have both times
  size_t slower = 0;  ///< of these, with a best config that is no faster
};
ModelGain model_gain(const TuneResult& result);

/// The same as sentences; none without such units.
std::vector<std::string> gain_lines(const TuneResult& result);

/// The time of the best config as it was measured afresh, else as its trial says, in seconds.
std::optional<double> best_s_of(const TunedTask& task);

}  // namespace opbench

#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/errors/error.h"
#include "base/json/json.h"
#include "presentation/web/store/web_store.h"

namespace opbench {

/// A tuning task of the store.
struct TaskOfStore {
  std::string task, args, target;
  int64_t trials = 0, failed = 0;
  std::string from;  ///< its trials: SQL behind FROM
};

/// `kNoMatch` for an unknown key.
Result<TaskOfStore> task_of_key(WebStore& store, const std::string& key);

/// The workload that a task of our own schedules is of; empty for a template's task.
std::string own_workload_of(const TaskOfStore& task);

/// The ten most frequent errors: {"error", "count"}; an error without a text has its number.
Result<Json> task_errors(WebStore& store, const TaskOfStore& task);

/// {"trial", "ms", "best_ms"}: evenly drawn trials in the order of their times, and each that was
/// faster than all before; about a thousand. Failed ones are counted but not listed.
Result<Json> task_progress(WebStore& store, const TaskOfStore& task);

/// A knob, and how far times depend on it.
struct TaskKnob {
  std::string name, kind;
  std::vector<std::string> values;  ///< as JSON, in order of their numbers
  int64_t best = 0;                 ///< index of the fastest config's value
  double explained = -1;            ///< 0 to 1; below 0: not known
};

/// Configs over the knobs of the task's most usual form.
struct TaskConfigs {
  std::vector<TaskKnob> knobs;
  std::vector<Json> configs;  ///< `configs` of `TuningTask`, the fastest first
  std::string why_none;       ///< why there are no knobs
};

/// The fastest hundred configs and at most two hundred evenly drawn ones. How much a knob explains
/// is the part of the variance of ln(time) that lies between its values, as omega squared: about 0
/// for a knob without influence, however many values it has. From at most 20 000 trials.
Result<TaskConfigs> task_configs(WebStore& store, const TaskOfStore& task);

/// `knobs` of `TuningTask`.
Json knobs_json(const TaskConfigs& configs);

/// The file of the last trial; null where it is not known.
Result<Json> task_file(WebStore& store, const TaskOfStore& task);

}  // namespace opbench

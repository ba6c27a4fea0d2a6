#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/text/shell_word.h"
#include "presentation/web/tuning/task_trials.h"
#include "presentation/web/view.h"

namespace opbench {
namespace {

/// The command that goes on: with the log that the last trial came from, where that is known.
Json go_on_command(const TaskOfStore& task, const Json& file) {
  const std::string workload = own_workload_of(task);
  if (workload.empty()) return nullptr;
  const std::string log =
      file.is_string() ? " --log " + shell_word(file.get<std::string>()) + " --continue" : "";
  return "opbench tune " + shell_word(workload) + log;
}

Result<Json> run_tuning_task(const ViewContext& context, const WebRequest& request) {
  OPBENCH_TRY(const std::string key, request.needed("key"));
  OPBENCH_TRY(const TaskOfStore task, task_of_key(context.store, key));
  Json answer = {{"key", key},
                 {"task", task.task},
                 {"args", task.args},
                 {"target", task.target},
                 {"trials", task.trials},
                 {"failed", task.failed}};
  OPBENCH_TRY(answer["errors"], task_errors(context.store, task));
  OPBENCH_TRY(answer["best_so_far"], task_progress(context.store, task));
  OPBENCH_TRY(const TaskConfigs configs, task_configs(context.store, task));
  answer["knobs"] = knobs_json(configs);
  answer["why_no_knobs"] = configs.why_none.empty() ? Json() : Json(configs.why_none);
  answer["configs"] = configs.configs;
  OPBENCH_TRY(const Json file, task_file(context.store, task));
  answer["command"] = go_on_command(task, file);
  return answer;
}

}  // namespace

ViewDef tuning_task_view() {
  return {.name = "tuning/task", .parameters = {"key"}, .list = "configs", .run = run_tuning_task};
}

}  // namespace opbench

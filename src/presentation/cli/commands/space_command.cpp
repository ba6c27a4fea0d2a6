#include <fmt/format.h>

#include <ostream>

#include "kernels/tasks/extract_tasks.h"
#include "presentation/cli/command.h"
#include "presentation/cli/output/table_output.h"
#include "presentation/cli/tune/task_model.h"
#include "presentation/report/tune/space_report.h"

namespace opbench {
namespace {

/// Tasks without a space are left out and named in `faults`, as TVM passes over them.
std::vector<TaskSpace> spaces_of(const std::vector<Task>& tasks, std::vector<Fact>& faults) {
  std::vector<TaskSpace> result;
  for (size_t i = 0; i < tasks.size(); ++i) {
    auto space = space_of(tasks[i]);
    const auto size = space ? size_of(*space) : Result<uint64_t>(Error(space.error()));
    if (size) {
      result.push_back({i, tasks[i], std::move(*space), *size});
    } else {
      faults.push_back({fmt::format("task {}", i), size.error().message});
    }
  }
  return result;
}

/// --task N: that task alone, which --index needs. `kInvalidInput` with the numbers there are.
Result<std::vector<Task>> chosen_task(const std::vector<Task>& tasks, const Arguments& arguments,
                                      size_t& first) {
  if (!arguments.has("--task")) {
    if (tasks.size() == 1 || !arguments.has("--index")) return tasks;
    return Error{ErrorCode::kInvalidInput,
                 fmt::format("--index counts the points of one of {} tasks", tasks.size())}
        .with("give", fmt::format("--task 0 to {}", tasks.size() - 1));
  }
  OPBENCH_TRY(first, task_number(arguments, tasks.size()));
  return std::vector<Task>{tasks[first]};
}

Result<void> write_config(const std::string& format, const TaskSpace& space,
                          const Arguments& arguments, Terminal& terminal) {
  OPBENCH_TRY(const int64_t index, arguments.integer("--index", 0));
  OPBENCH_TRY(const KnobConfig config, config_at(space.space, static_cast<uint64_t>(index)));
  if (format == "json") {
    return write_text(config_json(arguments.positionals().front(), space, config), arguments,
                      terminal);
  }
  if (format == "csv" || format == "md") {
    return write_table(config_table(config), "", "", arguments, terminal);
  }
  return write_text(config_text(config) + "\n", arguments, terminal);
}

Result<void> write_spaces(const std::string& format, const std::vector<TaskSpace>& spaces,
                          const Target& target, const Arguments& arguments, Terminal& terminal) {
  if (format == "json") {
    return write_text(space_json(arguments.positionals().front(), target, spaces), arguments,
                      terminal);
  }
  if (format == "csv" || format == "md") {
    return write_table(space_table(spaces), "", "", arguments, terminal);
  }
  if (format == "tvm") return write_text(printed_spaces(spaces), arguments, terminal);
  double configs = 0;
  for (const TaskSpace& space : spaces) configs += static_cast<double>(space.size);
  return write_text(space_text(spaces) + fmt::format("{} {}, {:.0f} points for {}\n", spaces.size(),
                                                     spaces.size() == 1 ? "task" : "tasks", configs,
                                                     display_text(target)),
                    arguments, terminal);
}

Result<void> run_space(const Invocation& invocation, Terminal& terminal) {
  const Arguments& arguments = invocation.arguments;
  const std::string& model_name = arguments.positionals().front();
  OPBENCH_TRY(const std::string format, format_of(arguments, {"tvm"}));
  OPBENCH_TRY(const Target target, task_target(arguments));
  OPBENCH_TRY(const Model model, task_model(arguments, terminal));
  const std::vector<Task> all = extract_tasks(model, target);
  if (all.empty()) return no_task(model_name, target);
  size_t first = 0;
  OPBENCH_TRY(const std::vector<Task> tasks, chosen_task(all, arguments, first));
  std::vector<Fact> faults;
  std::vector<TaskSpace> spaces = spaces_of(tasks, faults);
  for (TaskSpace& space : spaces) space.number += first;
  if (!spaces.empty()) {
    OPBENCH_CHECK(arguments.has("--index")
                      ? write_config(format, spaces.front(), arguments, terminal)
                      : write_spaces(format, spaces, target, arguments, terminal));
  }
  if (faults.empty()) return {};
  return Error{ErrorCode::kPartial,
               fmt::format("{} of {} tasks without a config space", faults.size(), tasks.size()),
               faults};
}

std::vector<OptionDef> space_options() {
  std::vector<OptionDef> result = table_options();
  result.front().help = "table, json, csv, md, or tvm: the spaces alone, as TVM prints them";
  for (const OptionDef& option : task_model_options()) result.push_back(option);
  result.push_back({.name = "--task", .value_name = "N", .help = "only this task, from 0"});
  result.push_back(
      {.name = "--index", .value_name = "I", .help = "what config I of the task's space chooses"});
  return result;
}

}  // namespace

CommandDef space_command() {
  return {
      .name = "space",
      .summary = "Show a model's tuning tasks and config spaces as AutoTVM numbers them",
      .positionals = {{.name = "MODEL|WORKLOAD",
                       .help = "an ONNX file, a name from `opbench list models`, or operators"}},
      .options = space_options(),
      .examples = {{"opbench space resnet-18 --target cuda", "no GPU is needed"},
                   {"opbench space resnet-18 --target llvm --task 1 --index 17",
                    "the knobs of one config"},
                   {"opbench space 'dense 8x512 w:1000x512 transB=1' --format json", ""}},
      .help_rank = 4,
      .run = run_space};
}

}  // namespace opbench

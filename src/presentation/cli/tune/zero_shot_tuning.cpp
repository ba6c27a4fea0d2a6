#include "presentation/cli/tune/zero_shot_tuning.h"

#include <fmt/format.h>

#include <memory>
#include <set>

#include "base/files/file.h"
#include "model/operators/workloads/workload.h"
#include "presentation/cli/output/output_file.h"
#include "presentation/cli/output/table_output.h"
#include "records/json/python_json.h"
#include "records/store/database/database.h"
#include "records/store/rows/trial_line.h"
#include "tuning/trials/chosen_kernel.h"
#include "tuning/trials/zero_shot.h"
#include "tuning/trials/zero_shot_file.h"

namespace opbench {
namespace {

constexpr const char* kZeroShotTasksSchema = "opbench.zero-shot.tasks/1";

constexpr size_t kPromising = 3;
constexpr double kLeastGain = 0.02;  // less than this the default config may be as good

Result<void> take_from_store(const std::string& template_name,
                             const std::function<void(const TuningRecord&)>& take) {
  const auto folder = default_store_folder();
  if (!folder || !std::filesystem::exists(*folder)) {
    return Error{ErrorCode::kNoMatch, "there is no store with trials"}.with(
        "make one", "opbench tune MODEL, or opbench records import LOG");
  }
  OPBENCH_TRY(StoreFolder store, StoreFolder::open_to_read(*folder));
  return for_each_trial(store, "task = " + sql_text(template_name),
                        [&](const TuningRecord& record, std::string_view) -> Result<void> {
                          take(record);
                          return {};
                        });
}

/// What became of a task.
struct Row {
  size_t number = 0;
  const Task* task = nullptr;
  std::string shapes;
  std::optional<ZeroShotChoice> choice;
  std::string remark;
};

bool keeps_default(const TunableTask& task, const ZeroShotChoice& choice) {
  return (!task.opening.empty() && choice.configs.front() == task.opening.front()) ||
         choice.of_default.value_or(0) > 1 - kLeastGain;
}

TextTable zero_shot_tuning_table_of(const std::vector<Row>& rows) {
  TextTable table{.columns = {{"number", true},
                              {"task"},
                              {"shapes", false, 24},
                              {"index", true},
                              {"of default, predicted", true},
                              {"learnt trials", true},
                              {"of tasks", true},
                              {"remark", false, 16}},
                  .rows = {}};
  for (const Row& row : rows) {
    const auto& choice = row.choice;
    const auto of_default = choice ? choice->of_default : std::nullopt;
    table.rows.push_back({.cells = {std::to_string(row.number), row.task->name, row.shapes,
                                    choice ? std::to_string(choice->configs.front()) : "-",
                                    of_default ? fmt::format("{:.2f}", *of_default) : "-",
                                    choice ? std::to_string(choice->trials) : "-",
                                    choice ? std::to_string(choice->tasks) : "-", row.remark}});
  }
  return table;
}

class Chooser {
 public:
  Chooser(const TuneRequest& request, const Target& target)
      : request_(request), zero_shot_(take_from_store, target) {}

  Result<void> run() {
    std::set<std::string> units;
    for (size_t i = 0; i < request_.tasks.size(); ++i) {
      if (request_.only && i != *request_.only) continue;
      const Task& task = request_.tasks[i].task;
      const std::string unit = python_json(Argument::of_tuple(task.arguments));
      if (!request_.only && is_default_first() && !units.insert(unit).second) continue;
      OPBENCH_CHECK(choose(task, i));
    }
    return {};
  }

  std::vector<Row> rows;
  std::vector<KernelChoice> kernels;

 private:
  /// Tasks of our own schedules compete for a unit; those of templates have layouts of their own.
  bool is_default_first() const { return request_.tasks.front().task.name.ends_with(".opbench"); }

  Result<void> choose(const Task& task, size_t number) {
    Row row{.number = number, .task = &task, .shapes = {}, .choice = {}, .remark = {}};
    const auto tunable = tunable_task(task, number, request_.threads);
    if (!tunable) {
      row.remark = tunable.error().message;
      rows.push_back(std::move(row));
      return {};
    }
    row.shapes = short_shapes(tunable->workload);
    auto choice = zero_shot_.choose(*tunable, 1);
    if (!choice && choice.error().code != ErrorCode::kNoMatch) return choice.error();
    if (!choice) {
      row.remark = choice.error().message;
    } else {
      row.choice = std::move(*choice);
      if (keeps_default(*tunable, *row.choice)) {
        row.remark = "keeps the default config";
      } else {
        OPBENCH_CHECK(add_kernel(*tunable, *row.choice));
      }
    }
    rows.push_back(std::move(row));
    return {};
  }

  Result<void> add_kernel(const TunableTask& task, const ZeroShotChoice& choice) {
    OPBENCH_TRY(const KnobConfig config, config_at(task.space, choice.configs.front()));
    OPBENCH_TRY(const KernelSpec spec, candidate_of(task, config));
    kernels.push_back(
        chosen_kernel(spec, fmt::format("{} trials of {} tasks", choice.trials, choice.tasks)));
    return {};
  }

  const TuneRequest& request_;
  ZeroShot zero_shot_;
};

}  // namespace

std::function<std::vector<uint64_t>(const TunableTask&)> promising_from_store(
    const Target& target) {
  const auto zero_shot = std::make_shared<ZeroShot>(take_from_store, target);
  return [zero_shot](const TunableTask& task) {
    auto choice = zero_shot->choose(task, kPromising);
    return choice ? std::move(choice->configs) : std::vector<uint64_t>();
  };
}

Result<void> tune_without_trials(const TuneRequest& request, const Target& target,
                                 const std::string& path, const Arguments& arguments,
                                 Terminal& terminal) {
  OPBENCH_CHECK(check_writable(path, "--log"));
  Chooser chooser(request, target);
  OPBENCH_CHECK(chooser.run());
  const bool has_choice =
      std::ranges::any_of(chooser.rows, [](const Row& row) { return row.choice.has_value(); });
  if (!has_choice) {
    Error error{ErrorCode::kNoMatch, "no config can be chosen without a trial"};
    std::set<std::string> told;
    for (const Row& row : chooser.rows) {
      if (told.insert(row.task->name + row.remark).second)
        error.facts.push_back({row.task->name, row.remark});
    }
    return std::move(error).with("make trials", "opbench tune of some models without --zero-shot");
  }
  OPBENCH_CHECK(write_file(path, zero_shot_text(chooser.kernels, target)));
  OPBENCH_CHECK(write_table(zero_shot_tuning_table_of(chooser.rows), kZeroShotTasksSchema, "tasks",
                            arguments, terminal));
  if (!terminal.is_quiet) {
    terminal.err << fmt::format(
        "{} of {} tasks get another config than the default, by prediction alone; try them: "
        "--tuning-log {}\n",
        chooser.kernels.size(), chooser.rows.size(), path);
  }
  return {};
}

}  // namespace opbench

#include "presentation/cli/tune/together_tuning.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <ostream>

#include "base/json/json_text.h"
#include "engines/catalog/engine_choice.h"
#include "experiments/compare/compare_request.h"
#include "experiments/together/together_session.h"
#include "presentation/cli/interruption.h"
#include "presentation/cli/output/progress_line.h"
#include "presentation/cli/output/table_output.h"
#include "presentation/cli/records/best_from_store.h"
#include "presentation/cli/records/kept_records.h"
#include "presentation/cli/tune/task_model.h"
#include "presentation/cli/tune/trial_setup.h"
#include "presentation/cli/waits/wait_notice.h"
#include "presentation/report/together/together_report.h"
#include "records/store/store_folder.h"

namespace opbench {
namespace {

constexpr double kBudget = 120;  // seconds
constexpr int64_t kMostConfigs = 1000;

Result<void> refuse_other_options(const Arguments& arguments) {
  for (const char* option : {"--tuner", "--templates", "--task", "--zero-shot", "--time-budget",
                             "--cache", "--threads", "--log-format"}) {
    if (!arguments.is_typed(option)) continue;
    Error error{ErrorCode::kInvalidInput, fmt::format("{} has no meaning with --together", option)};
    if (std::string(option) == "--time-budget") {
      return std::move(error).with("usage", "--budget " + arguments.value(option));
    }
    return error;
  }
  return {};
}

Result<TogetherRequest> together_request(const Invocation& invocation) {
  const Arguments& arguments = invocation.arguments;
  TogetherRequest request{.workloads = arguments.positionals()};
  request.run.settings.target = arguments.value("--target");
  request.run.notes.argv = invocation.argv;
  OPBENCH_TRY(const int64_t seed, arguments.integer("--seed", 0));
  request.run.model.seed = static_cast<uint64_t>(seed);
  request.run.measure.budget_s = kBudget;
  if (arguments.has("--budget")) {
    OPBENCH_TRY(request.run.measure.budget_s, arguments.seconds("--budget"));
  }
  if (arguments.has("--trials")) {
    OPBENCH_TRY(const int64_t trials, arguments.integer("--trials", 1, kMostConfigs));
    request.configs = static_cast<size_t>(trials);
  }
  OPBENCH_TRY(request.continues, arguments.is_on("--continue"));
  request.log = arguments.has("--log") ? arguments.value("--log") : "together.tune.log";
  request.known = known_config;
  if (const auto folder = default_store_folder()) request.store = *folder;
  return request;
}

/// Two comparisons, the look and the judgement, prepare seven sides at most; each does so in one
/// session, which takes some 0.6 of what the sides take one by one.
WaitNotice together_waits(const TogetherRequest& request, ProgressLine& progress) {
  constexpr int kMostSetSides = 7;
  std::vector<ProfileRequest> units;
  for (const std::string& workload : request.workloads) {
    ProfileRequest unit = profile_of(request.run, {package_engine().name}, {2});
    unit.model.workload = workload;
    units.push_back(std::move(unit));
  }
  PreparationEstimate estimate = estimate_preparation(
      "together", units, compared_processes(request.run.measure.budget_s / kMostSetSides));
  constexpr double kShareInOneSession = 0.6;
  estimate.other_s *=
      kShareInOneSession * kMostSetSides / static_cast<double>(std::max<size_t>(1, units.size()));
  return {progress, estimate, request.run.measure.budget_s};
}

/// Machines for one thread and for two, in folders of their own.
class Machines {
 public:
  Machines(const Arguments& arguments, const Target& target, const std::atomic<bool>* cancel)
      : arguments_(arguments), target_(target), cancel_(cancel) {}

  Result<std::unique_ptr<TrialMachine>> make(int threads) {
    OPBENCH_TRY(TrialFolders folders, make_trial_folders());
    folders_.push_back(std::move(folders));
    const Arguments arguments = arguments_.with("--threads", {std::to_string(threads)});
    OPBENCH_TRY(LocalMachineOptions options,
                trial_machine_options(arguments, target_, folders_.back(), cancel_));
    options.cold_weights = false;  // the set runs again and again, too
    return std::make_unique<LocalMachine>(std::move(options));
  }

 private:
  const Arguments& arguments_;
  const Target& target_;
  const std::atomic<bool>* cancel_;
  std::vector<TrialFolders> folders_;  ///< a machine's folders live longer than it
};

std::string together_tuning_report_of(const TogetherResult& result, const std::string& format,
                                      const Arguments& arguments, const Terminal& terminal) {
  constexpr int kIndent = 1;
  const TableForm form = table_form(arguments, terminal);
  if (format == "json") return json_text(together_json(result), kIndent) + "\n";
  if (format == "csv") return csv_text(candidate_table(result));
  if (format == "md") return markdown_text(candidate_table(result));
  return together_text(result, form.width, form.style);
}

/// What was measured on one thread teaches other searches.
void keep_logs(const TogetherRequest& request, Terminal& terminal) {
  std::error_code ignored;
  if (std::filesystem::exists(request.log, ignored)) keep_trials(request.log.string(), terminal);
}

}  // namespace

std::vector<OptionDef> together_options() {
  return {
      {.name = "--together",
       .value_name = {},
       .help = "two workloads: find configs that win side by side on two threads, by --trials\n"
               "configs of each (12), and keep the choice in the store under the key of the set",
       .kind = OptionKind::kSwitch,
       .is_settable = false},
      {.name = "--budget",
       .value_name = "TIME",
       .help = "with --together, for all that is measured: seconds, or 90s, 1.5m; default: 120"}};
}

Result<void> tune_set(const Invocation& invocation, Terminal& terminal) {
  const Arguments& arguments = invocation.arguments;
  OPBENCH_TRY(const std::string format, format_of(arguments));
  OPBENCH_CHECK(refuse_other_options(arguments));
  OPBENCH_TRY(TogetherRequest request, together_request(invocation));
  OPBENCH_TRY(const Target target, task_target_here(arguments));
  const Interruption interruption;
  Machines machines(arguments, target, &interruption.flag());
  request.machine = [&](int threads) { return machines.make(threads); };
  ProgressLine progress(terminal);
  request.run.hooks.cancel = &interruption.flag();
  WaitNotice waits = together_waits(request, progress);
  request.run.hooks.progress = [&](const Progress& state) { waits.show(state); };
  const Result<TogetherResult> result = tune_together(request);
  progress.clear();
  keep_logs(request, terminal);
  if (!result) return Error(result.error());
  return write_text(together_tuning_report_of(*result, format, arguments, terminal), arguments,
                    terminal);
}

}  // namespace opbench

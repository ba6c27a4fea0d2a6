#include "presentation/cli/options/plan_option.h"

#include <fmt/format.h>

#include <ostream>

#include "base/files/text_file.h"
#include "base/numbers/hash.h"
#include "engines/catalog/engine_choice.h"
#include "experiments/plan/plan_choice.h"
#include "presentation/cli/interruption.h"
#include "presentation/cli/output/progress_line.h"
#include "records/store/store_folder.h"

namespace opbench {
namespace {

bool is_planned(const ProfileRequest& request) {
  return follows_plan(package_engine(), request.settings.executor);
}

Result<void> set_parallel(const Arguments& arguments, ProfileRequest& request) {
  if (arguments.value("--parallel").empty()) return {};  // a command without it, such as `op`
  OPBENCH_TRY(request.settings.parallel, arguments.choice("--parallel", {"full", "stream"}));
  if (!has_streams(request.settings)) return {};
  if (arguments.has("--plan")) {
    return Error{ErrorCode::kInvalidInput,
                 "--parallel stream makes its own plan, and --plan names one"};
  }
  if (arguments.has("--executor") && !is_planned(request)) {
    return Error{ErrorCode::kInvalidInput,
                 fmt::format("--parallel stream needs --executor {}, not \"{}\"",
                             planned_executor(), request.settings.executor)};
  }
  request.settings.executor = planned_executor();
  return {};
}

}  // namespace

OptionDef parallel_option() {
  return {.name = "--parallel",
          .value_name = "WORD",
          .help =
              "of a model on several threads: `full`, every unit on all of them; `stream`, each "
              "on one, others beside it by a plan",
          .otherwise = "full"};
}

OptionDef plan_option() {
  return {.name = "--plan",
          .value_name = "FILE",
          .help = "run units side by side as this plan of `opbench plan` says",
          .is_settable = false,
          .file = FileUse::kRead};
}

Result<void> set_plan(const Arguments& arguments, ProfileRequest& request) {
  OPBENCH_CHECK(set_parallel(arguments, request));
  const std::string file = arguments.value("--plan");
  if (file.empty()) {
    request.measure.measures_units = request.measure.measures_units && !is_planned(request);
    return {};
  }
  if (arguments.has("--executor") && !is_planned(request)) {
    return Error{ErrorCode::kInvalidInput,
                 fmt::format("--plan needs --executor {}, not \"{}\"", planned_executor(),
                             request.settings.executor)};
  }
  OPBENCH_TRY(const std::string text, read_text_file(file));
  OPBENCH_TRY(const PlanFile plan, parse_plan_file(text, file));
  request.settings.executor = planned_executor();
  request.measure.measures_units = false;
  request.settings.plan.file = file;
  request.settings.plan.sha256 = sha256(text);
  if (!arguments.has("--threads")) request.threads = {plan.plan.workers};
  if (!arguments.has("--cpus")) request.settings.cpus = plan.cpus;
  return {};
}

Result<void> find_plan(ProfileRequest& request, Terminal& terminal) {
  const bool has_workers = request.threads != std::vector<int>{1};
  if (!is_planned(request) || !request.settings.plan.file.empty() || request.model.name.empty() ||
      !has_workers) {
    return {};
  }
  const Interruption interruption;
  ProgressLine progress(terminal);
  ProfileRequest asked = request;
  asked.hooks.cancel = &interruption.flag();
  asked.hooks.progress = [&](const Progress& state) { progress.show(state); };
  const Result<KeptPlan> kept = kept_plan(asked, default_store_folder().value_or(""));
  progress.clear();
  if (!kept) return Error(kept.error());
  request.settings.plan.file = kept->file.string();
  request.settings.plan.sha256 = kept->sha256;
  if (terminal.is_quiet) return {};
  for (const std::string& warning : kept->warnings) terminal.err << "warning: " << warning << "\n";
  terminal.err << fmt::format("note: plan {} of \"{}\": {}; the ceiling is {:.3f} ×\n",
                              kept->plan.plan.planner, kept->file.string(), kept->plan.reason,
                              kept->plan.ceiling_by_pieces);
  return {};
}

}  // namespace opbench
